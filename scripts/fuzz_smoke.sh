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

# The folders whose files a target starts from: its own seeds, and the reports for those that read reports.
seeds_of() {
  local name=$1
  find "$root/fuzz/seeds/${name#fuzz_}" -type f 2>/dev/null || true
  case $name in
    *junit* | *reader*)
      find "$root/tests/corpus/junit" "$root/tests/reports" "${FLAKESTAT_CORPUS:-$root/../shared/corpus/junit}" \
        -name '*.xml' -type f -size -200k 2>/dev/null || true
      ;;
  esac
}

fuzz() {
  local binary=$1 name seeds
  name=$(basename "$binary")
  mkdir -p "$work/$name/seeds" "$work/$name/corpus"
  seeds_of "$name" | while read -r file; do
    cp "$file" "$work/$name/seeds/$(sha256sum <"$file" | cut -c1-16)"
  done
  seeds=$(find "$work/$name/seeds" -type f | wc -l)
  if "$binary" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len=65536 -print_final_stats=1 \
    -artifact_prefix="$work/$name/" "$work/$name/corpus" "$work/$name/seeds" >"$work/$name.log" 2>&1; then
    echo "fuzz: $name: $(awk '/number_of_executed_units/ {print $2}' "$work/$name.log") inputs from $seeds seeds, no finding"
  else
    grep -nE 'ERROR|SUMMARY|Test unit written|runtime error' "$work/$name.log" | head -20 >&2
    echo "fuzz: $name: FAILED; the input is in $work/$name/, the output in $work/$name.log" >&2
    return 1
  fi
}

rm -rf "$work"
mkdir -p "$work"
mapfile -t targets < <(find build/fuzz -type f -name 'fuzz_*' -executable | sort)
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
