#!/usr/bin/env bash
# Makes the reports in this folder again, by running real frameworks on the projects in projects/:
# make.sh [RUNNER...] (none named: all). Needs the runners' languages (Python, Go, Node, a JDK with Maven, Ruby, PHP, CMake) and
# their packages from the registries; what Debian brings is named at each. Work happens in build/reports/.
# manifest.py then writes manifest.json from the runners' own console output.
# shellcheck source=../../scripts/lib.sh
source "$(dirname "$0")/../../scripts/lib.sh"
here=$root/tests/reports
work=$root/build/reports

# Runs a runner with an environment that holds nothing of this machine: runners print it into reports.
clean() {
  mkdir -p "$work/home"
  env -i PATH="$PATH" HOME="$work/home" LC_ALL=C.UTF-8 NO_COLOR=1 CI=true FLAKESTAT_RUN=1 "$@"
}

# begin RUNNER PROJECT: a fresh copy of the project; the current folder from then on.
begin() {
  echo "reports: $1" >&2
  rm -rf "${work:?}/$1"
  mkdir -p "$work/$1" "$here/$1"
  cp -r "$here/projects/$2" "$work/$1/project"
  cd "$work/$1/project" || exit
}

# keep RUNNER REPORT NAME TOOL VERSION COMMAND: stores the report, its console output (the file 'console') and what made it.
keep() {
  local target=$here/$1/$3
  sed "s#$work/$1/project#/project#g; s#$root#/repository#g; s#hostname=\"[^\"]*\"#hostname=\"host\"#g" "$2" >"$target.xml"
  "$python" - "$@" console "$work/$1-$3.json" <<'PY'
import json, sys
runner, _, name, tool, version, command, console, out = sys.argv[1:]
text = open(console, encoding="utf-8", errors="replace").read()
json.dump({"file": f"{runner}/{name}.xml", "tool": tool, "version": version, "command": command, "console": text}, open(out, "w"))
PY
}

venv() { # NAME PACKAGE...
  local name=$1
  shift
  "$python" -m venv "$work/venv-$name"
  "$work/venv-$name/bin/pip" install --quiet --disable-pip-version-check "$@"
}

npm_install() { npm install --silent --no-audit --no-fund --no-save "$@" >/dev/null; }

run_pytest() {
  local version
  for version in 7.4.4 9.2.0; do
    venv "pytest-$version" "pytest==$version"
    begin pytest pytest
    clean "$work/venv-pytest-$version/bin/pytest" --junitxml=report.xml >console 2>&1 || true
    keep pytest report.xml "pytest-$version" pytest "$version" "pytest --junitxml=report.xml"
  done
  venv pytest-xdist pytest==9.2.0 pytest-xdist==3.8.0
  begin pytest pytest
  clean "$work/venv-pytest-xdist/bin/pytest" -n 2 --junitxml=report.xml >console 2>&1 || true
  keep pytest report.xml pytest-9.2.0-xdist pytest "9.2.0 with xdist 3.8.0" "pytest -n 2 --junitxml=report.xml"
  venv pytest-rerun pytest==9.2.0 pytest-rerunfailures==16.7
  begin pytest pytest-retry
  clean "$work/venv-pytest-rerun/bin/pytest" --reruns 2 --junitxml=report.xml >console 2>&1 || true
  keep pytest report.xml pytest-9.2.0-rerunfailures pytest "9.2.0 with rerunfailures 16.7" "pytest --reruns 2 --junitxml=report.xml"
}

run_unittest() {
  venv xmlrunner unittest-xml-reporting==4.0.0
  begin unittest unittest
  clean "$work/venv-xmlrunner/bin/python" -m xmlrunner discover --output-file report.xml --outsuffix "" >console 2>&1 || true
  keep unittest report.xml xmlrunner-4.0.0 unittest-xml-reporting 4.0.0 \
    'python -m xmlrunner discover --output-file report.xml --outsuffix ""'
}

run_go() {
  begin go go
  GOBIN=$work/bin go install gotest.tools/gotestsum@v1.13.0
  clean "$work/bin/gotestsum" --junitfile report.xml -- -count=1 ./... >console 2>&1 || true
  keep go report.xml gotestsum-1.13.0 gotestsum "1.13.0 with $(go version | cut -d' ' -f3)" \
    "gotestsum --junitfile report.xml -- -count=1 ./..."
  begin go go
  clean "$work/bin/gotestsum" --junitfile report.xml -- -count=3 ./sub/... >console 2>&1 || true
  keep go report.xml gotestsum-1.13.0-count gotestsum "1.13.0 with $(go version | cut -d' ' -f3)" \
    "gotestsum --junitfile report.xml -- -count=3 ./sub/..."
  begin go go-retry
  clean "$work/bin/gotestsum" --rerun-fails=2 --packages ./... --junitfile report.xml -- -count=1 >console 2>&1 || true
  keep go report.xml gotestsum-1.13.0-rerun gotestsum "1.13.0 with $(go version | cut -d' ' -f3)" \
    "gotestsum --rerun-fails=2 --packages ./... --junitfile report.xml -- -count=1"
}

run_jest() {
  local version
  for version in 29.7.0 30.5.2; do
    begin jest jest
    npm_install "jest@$version" jest-junit@17.0.0
    clean env JEST_JUNIT_OUTPUT_FILE=report.xml JEST_JUNIT_ADD_FILE_ATTRIBUTE=true \
      npx jest --ci --reporters=default --reporters=jest-junit >console 2>&1 || true
    keep jest report.xml "jest-$version" jest "$version with jest-junit 17.0.0" \
      "npx jest --ci --reporters=default --reporters=jest-junit"
  done
}

