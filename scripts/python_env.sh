#!/usr/bin/env bash
# A Python environment of our own below .deps/: python_env.sh NAME REQUIREMENTS makes .deps/venv-NAME, once per content.
# shellcheck source=scripts/lib.sh
source "$(dirname "$0")/lib.sh"
[ $# -eq 2 ] || die 64 "usage: python_env.sh NAME REQUIREMENTS"
venv=.deps/venv-$1
requirements=$2
stamp=$venv/requirements.txt

cmp -s "$requirements" "$stamp" && exit 0
rm -rf "$venv"
mkdir -p .deps
"$python" -m venv "$venv" || die 66 "cannot make a Python environment: run scripts/setup.sh demo"
echo "python: installing $(grep -cv '^#' "$requirements") packages into $venv" >&2
"$venv/bin/pip" install --quiet --disable-pip-version-check --retries 5 -r "$requirements" ||
  die 66 "cannot install $requirements from the Python package index"
cp "$requirements" "$stamp"
