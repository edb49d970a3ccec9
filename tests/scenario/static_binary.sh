# shellcheck shell=bash
# The release binary needs nothing but the kernel: no loader, no library, no file. Built by `make test` and `make demo`.
# shellcheck source=tests/scenario/_verbs.sh
source "$FLAKESTAT_SOURCE_DIR/tests/scenario/_verbs.sh"

release=$FLAKESTAT_SOURCE_DIR/build/release/flakestat
[ -x "$release" ] || skip "build/release/flakestat is not built (make test builds it)"

ldd "$release" >ldd.txt 2>&1 && fail "the release binary is dynamic: $(<ldd.txt)"
grep -q 'not a dynamic executable' ldd.txt || fail "ldd said: $(<ldd.txt)"

[ "$(id -u)" -eq 0 ] || skip "chroot needs root; ldd was checked"
mkdir empty
cp "$release" empty/flakestat
out=$(chroot empty /flakestat --version) || fail "does not start in an empty chroot"
expect_out "flakestat "
