#!/usr/bin/env bash
# Installs what is missing: setup.sh [build] [demo] [test] [lint] [bench] [fuzz] (none named: build, demo and test).
# Installs with apt-get, as root or through sudo; elsewhere it names what is missing, and goes on when nothing is.
# shellcheck source=scripts/lib.sh
source "$(dirname "$0")/lib.sh"

# probe | Debian package. Probes: cmd NAME, want COMMAND (useful, not needed), file PATH, header FILE, lib FILE,
# py MODULE, fuzzer runtime.
needs_build() {
  cat <<'LIST'
cmd g++                       | g++
cmd cmake                     | cmake
cmd ninja                     | ninja-build
cmd git                       | git
cmd npm                       | npm
want ccache                   | ccache
header CLI/CLI.hpp            | libcli11-dev
header rapidjson/writer.h     | rapidjson-dev
header utf8proc.h             | libutf8proc-dev
lib libutf8proc.a             | libutf8proc-dev
header boost/math/distributions/hypergeometric.hpp | libboost-dev
header yaml.h                 | libyaml-dev
lib libyaml.a                 | libyaml-dev
header re2/re2.h              | libre2-dev
lib libre2.a                  | libre2-dev
header openssl/evp.h          | libssl-dev
lib libcrypto.a               | libssl-dev
header unicode/ucnv.h         | libicu-dev
lib libicuuc.a                | libicu-dev
cmd icupkg                    | icu-devtools
LIST
}
needs_demo() { echo 'py ensurepip | python3-venv'; }
needs_test() {
  cat <<'LIST'
header gtest/gtest.h          | libgtest-dev
lib libgtest.a                | libgtest-dev
header gmock/gmock.h          | libgmock-dev
cmd python3                   | python3
py jsonschema                 | python3-jsonschema
want groff                    | groff-base
want mandoc                   | mandoc
want zsh                      | zsh
want fish                     | fish
py yaml                       | python3-yaml
py ensurepip                  | python3-venv
LIST
}
needs_lint() {
  cat <<'LIST'
cmd clang-format              | clang-format
cmd clang-tidy                | clang-tidy
cmd shellcheck                | shellcheck
LIST
}
needs_fuzz() {
  cat <<'LIST'
cmd clang++                   | clang
fuzzer runtime                | libclang-rt-@CLANG@-dev
LIST
}
needs_bench() {
  cat <<'LIST'
header pugixml.hpp            | libpugixml-dev
header expat.h                | libexpat1-dev
cmd xml2-config               | libxml2-dev
cmd pkg-config                | pkg-config
file /usr/bin/time            | time
py ensurepip                  | python3-venv
LIST
}

# The newest clang's runtime package carries its major version; Debian 12 has 14.
clang_version() {
  local version
  version=$(clang++ -dumpversion 2>/dev/null) || version=14
  echo "${version%%.*}"
}

compiler() { command -v g++ || command -v c++; }

present() {
  local kind=$1 what=$2 found
  case $kind in
    cmd | want) PATH=$PATH:/usr/sbin command -v "$what" >/dev/null ;;
    file) [ -e "$what" ] ;;
    header) printf '#if !__has_include(<%s>)\n#error missing\n#endif\n' "$what" |
      "$(compiler)" -E -x c++ - >/dev/null 2>&1 ;;
    lib)
      found=$("$(compiler)" -print-file-name="$what" 2>/dev/null)
      [ -e "$found" ] ;;
    py) "$python" -c "import $what" 2>/dev/null ;;
    fuzzer) echo 'extern "C" int LLVMFuzzerTestOneInput(const char*, unsigned long) { return 0; }' |
      clang++ -fsanitize=fuzzer,address -x c++ - -o /dev/null 2>/dev/null ;;
    *) die 70 "unknown probe '$kind'" ;;
  esac
}

# Prints "probe | package" of everything that is missing in the groups asked for.
missing() {
  local group probe package kind what
  for group in "$@"; do
    while IFS='|' read -r probe package; do
      read -r kind what <<<"$probe"
      package=${package// /}
      present "$kind" "$what" || echo "$kind $what | ${package/@CLANG@/$(clang_version)}"
    done < <("needs_$group")
  done
}

install() {
  local packages=("$@") sudo=()
  command -v apt-get >/dev/null || return 1
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || return 1
    sudo=(sudo)
  fi
  echo "setup: installing ${packages[*]}" >&2
  mkdir -p "$root/build"
  "${sudo[@]}" apt-get update -qq >"$root/build/setup.log" 2>&1 || true
  # Only an answer of the registry is final: a download that broke off is tried once more.
  for _ in 1 2; do
    "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
      -o Acquire::Retries=3 "${packages[@]}" >>"$root/build/setup.log" 2>&1 </dev/null && return 0
  done
  tail -n 20 "$root/build/setup.log" >&2
  return 1
}

packages_of() { awk -F ' [|] ' 'NF > 1 {print $2}' <<<"$1" | sort -u; }

groups=("$@")
[ ${#groups[@]} -gt 0 ] || groups=(build demo test)
for group in "${groups[@]}"; do
  declare -F "needs_$group" >/dev/null || die 64 "unknown group '$group': build, demo, test, lint, bench, fuzz"
done

# Twice: the package of clang's runtime is known only once clang is there.
for _ in 1 2; do
  lacking=$(missing "${groups[@]}")
  [ -n "$lacking" ] || exit 0
  mapfile -t packages < <(packages_of "$lacking")
  install "${packages[@]}" || break
done

lacking=$(missing "${groups[@]}" | grep -v '^want ' || true)
[ -n "$lacking" ] || exit 0
{
  echo "setup: these are missing (what | the Debian package that brings it):"
  echo "$lacking"
  echo "setup: on Debian or Ubuntu, as root: apt-get install $(packages_of "$lacking" | tr '\n' ' ')"
  echo "setup: elsewhere, install the equivalents; see ARCHITECTURE.md for what each is used for"
} >&2
exit 66
