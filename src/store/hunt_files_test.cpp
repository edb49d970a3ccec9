#include "store/hunt_files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <set>

#include "testing/temp_dir.hpp"

namespace flakestat::store {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class HuntFiles : public ::testing::Test {
 protected:
  void write(const std::string& run_id, UnixMillis started) const {
    HuntRecord record;
    record.run_id = run_id;
    record.started = started;
    record.directory = "/d";
    record.commands = {{{"true"}, false, {}}};
    ASSERT_TRUE(write_hunt(dir(), record).ok());
  }
  [[nodiscard]] std::string dir() const { return folder_.file("state"); }
  [[nodiscard]] std::string found(std::string_view prefix) const {
    const auto record = find_hunt(dir(), prefix);
    return record ? record->run_id : "error: " + record.error().message;
  }

  testing::TempDir folder_;
};

TEST_F(HuntFiles, WithoutAPrefixItIsTheHuntThatBeganLast) {
  write("b", 2000);
  write("a", 3000);
  write("c", 1000);  // the last to be written
  EXPECT_EQ(found(""), "a");
}

TEST_F(HuntFiles, AnUnambiguousPrefixIsEnough) {
  write("20260609T101320-9f2ac1", 1);
  write("20260610T101320-000000", 2);
  EXPECT_EQ(found("20260609"), "20260609T101320-9f2ac1");
  EXPECT_THAT(found("2026"), HasSubstr("2 hunts begin with \"2026\": 20260609T101320-9f2ac1, 20260610T101320-000000"));
}

TEST_F(HuntFiles, AWholeRunIdWinsOverLongerOnes) {
  write("job-1", 1);
  write("job-12", 2);
  EXPECT_EQ(found("job-1"), "job-1");
}

TEST_F(HuntFiles, NoHuntIsSaid) {
  EXPECT_THAT(found(""), HasSubstr("no hunt is recorded in"));
  write("a", 1);
  EXPECT_THAT(found("x"), HasSubstr("begins with \"x\""));
}

TEST_F(HuntFiles, RunIdsOfAnyKindAreFileNamesOfTheirOwn) {
  const std::vector<std::string> run_ids = {
      "../../etc/passwd",         "..", ".", "a/b", "a%2Fb", "A", "a", " ", "\xff\n", std::string(200, '/'),
      std::string(199, '/') + "x"};
  std::set<std::string> names;
  for (const auto& run_id : run_ids) {
    const auto path = hunt_file(dir(), run_id);
    EXPECT_EQ(fs::path(path).parent_path().string(), dir() + "/hunts");
    EXPECT_LE(fs::path(path).filename().string().size(), 255U);
    names.insert(path);
    write(run_id, 1);
    EXPECT_EQ(found(run_id), run_id);
  }
  EXPECT_EQ(names.size(), run_ids.size());
}

TEST_F(HuntFiles, ADamagedRecordIsAnErrorAndNotAnotherHunt) {
  write("a", 1);
  folder_.write("state/hunts/b.json", "{\"version\":1");
  EXPECT_THAT(found(""), HasSubstr("b.json"));
  EXPECT_EQ(found("a"), "a");
}

class Prune : public HuntFiles {
 protected:
  static bool all(const fs::directory_entry& /*entry*/) { return true; }
  void add(const std::string& name, int days_ago) const {
    folder_.write("f/" + name + "/output.txt", "x");
    fs::last_write_time(folder_.file("f/" + name),
                        fs::file_time_type::clock::now() - std::chrono::hours(24 * days_ago));
  }
  std::set<std::string> left(const KeepRule& rule) const {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    prune_oldest(folder_.file("f"), rule, std::chrono::duration_cast<std::chrono::milliseconds>(now).count(), all);
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_.file("f"))) names.insert(entry.path().filename());
    return names;
  }
};

TEST_F(Prune, TheNewestAreKept) {
  for (int i = 1; i <= 5; ++i) add(std::to_string(i), i);
  EXPECT_EQ(left({3, 90}), (std::set<std::string>{"1", "2", "3"}));
}

TEST_F(Prune, WhatIsTooOldGoes) {
  add("old", 91);
  add("new", 89);
  EXPECT_EQ(left({100, 90}), (std::set<std::string>{"new"}));
}

TEST_F(Prune, AFolderThatIsNotThereIsNoProblem) { prune_oldest(folder_.file("none"), {}, 0, all); }

TEST_F(Prune, NothingBehindALinkIsRemoved) {
  add("old", 1000);
  fs::create_directory_symlink(folder_.file("f"), folder_.file("link"));
  prune_oldest(folder_.file("link"), {}, 4'000'000'000'000, all);
  EXPECT_TRUE(fs::exists(folder_.file("f/old/output.txt")));
}

TEST_F(Prune, OfTheHuntsFolderOnlyRecordsGo) {
  for (const auto* name : {"r.json", "r.json.aB3xYz", "notes.txt", "r.json.backup.of.mine"}) {
    folder_.write(std::string("state/hunts/") + name, "x");
  }
  prune_hunts(dir(), 4'000'000'000'000);
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(dir() + "/hunts")) names.insert(entry.path().filename());
  EXPECT_EQ(names, (std::set<std::string>{"notes.txt", "r.json.backup.of.mine"}));
}

TEST_F(HuntFiles, NothingIsWrittenBehindALink) {
  folder_.write("elsewhere/x", "x");
  folder_.write("state/lock", "");
  fs::create_directory_symlink(folder_.file("elsewhere"), dir() + "/hunts");
  HuntRecord record;
  record.run_id = "r";
  record.directory = "/d";
  const auto written = write_hunt(dir(), record);
  ASSERT_FALSE(written.ok());
  EXPECT_THAT(written.error().message, HasSubstr("hunts is a link"));
  EXPECT_FALSE(fs::exists(folder_.file("elsewhere/r.json")));

  fs::remove(dir() + "/hunts");
  fs::create_directory(dir() + "/hunts");
  fs::create_symlink(folder_.file("elsewhere/x"), dir() + "/hunts/r.json");
  EXPECT_FALSE(write_hunt(dir(), record).ok());
  EXPECT_EQ(testing::slurp(folder_.file("elsewhere/x")), "x");
}

}  // namespace
}  // namespace flakestat::store
