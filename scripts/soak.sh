#!/usr/bin/env bash
# The long versions: every test at its soak counts (FLAKESTAT_SOAK=1: a thousand kills instead of a few), the durability
# tests ten times in a row, ten minutes of fuzzing per target. Ends with a summary; takes an hour or more.
# shellcheck source=scripts/lib.sh
source "$(dirname "$0")/lib.sh"
export FLAKESTAT_SOAK=1
times=${SOAK_TIMES:-10}
summary=()

part() {
  section "$1"
  local name=$1 start=$SECONDS verdict=ok
  shift
  "$@" || verdict=FAILED
  summary+=("$(printf '%-42s %-6s %6d s' "$name" "$verdict" "$((SECONDS - start))")")
}

ctest_soak() {
  local log=build/soak.log code=0
  ctest --test-dir build/dev --no-tests=error --output-on-failure --timeout 3600 "$@" >"$log" 2>&1 || code=$?
  tail -n 12 "$log"
  [ "$code" -eq 0 ] || echo "the whole output is in $log" >&2
  return "$code"
}

scripts/setup.sh build test fuzz
scripts/deps.sh
section "build: dev"
build dev all

part "every test at its soak counts" ctest_soak -LE 'house|frameworks'
part "durability, $times times in a row" ctest_soak -R '^store\.' --repeat "until-fail:$times"
part "every test framework" env FLAKESTAT="$root/build/dev/flakestat" "$python" -B tests/frameworks/test_frameworks.py all
part "reruns with every test framework" env FLAKESTAT_GENERIC_RUN="$root/build/dev/programs/generic_run" "$python" -B tests/frameworks/test_run_generic.py all
for major in 7 8 9; do
  part "the pytest plugin, pytest $major" env FLAKESTAT_SOAK=1 "$python" -B tests/frameworks/test_pytest_plugin.py "$major" Differential
  part "plugins of pytest $major" env FLAKESTAT="$root/build/dev/flakestat" "$python" -B tests/frameworks/test_run_plugins.py "$major"
done
part "fuzzing" env FUZZ_SECONDS="${FUZZ_SECONDS:-600}" scripts/fuzz_smoke.sh

section "summary"
printf '%s\n' "${summary[@]}"
[[ "${summary[*]}" != *FAILED* ]]
