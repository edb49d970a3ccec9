"""validate_schema.py finds what it looks for: wrong documents, open objects, references that lead nowhere."""

import contextlib
import io
import json
import pathlib
import tempfile
import unittest

try:
    import jsonschema  # noqa: F401
    import validate_schema
except ImportError:
    validate_schema = None

CLOSED = {"type": "object", "additionalProperties": False, "required": ["a"], "properties": {"a": {"type": "integer"}}}


@unittest.skipIf(validate_schema is None, "SKIPPED, NOT PASSED: python3-jsonschema is not installed")
class ValidateSchema(unittest.TestCase):
    def run_on(self, schema, *documents):
        with tempfile.TemporaryDirectory() as folder:
            paths = []
            for index, content in enumerate((schema, *documents)):
                paths.append(pathlib.Path(folder, f"{index}.json"))
                paths[-1].write_text(content if isinstance(content, str) else json.dumps(content))
            with contextlib.redirect_stderr(io.StringIO()) as talk:
                try:
                    code = validate_schema.main([str(path) for path in paths])
                except SystemExit as end:
                    code = end.code
            return code, talk.getvalue()

    def test_a_valid_document_passes(self):
        self.assertEqual(self.run_on(CLOSED, {"a": 1}), (0, ""))

    def test_a_wrong_document_fails_and_is_named(self):
        code, talk = self.run_on(CLOSED, {"a": 1}, {"a": "x"})
        self.assertEqual(code, 1)
        self.assertIn("2.json: $.a: 'x' is not of type 'integer'", talk)

    def test_an_unknown_field_fails(self):
        self.assertEqual(self.run_on(CLOSED, {"a": 1, "b": 2})[0], 1)

    def test_what_is_no_json_fails(self):
        self.assertEqual(self.run_on(CLOSED, "{")[0], 1)

    def test_an_open_object_in_the_schema_fails(self):
        code, talk = self.run_on({"type": "object", "properties": {"a": {}}}, {})
        self.assertEqual(code, 1)
        self.assertIn("additionalProperties is not false", talk)

    def test_a_reference_that_leads_nowhere_fails(self):
        code, talk = self.run_on({"$defs": {}, "type": "array", "items": {"$ref": "#/$defs/gone"}}, [])
        self.assertEqual(code, 1)
        self.assertIn("#/$defs/gone does not resolve", talk)

    def test_usage_and_missing_files_have_their_codes(self):
        with contextlib.redirect_stderr(io.StringIO()):
            self.assertEqual(validate_schema.main(["only.json"]), 64)
            with self.assertRaises(SystemExit) as end:
                validate_schema.main(["/nonexistent/schema.json", "x.json"])
        self.assertEqual(end.exception.code, 66)


if __name__ == "__main__":
    unittest.main()
