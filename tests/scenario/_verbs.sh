# shellcheck shell=bash
# The verbs of the scenarios: run the binary, look at its exit code and at what it said.
set -euo pipefail
: "${FLAKESTAT:?}" "${FLAKESTAT_SOURCE_DIR:?}"

# run ARGUMENT...: sets $code, $out and $err.
run() {
  code=0
  "$FLAKESTAT" "$@" >out.txt 2>err.txt || code=$?
  out=$(<out.txt)
  err=$(<err.txt)
}

fail() {
  printf 'FAILED: %s\n--- exit code %s, stdout:\n%s\n--- stderr:\n%s\n' "$*" "${code:-}" "${out:-}" "${err:-}" >&2
  exit 1
}

skip() {
  echo "SKIPPED: $*" >&2
  exit 77
}

expect_code() { [ "$code" -eq "$1" ] || fail "exit code $1 expected"; }
expect_out() { [[ $out == *"$1"* ]] || fail "stdout should hold '$1'"; }
expect_err() { [[ $err == *"$1"* ]] || fail "stderr should hold '$1'"; }
expect_silence() { [ -z "$out$err" ] || fail "no output expected"; }
