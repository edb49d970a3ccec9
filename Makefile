# Every target is one readable script in scripts/; they install what they need (scripts/setup.sh).
.PHONY: help demo test lint bench soak golden fuzz-smoke format clean

help:
	@echo "make demo        build, then hunt the bundled flaky suite and print the scored table"
	@echo "make test        everything CI checks: fuzz smoke, sanitizers, all tests"
	@echo "make lint        formatting, clang-tidy, shell and Python checks"
	@echo "make format      format the C++ sources in place"
	@echo "make golden      rewrite the golden files of the tests; review the diff"
	@echo "make bench       the benchmark table, against the libraries that others use"
	@echo "make soak        the long versions of the durability, fuzz and load tests"
	@echo "make fuzz-smoke  each fuzz target for a minute"
	@echo "make clean       remove build/ (keeps .deps/, the fetched dependencies)"

demo test lint soak golden format:
	@scripts/$@.sh

bench:
	@bench/run.sh

fuzz-smoke:
	@scripts/fuzz_smoke.sh

clean:
	rm -rf build
