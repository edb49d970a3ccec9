"""The layer check must find what it is there to find."""

import pathlib
import tempfile
import unittest

import check_layers

TABLE = "# A\n```layers\nbase:\nmodel: base\ninject:\nstore: base model\ntesting: base\n(root): store\n```\n"


class Tree(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = pathlib.Path(self.folder.name)
        self.write("ARCHITECTURE.md", TABLE)
        self.write("src/base/result.hpp", "#include <string>\n")

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def complaints(self):
        return check_layers.check(self.root)[0]

    def assert_found(self, words):
        found = self.complaints()
        self.assertEqual(1, len(found), found)
        self.assertIn(words, found[0])

    def test_what_the_table_allows_is_no_violation(self):
        self.write("src/store/log.cpp", '#include "base/result.hpp"\n#include "store/log.hpp"\n#include <vector>\n')
        self.write("src/main.cpp", '#include "store/log.hpp"\n')
        self.assertEqual(([], 3, 5), check_layers.check(self.root))

    def test_an_include_that_points_up_is_found_with_its_line(self):
        self.write("src/base/bad.cpp", '#include <map>\n#include "store/log.hpp"\n')
        self.assert_found("src/base/bad.cpp:2: 'base' may not include 'store/log.hpp'")

    def test_angle_brackets_and_blanks_hide_nothing(self):
        self.write("src/base/bad.cpp", "  #  include <model/case.hpp>\n")
        self.assert_found("'base' may not include 'model/case.hpp'")

    def test_a_folder_without_a_row_is_found(self):
        self.write("src/extra/x.cpp", "int x;\n")
        self.assert_found("the folder 'extra' is not in the layer table")

    def test_an_include_of_an_unknown_folder_is_found(self):
        self.write("src/store/x.cpp", '#include "util/x.hpp"\n')
        self.assert_found("'util/x.hpp' is in no known layer")

    def test_testing_is_for_tests_only(self):
        self.write("src/store/log_test.cpp", '#include "testing/temp_dir.hpp"\n')
        self.assertEqual([], self.complaints())
        self.write("src/store/log.cpp", '#include "testing/temp_dir.hpp"\n')
        self.assert_found("testing is for tests only")

    def test_a_header_that_includes_testing_is_a_tests_own(self):
        self.write("src/store/fixture.hpp", '#include "testing/temp_dir.hpp"\n')
        self.write("src/store/world.hpp", '#include "store/fixture.hpp"\n')
        self.write("src/store/log_test.cpp", '#include "store/world.hpp"\n')
        self.assertEqual([], self.complaints())
        self.write("src/store/log.cpp", '#include "store/world.hpp"\n')
        self.assert_found("'store/world.hpp' is for tests only, since it includes testing")

    def test_the_root_may_include_only_its_row(self):
        self.write("src/main.cpp", '#include "model/case.hpp"\n')
        self.assert_found("'(root)' may not include 'model/case.hpp'")

    def test_a_subfolder_belongs_to_its_layer(self):
        self.write("src/inject/preload/hooks.cpp", '#include "base/result.hpp"\n')
        self.assert_found("'inject' may not include 'base/result.hpp'")

    def test_relative_includes_are_found(self):
        self.write("src/store/log.hpp", "")
        self.write("src/store/x.cpp", '#include "log.hpp"\n')
        self.assert_found("write 'log.hpp' from src/")
        self.write("src/store/x.cpp", '#include "../base/result.hpp"\n')
        self.assert_found("write '../base/result.hpp' from src/")

    def test_a_table_that_points_down_is_refused(self):
        self.write("ARCHITECTURE.md", "```layers\nbase: model\nmodel:\n```\n")
        with self.assertRaisesRegex(ValueError, "does not stand above"):
            self.complaints()

    def test_a_missing_table_is_refused(self):
        self.write("ARCHITECTURE.md", "nothing\n")
        with self.assertRaisesRegex(ValueError, "no ```layers block"):
            self.complaints()


if __name__ == "__main__":
    unittest.main()
