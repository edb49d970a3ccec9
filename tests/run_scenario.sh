#!/usr/bin/env bash
# Runs one scenario in a folder of its own, removed afterwards: run_scenario.sh SCENARIO PYTHON.
set -euo pipefail
scenario=$1 python=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export HOME=$work TMPDIR=$work PYTHON=$python PYTHONDONTWRITEBYTECODE=1
case $scenario in
  *.py) "$python" "$scenario" </dev/null ;;
  *) bash "$scenario" </dev/null ;;
esac
