#include "run/report_slot.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "testing/temp_dir.hpp"

namespace flakestat::run {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class ReportSlotTest : public ::testing::Test {
 protected:
  ReportSlot prepare(const std::string& name) {
    auto slot = ReportSlot::prepare(folder_.file(name));
    EXPECT_TRUE(slot.ok()) << (slot.ok() ? "" : slot.error().message);
    return std::move(slot).value();
  }
  std::vector<std::string> files() {
    std::vector<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator(folder_.path())) {
      if (entry.is_regular_file()) names.push_back(fs::relative(entry.path(), folder_.path()));
    }
    std::sort(names.begin(), names.end());
    return names;
  }
  std::string content(const std::string& name) { return testing::slurp(folder_.file(name)); }

  testing::TempDir folder_;
};

TEST_F(ReportSlotTest, AReportThatAppearedIsFresh) {
  const auto slot = prepare("r.xml");
  folder_.write("r.xml", "new");
  const auto fresh = slot.collect();
  EXPECT_EQ(fresh.state, ReportState::whole);
  EXPECT_THAT(fresh.paths, ElementsAre(folder_.file("r.xml")));
}

TEST_F(ReportSlotTest, NoReportIsMissing) {
  const auto fresh = prepare("r.xml").collect();
  EXPECT_EQ(fresh.state, ReportState::missing);
  EXPECT_THAT(fresh.problem, HasSubstr("no report at " + folder_.file("r.xml")));
}

TEST_F(ReportSlotTest, AnOldReportIsNotSeenAndComesBackUntouched) {
  folder_.write("r.xml", "old");
  {
    const auto slot = prepare("r.xml");
    EXPECT_FALSE(fs::exists(folder_.file("r.xml")));
    EXPECT_EQ(slot.collect().state, ReportState::missing);
  }
  EXPECT_THAT(files(), ElementsAre("r.xml"));
  EXPECT_EQ(content("r.xml"), "old");
}

TEST_F(ReportSlotTest, ANewReportReplacesTheOldAsWithoutUs) {
  folder_.write("r.xml", "old");
  {
    const auto slot = prepare("r.xml");
    folder_.write("r.xml", "new");
  }
  EXPECT_THAT(files(), ElementsAre("r.xml"));
  EXPECT_EQ(content("r.xml"), "new");
}

TEST_F(ReportSlotTest, AReportWithTheSameBytesWrittenAtOnceIsFresh) {
  folder_.write("r.xml", "same");
  const auto slot = prepare("r.xml");
  folder_.write("r.xml", "same");
  EXPECT_EQ(slot.collect().state, ReportState::whole);
}

TEST_F(ReportSlotTest, ACopyThatKeptAnOldTimeIsStale) {
  const auto slot = prepare("r.xml");
  folder_.write("r.xml", "cached");
  const timespec hour_ago{::time(nullptr) - 3600, 5};
  const timespec times[2] = {hour_ago, hour_ago};
  ASSERT_EQ(::utimensat(AT_FDCWD, folder_.file("r.xml").c_str(), times, 0), 0);
  const auto fresh = slot.collect();
  EXPECT_EQ(fresh.state, ReportState::stale);
  EXPECT_THAT(fresh.problem, HasSubstr("written before the run"));
}

TEST_F(ReportSlotTest, AnEmptyFileIsNoReport) {
  const auto slot = prepare("r.xml");
  folder_.write("r.xml", "");
  EXPECT_EQ(slot.collect().state, ReportState::empty);
}

TEST_F(ReportSlotTest, FoldersAreMade) {
  const auto slot = prepare("a/b/r.xml");
  EXPECT_TRUE(fs::is_directory(folder_.path() / "a/b"));
}

TEST_F(ReportSlotTest, NothingOfOursIsLeftInTheFolder) {
  { const auto slot = prepare("r.xml"); }
  EXPECT_THAT(files(), IsEmpty());
}

TEST_F(ReportSlotTest, GlobsSetAsideAndCollectEveryMatch) {
  folder_.write("m/a/T-1.xml", "old");
  folder_.write("m/b/T-2.xml", "old");
  folder_.write("m/b/other.xml", "kept");
  {
    const auto slot = prepare("m/**/T-*.xml");
    EXPECT_THAT(slot.collect().paths, IsEmpty());
    folder_.write("m/b/T-2.xml", "new");
    folder_.write("m/c/T-3.xml", "new");
    EXPECT_THAT(slot.collect().paths, ElementsAre(folder_.file("m/b/T-2.xml"), folder_.file("m/c/T-3.xml")));
  }
  EXPECT_THAT(files(), ElementsAre("m/a/T-1.xml", "m/b/T-2.xml", "m/b/other.xml", "m/c/T-3.xml"));
  EXPECT_EQ(content("m/a/T-1.xml"), "old");
  EXPECT_EQ(content("m/b/T-2.xml"), "new");
}