run_vitest() {
  begin vitest vitest
  npm_install vitest@4.1.12
  clean npx vitest run --reporter=default --reporter=junit --outputFile.junit=report.xml >console 2>&1 || true
  keep vitest report.xml vitest-4.1.12 vitest 4.1.12 \
    "npx vitest run --reporter=default --reporter=junit --outputFile.junit=report.xml"
}

run_mocha() {
  begin mocha mocha
  npm_install mocha@12.0.3
  clean npx mocha --reporter dot >console 2>&1 || true
  clean npx mocha --reporter xunit --reporter-option output=report.xml >/dev/null 2>&1 || true
  keep mocha report.xml mocha-12.0.3-xunit mocha 12.0.3 "npx mocha --reporter xunit --reporter-option output=report.xml"
  begin mocha mocha
  npm_install mocha@11.7.5 mocha-junit-reporter@2.2.1
  clean npx mocha --reporter dot >console 2>&1 || true
  clean npx mocha --reporter mocha-junit-reporter --reporter-options mochaFile=report.xml,includePending=true >/dev/null 2>&1 || true
  keep mocha report.xml mocha-11.7.5-junit mocha "11.7.5 with mocha-junit-reporter 2.2.1" \
    "npx mocha --reporter mocha-junit-reporter --reporter-options mochaFile=report.xml,includePending=true"
}

run_node() {
  begin node nodetest
  clean node --test --test-reporter=spec --test-reporter-destination=stdout --test-reporter=junit \
    --test-reporter-destination=report.xml >console 2>&1 || true
  keep node report.xml "node-$(node --version | tr -d v)" node:test "$(node --version)" \
    "node --test --test-reporter=junit --test-reporter-destination=report.xml"
}

# Debian: libgtest-dev
run_googletest() {
  begin googletest gtest
  cmake -S . -B build >/dev/null
  cmake --build build >/dev/null
  clean ./build/t --gtest_output=xml:report.xml >console 2>&1 || true
  keep googletest report.xml googletest-1.12.1 GoogleTest 1.12.1 "./t --gtest_output=xml:report.xml"
  mkdir -p "$here/ctest"
  clean ctest --test-dir build --output-junit report.xml >console 2>&1 || true
  keep ctest build/report.xml "ctest-$(cmake --version | awk 'NR == 1 {print $3}')" CTest \
    "$(cmake --version | awk 'NR == 1 {print $3}')" "ctest --test-dir build --output-junit report.xml"
}

# Debian: catch2
run_catch2() {
  begin catch2 catch2
  g++ -o t t.cc
  clean ./t >console 2>&1 || true
  clean ./t -r junit -o report.xml >/dev/null 2>&1 || true
  keep catch2 report.xml catch2-2.13.10 Catch2 2.13.10 "./t -r junit -o report.xml"
}

# Debian: doctest-dev
run_doctest() {
  begin doctest doctest
  g++ -o t t.cc
  clean ./t >console 2>&1 || true
  clean ./t -r=junit -o=report.xml >/dev/null 2>&1 || true
  keep doctest report.xml doctest-2.4.9 doctest 2.4.9 "./t -r=junit -o=report.xml"
}

# Debian: maven, default-jdk-headless
run_maven() {
  local report
  begin surefire maven
  mvn -B test -Dsurefire.rerunFailingTestsCount=2 >console 2>&1 || true
  for report in target/surefire-reports/TEST-*.xml; do
    strip_properties "$report"
    keep surefire "$report" "$(basename "$report" .xml)" "Maven Surefire" "3.5.4 with JUnit 5.11.4" \
      "mvn -B test -Dsurefire.rerunFailingTestsCount=2"
  done
}

# The JVM's properties name the machine; the reader needs only a few of them.
strip_properties() {
  sed -i -E '/<property name="(os\.name|os\.arch|java\.version)"/b; /<property name=/d' "$1"
}

# Debian: ruby-rspec, ruby-rspec-junit-formatter
run_rspec() {
  begin rspec rspec
  clean rspec --format progress --format RspecJunitFormatter --out report.xml >console 2>&1 || true
  keep rspec report.xml "rspec-$(rspec --version | awk '/rspec-core/ {print $3}')" RSpec \
    "$(rspec --version | awk '/rspec-core/ {print $3}') with rspec_junit_formatter" \
    "rspec --format progress --format RspecJunitFormatter --out report.xml"
}

# Debian: phpunit
run_phpunit() {
  begin phpunit phpunit
  clean phpunit --log-junit report.xml >console 2>&1 || true
  keep phpunit report.xml "phpunit-$(phpunit --version | awk '{print $2}')" PHPUnit "$(phpunit --version | awk '{print $2}')" \
    "phpunit --log-junit report.xml"
}

# Debian: bats
run_bats() {
  begin bats bats
  mkdir -p out
  clean bats --formatter tap --report-formatter junit -o out a.bats b.bats sub/a.bats >console 2>&1 || true
  keep bats out/report.xml "bats-$(bats --version | awk '{print $2}')" bats "$(bats --version | awk '{print $2}')" \
    "bats --report-formatter junit -o out a.bats b.bats sub/a.bats"
}

runners=("$@")
[ ${#runners[@]} -gt 0 ] ||
  runners=(pytest unittest go jest vitest mocha node googletest catch2 doctest maven rspec phpunit bats)
mkdir -p "$work"
for runner in "${runners[@]}"; do
  declare -F "run_$runner" >/dev/null || die 64 "unknown runner '$runner'"
  ("run_$runner")
done
"$python" -B "$here/manifest.py" "$work"
