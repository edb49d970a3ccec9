#!/usr/bin/env bash
# Formats our C++ in place.
# shellcheck source=scripts/lib.sh
source "$(dirname "$0")/lib.sh"
scripts/setup.sh lint
mapfile -t sources < <(cpp_sources)
clang-format -i --style=file "${sources[@]}"
echo "format: ${#sources[@]} files"
