"""The path check must find a mention of a file that is gone, and must not invent one."""

import pathlib
import tempfile
import unittest

import check_doc_paths


class Mentions(unittest.TestCase):
    def complaints(self, text):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "src" / "store").mkdir(parents=True)
            (root / "src" / "store" / "append_log.hpp").write_text("")
            (root / "README.md").write_text(text)
            return check_doc_paths.check(root)[0]

    def test_existing_paths_are_fine(self):
        self.assertEqual([], self.complaints("`src/store/` `store/append_log.hpp` `src/*/append_log.hpp` [me](README.md)"))

    def test_gone_paths_are_found(self):
        for text in ["`src/store/gone.hpp`", "`store/gone.hpp`", "`scripts/gone.sh`", "`GONE.md`", "[x](docs/gone.md)"]:
            self.assertEqual(1, len(self.complaints(text)), text)

    def test_other_words_are_no_paths(self):
        text = "`a/b` `report.xml` `--dir=x/y` `https://a.b/c` `.flakestat/runs.ndjson`\n```\n`src/gone.hpp`\n```\n"
        self.assertEqual([], self.complaints(text))


if __name__ == "__main__":
    unittest.main()
