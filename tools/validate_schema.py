#!/usr/bin/env python3
"""Validates JSON documents against a JSON Schema: validate_schema.py SCHEMA FILE...

Also checks the schema itself: every object that lists properties must be closed (additionalProperties: false) and
local references must resolve, so that a renamed field cannot pass unnoticed.

Exit codes: 0 all valid, 1 a document or the schema is wrong, 64 usage, 66 a file is missing, 77 jsonschema is missing.
"""
import json
import sys

try:
    import jsonschema
except ImportError:
    print("validate_schema: SKIPPED: python3-jsonschema is not installed", file=sys.stderr)
    sys.exit(77)


def load(path):
    try:
        with open(path, encoding="utf-8") as source:
            return json.load(source)
    except OSError as error:
        print(f"validate_schema: {path}: {error.strerror}", file=sys.stderr)
        sys.exit(66)
    except ValueError as error:
        print(f"validate_schema: {path}: not JSON: {error}", file=sys.stderr)
        sys.exit(1)


def weaknesses(node, root, where="#"):
    """Objects that are open and references that lead nowhere."""
    if isinstance(node, list):
        for index, child in enumerate(node):
            yield from weaknesses(child, root, f"{where}/{index}")
    if not isinstance(node, dict):
        return
    if "properties" in node and node.get("additionalProperties") is not False:
        yield f"{where}: additionalProperties is not false"
    reference = node.get("$ref")
    if isinstance(reference, str):
        name = reference.removeprefix("#/$defs/")
        if name == reference or name not in root.get("$defs", {}):
            yield f"{where}: {reference} does not resolve"
    for key, child in node.items():
        yield from weaknesses(child, root, f"{where}/{key}")


def complain(path, problems):
    for problem in problems:
        print(f"validate_schema: {path}: {problem}", file=sys.stderr)
    return bool(problems)


def main(arguments):
    if len(arguments) < 2:
        print("usage: validate_schema.py SCHEMA FILE...", file=sys.stderr)
        return 64
    schema = load(arguments[0])
    jsonschema.Draft202012Validator.check_schema(schema)
    failed = complain(arguments[0], list(weaknesses(schema, schema)))
    validator = jsonschema.Draft202012Validator(schema)
    for path in arguments[1:]:
        errors = sorted(validator.iter_errors(load(path)), key=lambda error: list(map(str, error.absolute_path)))
        failed |= complain(path, [f"{error.json_path}: {error.message}" for error in errors[:20]])
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
