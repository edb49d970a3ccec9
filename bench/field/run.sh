#!/usr/bin/env bash
# The field bench: hunts documented flakes before and after their fixes, and prints one table. See README.md here, or --help.
exec "${PYTHON:-python3}" -B "$(dirname "${BASH_SOURCE[0]}")/field.py" "$@"
