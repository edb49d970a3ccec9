#include "report/quarantine_findings.hpp"

#include <gtest/gtest.h>

#include "report/samples.hpp"
#include "testing/golden.hpp"

namespace flakestat::report {
namespace {

ListUpdate hostile_update() {
  ListUpdate update;
  update.file = "q \x1b[2J.txt";
  update.changed = true;
  std::size_t line = 0;
  for (const auto& name : samples::hostile_names()) {
    update.added.push_back({"C::" + name, "0123456789abcdef", name, line % 2 == 0 ? "@a" : "", "2027-01-31", "flaky"});
    update.findings.push_back({++line, "recovered", name, "has passed", line % 2 == 0});
  }
  return update;
}

TEST(ListUpdateJson, WithHostileNames) { EXPECT_GOLDEN("quarantine/update.json", list_update_json(hostile_update())); }

TEST(ListCheckJson, WithHostileNames) {
  const auto update = hostile_update();
  EXPECT_GOLDEN("quarantine/validate.json", list_check_json({update.file, 14, true, update.findings}));
}

TEST(FindingLine, SaysWhereWhatAndWhatWasDone) {
  EXPECT_EQ(finding_line("q.txt", {3, "recovered", "C::t", "has passed", true}),
            "q.txt:3: C::t: recovered: has passed; removed");
  EXPECT_EQ(finding_line("q.txt", {4, "unreadable", "", "no entry", false}), "q.txt:4: unreadable: no entry");
}

}  // namespace
}  // namespace flakestat::report
