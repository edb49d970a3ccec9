# shellcheck shell=bash
# What every script shares: the root folder, the number of jobs, headings, durations, clear ends.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
root=$PWD
jobs=${JOBS:-$(nproc 2>/dev/null || echo 2)}
export CTEST_PARALLEL_LEVEL="$jobs"

# Debian's own Python first: its packages (jsonschema) are the ones that setup.sh installs.
python=python3
[ -x /usr/bin/python3 ] && python=/usr/bin/python3
export python root jobs

# die CODE MESSAGE...: ends the script with one of the documented exit codes.
die() {
  local code=$1
  shift
  echo "$(basename "$0" .sh): $*" >&2
  exit "$code"
}

# section TITLE: closes the section before it with its duration and opens the next.
section() {
  section_end
  section_title=$1
  section_start=$SECONDS
  printf '\n=== %s\n' "$1"
}

section_end() {
  [ -z "${section_title:-}" ] || printf -- '--- %s: %d s\n' "$section_title" "$((SECONDS - section_start))"
  section_title=
}

# Put before builds and test runs of the thread sanitizer: GCC 12's runtime stops where the kernel randomises addresses
# more than it knows. Empty where that cannot be turned off.
wrapper=()
without_randomised_addresses() {
  if setarch "$(uname -m)" -R true 2>/dev/null; then wrapper=(setarch "$(uname -m)" -R); fi
}

# build PRESET TARGET...: configures and builds; the output is shown only when it fails.
build() {
  local preset=$1 log
  shift
  log=$root/build/$preset.log
  mkdir -p build
  if ! { cmake --preset "$preset" && "${wrapper[@]}" cmake --build "build/$preset" -j "$jobs" --target "$@"; } >"$log" 2>&1; then
    # Compilers' and linkers' own lines, each with a little around it; without any, how it ended.
    grep -hE -A3 ' error: |undefined reference|CMake Error|ld returned' "$log" | head -60 >&2 || tail -n 40 "$log" >&2
    die 70 "building the preset '$preset' failed; the whole output is in $log"
  fi
}

# Our own sources: what git knows or would add, less what is gone.
our_files() {
  git ls-files --cached --others --exclude-standard -- "$@" | while read -r file; do
    [ ! -e "$file" ] || echo "$file"
  done
}

cpp_sources() { our_files '*.cpp' '*.hpp' '*.h' '*.cc' | grep -v '^tests/reports/'; }
