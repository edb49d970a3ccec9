#include "report/ledger.hpp"

#include <gtest/gtest.h>

#include "testing/golden.hpp"

namespace flakestat::report {
namespace {

std::vector<LedgerRow> rows() {
  return {{"tests/test_b.py::test_hard", {0, 4, 1783760000, 1783760000}},
          {"tests/test_a.py::test_y", {7, 2, 1783850000, 1783760000}},
          {"tests/test_a.py::test_x[1]", {7, 2, 1783850000, 1783760000}},
          {"tests/test_c.py::test_once", {1, 0, 1783000000, 0}},
          {"tests/test_c.py::test_undated", {1, 0, 0, 0}},
          {"evil\x1b[31m\n::error::x", {12, 0, 1783850000, 0}}};
}

LedgerChange change() {
  LedgerChange change;
  change.action = "merge";
  change.files = {{"shard\x1b[1m/flakes.json", true, 1}, {"other/flakes.d", false, 4}};
  change.missing = {"gone"};
  change.rejected = {"bad"};
  change.runs = 5;
  change.new_runs = 2;
  change.tests = 12;
  change.changed = true;
  change.moved_away = "dir/flakes.json.damaged-1";
  return change;
}

TEST(LedgerReport, RanksByFlakyRunsThenByFailedOnesThenByTheLastTime) {
  EXPECT_GOLDEN("ledger/show.txt", ledger_table(rank_ledger(rows(), std::nullopt, 90), {}));
}

TEST(LedgerReport, TopSaysHowManyItLeavesOut) {
  EXPECT_GOLDEN("ledger/top.txt", ledger_table(rank_ledger(rows(), 2, 0), {}));
}

TEST(LedgerReport, AnEmptyLedgerIsNoTable) {
  EXPECT_EQ(ledger_table(rank_ledger({}, std::nullopt, 90), {}), "");
  EXPECT_EQ(ledger_json(rank_ledger({}, std::nullopt, 90), text::JsonStyle::compact),
            "{\"retention_days\":90,\"total\":0,\"tests\":[]}\n");
}

TEST(LedgerReport, JsonHasWhatTheTableHas) {
  EXPECT_GOLDEN("ledger/show.json", ledger_json(rank_ledger(rows(), std::nullopt, 90)));
}

TEST(LedgerReport, AFarFutureIsADayAndNoOverflow) {
  const auto table = ledger_table(rank_ledger({{"t", {1, 0, 1'000'000'000'000'000, 0}}}, std::nullopt, 90), {});
  EXPECT_NE(table.find("9999-12-31"), std::string::npos) << table;
}

TEST(LedgerReport, AChangeSaysWhatCameAndWhatCannotBeToldApart) {
  EXPECT_GOLDEN("ledger/change.txt", ledger_change_text(change()));
  EXPECT_EQ(ledger_change_text({}),
            "0 runs with flaky or failed tests, 0 new; 0 tests in the ledger (nothing changed)\n");
}

TEST(LedgerReport, AChangeAsJson) { EXPECT_GOLDEN("ledger/change.json", ledger_change_json(change())); }

}  // namespace
}  // namespace flakestat::report