TEST_F(ReportSlotTest, AGlobThatMatchesAsideNamesLeavesThemAlone) {
  folder_.write("m/r", "old");
  {
    const auto slot = prepare("m/*");
    EXPECT_THAT(slot.collect().paths, IsEmpty());
  }
  EXPECT_THAT(files(), ElementsAre("m/r"));
}

TEST_F(ReportSlotTest, WhatACrashLeftAsideIsPutBack) {
  folder_.write("r.xml.before-hunt", "old");
  folder_.write("m/T-1.xml.before-hunt", "old");
  {
    const auto slot = prepare("r.xml");
    const auto glob = prepare("m/T-*.xml");
    EXPECT_EQ(slot.collect().state, ReportState::missing);
  }
  EXPECT_THAT(files(), ElementsAre("m/T-1.xml", "r.xml"));
}

TEST_F(ReportSlotTest, WhatACrashLeftAsideYieldsToANewerReport) {
  folder_.write("r.xml.before-hunt", "older");
  folder_.write("r.xml", "old");
  { const auto slot = prepare("r.xml"); }
  EXPECT_THAT(files(), ElementsAre("r.xml"));
  EXPECT_EQ(content("r.xml"), "old");
}

TEST_F(ReportSlotTest, ALinkStaysALink) {
  folder_.write("real/r.xml", "old");
  fs::create_symlink("real/r.xml", folder_.file("r.xml"));
  {
    const auto slot = prepare("r.xml");
    EXPECT_EQ(slot.collect().state, ReportState::missing);
    folder_.write("r.xml", "new");
    EXPECT_EQ(slot.collect().state, ReportState::whole);
  }
  EXPECT_TRUE(fs::is_symlink(folder_.file("r.xml")));
  EXPECT_EQ(content("real/r.xml"), "new");
  EXPECT_THAT(files(), ::testing::Not(::testing::Contains(HasSubstr("before-hunt"))));
}

TEST_F(ReportSlotTest, ALinkToNothingIsWrittenThrough) {
  fs::create_directory(folder_.path() / "real");
  fs::create_symlink("real/r.xml", folder_.file("r.xml"));
  {
    const auto slot = prepare("r.xml");
    folder_.write("r.xml", "new");
    EXPECT_EQ(slot.collect().state, ReportState::whole);
  }
  EXPECT_TRUE(fs::is_symlink(folder_.file("r.xml")));
  EXPECT_EQ(content("real/r.xml"), "new");
}

TEST_F(ReportSlotTest, ALinkedReportOfACopyIsReadInTheCopy) {
  const auto slot = prepare("r.xml");
  folder_.write("real/r.xml", "of another run");
  const auto root = folder_.file("copy");
  folder_.write("copy" + folder_.file("real/r.xml"), "of the copy");
  fs::create_symlink(folder_.file("real/r.xml"), root + folder_.file("r.xml"));
  const auto fresh = slot.collect(root);
  ASSERT_THAT(fresh.paths, ElementsAre(root + folder_.file("real/r.xml")));
  EXPECT_EQ(testing::slurp(fresh.paths.front()), "of the copy");
}

TEST_F(ReportSlotTest, AFolderIsRefusedWithTheGlobToUse) {
  fs::create_directory(folder_.path() / "reports");
  const auto slot = ReportSlot::prepare(folder_.file("reports"));
  ASSERT_FALSE(slot.ok());
  EXPECT_EQ(slot.error().kind, ErrorKind::usage);
  EXPECT_THAT(slot.error().message, HasSubstr("reports/*.xml"));
}

TEST_F(ReportSlotTest, ADeviceIsRefused) {
  const auto slot = ReportSlot::prepare("/dev/null");
  ASSERT_FALSE(slot.ok());
  EXPECT_EQ(slot.error().kind, ErrorKind::usage);
}

TEST(OldCopy, OldContentPutThereDuringTheRunIsACopy) {
  EXPECT_TRUE(is_old_copy({100, 5}, {99, 999}, {100, 5}));
  EXPECT_FALSE(is_old_copy({100, 5}, {100, 5}, {100, 5}));
  EXPECT_FALSE(is_old_copy({100, 5}, {101, 0}, {101, 9}));
}

TEST(OldCopy, AClockThatWasSetBackIsNoCopy) { EXPECT_FALSE(is_old_copy({100, 5}, {40, 7}, {40, 7})); }

TEST(OldCopy, WholeSecondsOfAnArchiveMayBeTwoSecondsEarly) {
  EXPECT_FALSE(is_old_copy({100, 5}, {98, 0}, {101, 0}));
  EXPECT_TRUE(is_old_copy({100, 5}, {97, 0}, {101, 0}));
}

TEST_F(ReportSlotTest, TheReportOfARerunDoesNotReplaceThatOfTheWholeRun) {
  folder_.write("r.xml", "whole");
  {
    auto slot = prepare("r.xml");
    slot.keep_old();
    folder_.write("r.xml", "one test");
    EXPECT_EQ(slot.collect().state, ReportState::whole);
  }
  EXPECT_EQ(content("r.xml"), "whole");
  EXPECT_THAT(files(), ElementsAre("r.xml"));
}

}  // namespace
}  // namespace flakestat::run
