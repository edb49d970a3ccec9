#!/usr/bin/env bash
# Formatting, clang-tidy, shellcheck, Python and JSON that parse, files that stay small. Every check says how many files
# it looked at, and one that looked at none fails.
# shellcheck source=scripts/lib.sh
source "$(dirname "$0")/lib.sh"
code=0

# check NAME LIST COMMAND...: runs COMMAND with the files that the function LIST prints.
check() {
  local name=$1 list=$2 start=$SECONDS verdict=ok files
  shift 2
  mapfile -t files < <("$list")
  if [ ${#files[@]} -eq 0 ]; then
    verdict="FAILED: no file to look at"
  else
    "$@" "${files[@]}" || verdict=FAILED
  fi
  [ "$verdict" = ok ] || code=1
  printf 'lint: %-14s %4d files  %4d s  %s\n' "$name" "${#files[@]}" "$((SECONDS - start))" "$verdict"
}

# The program's own sources and their headers; tests too with TIDY_ALL=1, which doubles the time.
tidy_sources() { our_files 'src/*.cpp' | if [ -n "${TIDY_ALL:-}" ]; then cat; else grep -v '_test\.cpp$'; fi; }
shell_sources() {
  our_files '*.sh'
  our_files .ci/run
}
python_sources() { our_files '*.py' | grep -v '^tests/reports/projects/'; }
json_sources() { our_files '*.json' | grep -v '^tests/corpus/'; }
sized_sources() { our_files 'src/*.cpp' 'src/*.hpp' 'tools/*.py' 'scripts/*.sh'; }

formatted() {
  local unformatted
  unformatted=$(clang-format --style=file --dry-run -Werror "$@" 2>&1 | awk -F: '/error: code should be/ {print $1}' | sort -u)
  [ -z "$unformatted" ] || printf 'lint: not formatted (make format mends it): %s\n' "$unformatted"
  [ -z "$unformatted" ]
}

tidy() {
  cmake --preset dev >build/lint-configure.log 2>&1 || {
    tail -n 20 build/lint-configure.log >&2
    return 1
  }
  # Its count of suppressed warnings goes to stderr: shown only when something failed.
  printf '%s\n' "$@" | xargs -P "$jobs" -n 4 clang-tidy --quiet -p build/dev 2>build/lint-tidy.err || {
    grep -v 'warnings generated' build/lint-tidy.err >&2
    return 1
  }
}

python_compiles() { "$python" -B -c '
import ast, sys
for name in sys.argv[1:]:
    ast.parse(open(name, encoding="utf-8").read(), name)' "$@"; }

json_parses() { "$python" -B -c '
import json, sys
for name in sys.argv[1:]:
    json.load(open(name, encoding="utf-8"))' "$@"; }

# A file over 500 lines is split by case before it grows further.
stays_small() {
  wc -l "$@" | awk '$2 != "total" && $1 > 500 {print "lint: " $2 " has " $1 " lines (at most 500)"; bad = 1} END {exit bad}'
}

scripts/setup.sh build test lint
scripts/deps.sh
mkdir -p build
check format cpp_sources formatted
check shell shell_sources shellcheck -x
check python python_sources python_compiles
check json json_sources json_parses
check sizes sized_sources stays_small
check clang-tidy tidy_sources tidy
exit "$code"
