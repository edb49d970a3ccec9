#!/usr/bin/env bash
# Everything that CI checks, from a clean checkout: fuzz smoke, thread sanitizer, then the whole suite under the address and
# undefined-behaviour sanitizers (units, checks of the house, scenarios, real frameworks). Each part runs even when one
# before it failed; any failure makes the exit code 1. The last thing printed is ctest's own end of the whole suite.
# shellcheck source=scripts/lib.sh
source "$(dirname "$0")/lib.sh"
results=$root/build/results
failed=()

# part NAME COMMAND...: a heading, the command, and a note when it failed.
part() {
  section "$1"
  local name=$1
  shift
  "$@" || failed+=("$name")
}

# ctest_in PRESET ARGUMENT...: the tests of one build, with the output of those that fail.
ctest_in() {
  local preset=$1
  shift
  "${wrapper[@]}" ctest --test-dir "build/$preset" -j "$jobs" --no-tests=error --output-on-failure \
    --output-junit "$results/$preset.xml" "$@"
}

# The same in a few lines: the closing summary, and all that failed.
ctest_brief() {
  local log=$results/$1.log code=0
  ctest_in "$@" >"$log" 2>&1 || code=$?
  grep -vE '^ *[0-9]+/[0-9]+ Test .* Passed |^ *Start +[0-9]+:|^Internal ctest|^Test project' "$log" || true
  return "$code"
}

# The layers in which threads run at once; those above only use them.
sanitize_threads() {
  local layer targets=()
  for layer in formats store stats; do
    if compgen -G "src/$layer/*_test.cpp" >/dev/null; then targets+=("test_$layer"); fi
  done
  if [ ${#targets[@]} -eq 0 ]; then
    echo "test: no layer with threads has tests" >&2
    return 1
  fi
  (
    without_randomised_addresses
    build tsan "${targets[@]}"
    ctest_brief tsan -R '^(formats|store|stats)\.'
  )
}

mkdir -p "$results"
rm -f "$results"/*.xml
section "what the tests need"
scripts/setup.sh build test fuzz
scripts/deps.sh

section "build: release (static)"
build release flakestat
part "fuzz smoke" env FUZZ_SECONDS="${FUZZ_SECONDS:-12}" scripts/fuzz_smoke.sh
part "thread sanitizer" sanitize_threads
part "report on our own results" scripts/own_report.sh build/release/flakestat "$results/tsan.xml"
section "build: address and undefined-behaviour sanitizers"
build asan all

section "all tests"
[ ${#failed[@]} -eq 0 ] || printf 'FAILED before this part: %s\n' "${failed[*]}"
code=0
ctest_in asan || code=$?
[ ${#failed[@]} -eq 0 ] || code=1
exit "$code"
