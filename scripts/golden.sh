#!/usr/bin/env bash
# Rewrites every golden file (tests/golden/) with what the renderers print now. Review the diff: it is what users will see.
# shellcheck source=scripts/lib.sh
source "$(dirname "$0")/lib.sh"
scripts/setup.sh build test
scripts/deps.sh
section "build: dev"
build dev all
section "golden files"
mapfile -t layers < <(grep -rl --include='*_test.cpp' 'EXPECT_GOLDEN' src | cut -d/ -f2 | sort -u)
[ ${#layers[@]} -gt 0 ] || die 70 "no test uses a golden file"
FLAKESTAT_UPDATE_GOLDEN=1 ctest --test-dir build/dev -j "$jobs" --no-tests=error \
  -R "^($(IFS='|'; echo "${layers[*]}"))\." >build/golden.log 2>&1 || { tail -n 30 build/golden.log >&2; die 70 "a test failed"; }
git --no-pager diff --stat -- tests/golden
git ls-files --others --exclude-standard -- tests/golden | sed 's/^/new: /'
