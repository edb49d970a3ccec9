#!/usr/bin/env bash
# Each fuzz target for FUZZ_SECONDS (60), two at a time, seeded with the kept reports. A crash, a leak or an input that
# takes over 10 s fails, and its input stays in build/fuzz-smoke/.
# shellcheck source=scripts/lib.sh
source "$(dirname "$0")/lib.sh"
seconds=${FUZZ_SECONDS:-60}
work=$root/build/fuzz-smoke

scripts/setup.sh build fuzz
scripts/deps.sh
build fuzz all

# The files that a target starts from: its own seeds, and for the readers what the tests keep.
seeds_of() {
  local corpus=${FLAKESTAT_CORPUS:-$root/../shared/corpus/junit} folders=("fuzz/seeds/$1")
  case $1 in
    junit) folders+=(tests/corpus/junit tests/reports "$corpus") ;;
    log) folders+=(tests/data) ;;
  esac
  find "${folders[@]}" -type f \( -name '*.xml' -o -name '*.ndjson' -o -name '*.json' -o -path 'fuzz/seeds/*' \) -size -200k 2>/dev/null || true
}

fuzz() {
  local binary=$1 name seeds
  name=$(basename "$binary" _fuzz)
  mkdir -p "$work/$name/seeds" "$work/$name/corpus"
  seeds_of "$name" | while read -r file; do
    cp "$file" "$work/$name/seeds/$(sha256sum <"$file" | cut -c1-16)"
  done
  seeds=$(find "$work/$name/seeds" -type f | wc -l)
  if "$binary" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len=65536 -print_final_stats=1 \
    -artifact_prefix="$work/$name/" "$work/$name/corpus" "$work/$name/seeds" >"$work/$name.log" 2>&1; then
    grep -q 'inline 8-bit counters' "$work/$name.log" || {
      echo "fuzz: $name: FAILED: built without coverage, so the fuzzer was blind" >&2
      return 1
    }
    echo "fuzz: $name: $(awk '/number_of_executed_units/ {print $2}' "$work/$name.log") inputs from $seeds seeds, no finding"
  else
    grep -nE 'ERROR|SUMMARY|Test unit written|runtime error' "$work/$name.log" | head -20 >&2
    echo "fuzz: $name: FAILED; the input is in $work/$name/, the output in $work/$name.log" >&2
    return 1
  fi
}

rm -rf "$work"
mkdir -p "$work"
mapfile -t targets < <(find build/fuzz -type f -name '*_fuzz' -executable | sort)
[ ${#targets[@]} -gt 0 ] || die 70 "no fuzz target was built below build/fuzz"

code=0
for ((i = 0; i < ${#targets[@]}; i += 2)); do
  running=()
  for target in "${targets[@]:i:2}"; do
    fuzz "$target" &
    running+=($!)
  done
  for pid in "${running[@]}"; do
    wait "$pid" || code=1
  done
done
exit "$code"
