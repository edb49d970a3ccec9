#!/usr/bin/env bash
# Lays simdjson's amalgamated source (version 3.9.4, from the npm package @nozbe/simdjson) under .deps/.
# Debian ships simdjson only as a shared library; our release binary is static.
set -euo pipefail
cd "$(dirname "$0")/.."
dir=.deps/simdjson
version=3.9.4
sum_cpp=a0410ae49e2e2fd967330fc22f91d7a06f3f6c5988bf53faa4855c2e3dee2805
sum_h=88a44cd77e0b443724f52bed7a3b86bcd84ed1c29a451ecc94210fc7d6aef069

verify() {
  echo "$sum_cpp  $1/simdjson.cpp
$sum_h  $1/simdjson.h" | sha256sum --check --quiet --strict
}

if [ -f "$dir/simdjson.cpp" ] && verify "$dir" 2>/dev/null; then
  exit 0
fi
command -v npm >/dev/null || { echo "deps: npm is needed to fetch simdjson: run scripts/setup.sh" >&2; exit 66; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
echo "deps: fetching simdjson $version" >&2
(cd "$work" && npm pack --silent "@nozbe/simdjson@$version" >/dev/null && tar xzf ./*.tgz)
verify "$work/package/src" || { echo "deps: simdjson $version has an unexpected checksum; not used" >&2; exit 65; }
mkdir -p "$dir"
cp "$work/package/src/simdjson.cpp" "$work/package/src/simdjson.h" "$work/package/LICENSE" "$dir/"
