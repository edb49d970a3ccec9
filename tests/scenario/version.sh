# shellcheck shell=bash
# --version names version, commit and compiler; bad usage is 64; help goes to stdout.
# shellcheck source=tests/scenario/_verbs.sh
source "$FLAKESTAT_SOURCE_DIR/tests/scenario/_verbs.sh"

run --version
expect_code 0
[[ $out =~ ^flakestat\ [0-9]+\.[0-9]+\.[0-9]+\ \(([0-9a-f]{12}|unknown),\ [A-Za-z]+\ [0-9.]+\)$ ]] || fail "form of --version"

run --help
expect_code 0
expect_out flakestat

run --no-such-flag
expect_code 64
expect_err no-such-flag
