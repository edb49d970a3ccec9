#include "adapters/pytest_id.hpp"

#include <gtest/gtest.h>

namespace flakestat::adapters {
namespace {

struct IdCase {
  const char* node_id;
  const char* class_name;
  const char* name;
};

// As pytest 7.4 to 9.2 write them in their own reports.
TEST(PytestId, NamesAreThoseOfPytestsReport) {
  const IdCase cases[] = {
      {"tests/test_a.py::test_x", "tests.test_a", "test_x"},
      {"test_a.py::TestOne::TestInner::test_x", "test_a.TestOne.TestInner", "test_x"},
      {"tests/test_a.py::test_x[a/b::c]", "tests.test_a", "test_x[a/b::c]"},
      {"tests/test_a.py::test_x[[]]", "tests.test_a", "test_x[[]]"},
      {"a.b/test_c.py::test_x", "a.b.test_c", "test_x"},
      {"docs/guide.rst::guide.rst", "docs.guide.rst", "guide.rst"},
      {"pkg/mod.py::pkg.mod.f", "pkg.mod", "pkg.mod.f"},
      {"test_a.py::test_x[\x1b[31m]", "test_a", "test_x[#x1B[31m]"},
  };
  for (const auto& each : cases) {
    const auto test = pytest_test(each.node_id, "f.py", {});
    EXPECT_EQ(test.suite, "pytest");
    EXPECT_EQ(test.class_name, each.class_name) << each.node_id;
    EXPECT_EQ(test.name, each.name) << each.node_id;
    EXPECT_EQ(test.id, each.node_id);
    EXPECT_EQ(test.test_id, flakestat::test_id(test.suite, test.class_name, test.name));
  }
}

TEST(PytestId, SuiteAndPrefixAreThoseOfTheConfiguration) {
  const auto test = pytest_test("test_a.py::test_x", "test_a.py", {"mine", "pre.fix", ""});
  EXPECT_EQ(test.suite, "mine");
  EXPECT_EQ(test.class_name, "pre.fix.test_a");
}

TEST(PytestId, BelowAProjectsFolderNamesAreRootRelative) {
  const auto test = pytest_test("tests/test_a.py::test_x", "tests/test_a.py", {"pytest", "", "libs/one"});
  EXPECT_EQ(test.id, "libs/one/tests/test_a.py::test_x");
  EXPECT_EQ(test.file, "libs/one/tests/test_a.py");
  EXPECT_EQ(test.class_name, "libs.one.tests.test_a");
}

}  // namespace
}  // namespace flakestat::adapters
