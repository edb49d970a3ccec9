#!/usr/bin/env bash
# From nothing to a scored table: build the release binary, hunt the bundled flaky suite under real pytest, run it once
# with reruns, then read a week of CI reports. Runs a minute or two on a fresh machine; leaves only build/ and .deps/
# behind.
# shellcheck source=scripts/lib.sh
source "$(dirname "$0")/lib.sh"
runs=${RUNS:-20}
flakestat=$root/build/release/flakestat

section "what the build needs"
scripts/setup.sh build demo
scripts/deps.sh
scripts/python_env.sh demo examples/flaky-pytest/requirements.txt

section "the release binary"
build release flakestat
"$flakestat" --version

state=$(mktemp -d)
trap 'rm -rf "$state"' EXIT
pytest=$root/.deps/venv-demo/bin/pytest

section "hunt: $runs runs of examples/flaky-pytest under $("$pytest" --version 2>&1)"
cd examples/flaky-pytest
"$flakestat" hunt --dir "$state/hunt" --runs "$runs" --junit "$state/report-{run}.xml" -- \
  "$pytest" -q -p no:cacheprovider "--junitxml={junit}"

section "run: the same suite once, with reruns; what is known to be broken is tolerated"
"$flakestat" run --dir "$state/run" -n 2 --reruns 2 --quarantine quarantine.txt -- \
  "$pytest" -p no:cacheprovider >"$state/run.txt" || [ $? -eq 1 ] # a flaky test may fail three times in a row
sed -n '/quarantined failures/,$p' "$state/run.txt"

section "ingest and report: a week of CI reports in examples/ci-history"
cd "$root/examples/ci-history"
while read -r run_id commit branch; do
  "$flakestat" ingest --quiet --dir "$state/ci" --no-host --run-id "$run_id" --commit "$commit" --branch "$branch" \
    "run-$run_id/*.xml"
done <runs.txt
"$flakestat" report --dir "$state/ci" --all
section_end
