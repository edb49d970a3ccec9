#!/usr/bin/env bash
# The benchmark table (make bench): builds the bench preset and the peers, generates a report of BENCH_MB (100) megabytes in one file
# and in 2,000, and logs of 10^5 and 10^6 observations, then measures all in turn (ROUNDS, 7). The table goes to standard output and to
# bench/results/. Takes some minutes; the machine should have little else to do.
# shellcheck source=../scripts/lib.sh
source "$(dirname "$0")/../scripts/lib.sh"
megabytes=${BENCH_MB:-100}
peers=$root/build/peers
work=$root/build/bench-data

scripts/setup.sh build bench >&2
scripts/deps.sh >&2
build bench all >&2

# Peers of other languages: left out, loudly, where the language is missing or too old.
mkdir -p "$peers" bench/results
read -ra libxml2 <<<"$(xml2-config --cflags --libs | tr '\n' ' ')"
g++ -std=c++20 -O3 bench/peers/cpp/xml_peer.cpp -o "$peers/xml_peer" -lpugixml -lexpat "${libxml2[@]}"
g++ -std=c++20 -O3 -I .deps/simdjson -DSIMDJSON_THREADS_ENABLED=1 bench/peers/cpp/ndjson_peer.cpp .deps/simdjson/simdjson.cpp \
  -pthread -o "$peers/ndjson_peer"
optional() {
  local what=$1
  shift
  "$@" >"$peers/$what.log" 2>&1 || echo "bench: the $what peer cannot be built here ($peers/$what.log); its rows are left out" >&2
}
optional rust env CARGO_TARGET_DIR="$peers/rust" cargo build --release --locked --manifest-path bench/peers/rust/Cargo.toml
optional go go build -C bench/peers/go -o "$peers/go/peer" .
optional python scripts/python_env.sh peers bench/peers/python/requirements.txt
ln -sfn "$root/.deps/venv-peers" "$peers/python"

# program NAME: a benchmark program of the bench preset.
program() {
  local found
  found=$(find build/bench -type f -name "$1" -executable | head -n 1)
  [ -n "$found" ] || die 70 "the bench preset built no program '$1'"
  echo "$found"
}

generate=$(program generate_report)
reader_bench=$(program reader_bench)
log_bench=$(program log_bench)
hunt_command=$(program hunt_command)
rm -rf "$work"
mkdir -p "$work"
echo "bench: generating $megabytes MB of reports, and logs" >&2
"$generate" "$((megabytes * 1000000))" "$work/one.xml"
"$generate" "$((megabytes * 1000000))" "$work/many" 2000
for observations in ${BENCH_LOGS:-100000 1000000}; do
  mkdir -p "$work/log-$observations"
  "$log_bench" --generate "$observations" "$work/log-$observations/runs.ndjson"
done

biggest_log=$(find "$work" -maxdepth 1 -name "log-*" | sort -V | tail -n 1)
{
  echo "## $(build/bench/flakestat --version), $(nproc) cores, $(awk -F ': ' '/model name/ {print $2; exit}' /proc/cpuinfo)"
  "$python" -B bench/measure.py "$work" build/bench/flakestat "$peers"
  "$python" -B bench/hunt_overhead.py "$work/hunt" build/bench/flakestat "$hunt_command" "$biggest_log"
  printf '\n### the reader alone, in one process, on the generated report and on the kept ones\n\n'
  "$reader_bench" --rounds 5 "$work/one.xml"
  echo
  "$reader_bench" --rounds 5 tests/reports "${FLAKESTAT_CORPUS:-$root/../shared/corpus/junit}"
} | tee "bench/results/$(date -u +%Y%m%dT%H%M%SZ).md"
rm -rf "$work"
