#include "report/progress.hpp"

#include <gtest/gtest.h>

namespace flakestat::report {
namespace {

TEST(Progress, RunsWithFailuresRateAndEta) {
  EXPECT_EQ(progress_line({.done = 7, .total = 20, .failing = 2, .elapsed_ms = 38'770}, {}),
            "run 7/20  2 failing  5.5s/run  eta 1m12s");
}

TEST(Progress, FastThingsHaveARatePerSecond) {
  EXPECT_EQ(progress_line({.noun = "file", .done = 120, .total = 2000, .failing = {}, .elapsed_ms = 400}, {}),
            "file 120/2000  300/s  eta 6s");
}

TEST(Progress, NothingIsGuessedBeforeTheFirstStep) {
  EXPECT_EQ(progress_line({.done = 0, .total = 20, .failing = 0, .elapsed_ms = 900}, {}), "run 0/20  0 failing");
}

TEST(Progress, UnknownTotalHasNoEta) {
  EXPECT_EQ(progress_line({.noun = "file", .done = 10, .total = 0, .failing = {}, .elapsed_ms = 5}, {}),
            "file 10  2000/s");
}

TEST(Progress, DoneHasNoEta) {
  EXPECT_EQ(progress_line({.done = 2, .total = 2, .failing = {}, .elapsed_ms = 2000}, {}), "run 2/2  1.0s/run");
}

TEST(Progress, IsCutToTheTerminal) {
  EXPECT_EQ(progress_line({.done = 7, .total = 20, .failing = 2, .elapsed_ms = 38'770}, {.width = 12}), "run 7/20  2…");
}

}  // namespace
}  // namespace flakestat::report
