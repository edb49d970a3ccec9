#!/usr/bin/env bash
# flakestat on its own test results: own_report.sh BINARY REPORT... stores each report under the name of its build and
# prints the scored table. A report that cannot be read fails.
# shellcheck source=scripts/lib.sh
source "$(dirname "$0")/lib.sh"
[ $# -ge 2 ] || die 64 "usage: own_report.sh BINARY REPORT..."
binary=$1
shift
state=$(mktemp -d)
trap 'rm -rf "$state"' EXIT
commit=$(git rev-parse HEAD 2>/dev/null || echo unknown)
for report in "$@"; do
  "$binary" ingest --quiet --dir "$state" --no-host --commit "$commit" --branch main --run-id own-tests \
    --dimension "build=$(basename "$report" .xml)" "$report"
done
"$binary" report --dir "$state" --all --top 10
