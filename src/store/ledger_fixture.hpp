// Verbs for the tests of the ledger. Included by *_test.cpp only.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "store/ledger.hpp"
#include "store/ledger_codec.hpp"
#include "testing/temp_dir.hpp"

namespace flakestat::store {

class LedgerTest : public ::testing::Test {
 protected:
  static constexpr std::int64_t kDay = 86'400;
  static constexpr std::int64_t kNow = 1'783'850'000;

  [[nodiscard]] LedgerEvent flaky(const std::string& id) const { return {id, LedgerEvent::Kind::flaky, now_}; }
  [[nodiscard]] LedgerEvent failed(const std::string& id) const { return {id, LedgerEvent::Kind::failed, now_}; }

  [[nodiscard]] LedgerOptions options() const {
    auto options = options_;
    options.age.now = now_;
    return options;
  }

  LedgerWrite record_in(const std::string& dir, const std::string& run, const std::vector<LedgerEvent>& events) const {
    auto done = record_run(dir, run, events, options());
    EXPECT_TRUE(done) << done.error().message;
    return done ? *done : LedgerWrite{};
  }
  LedgerWrite record(const std::string& run, const std::vector<LedgerEvent>& events) const {
    return record_in(dir_, run, events);
  }

  [[nodiscard]] Ledger read() const {
    auto ledger = read_ledger(dir_, options().age);
    EXPECT_TRUE(ledger) << ledger.error().message;
    return ledger ? *ledger : Ledger{};
  }

  [[nodiscard]] std::string ledger_text() const { return testing::slurp(ledger_path(dir_)); }

  static void testing_write(const std::string& path, const std::string& text) { std::ofstream(path) << text; }
  void write_ledger(const std::string& text) const {
    std::filesystem::create_directories(dir_);
    testing_write(ledger_path(dir_), text);
  }

  [[nodiscard]] std::vector<std::string> run_files() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(ledger_folder(dir_)))
      names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
  }

  /// Every file with its content and the time of its last change.
  [[nodiscard]] std::map<std::string, std::pair<std::string, std::filesystem::file_time_type>> snapshot() const {
    std::map<std::string, std::pair<std::string, std::filesystem::file_time_type>> found;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(dir_)) {
      if (entry.is_regular_file())
        found[entry.path().string()] = {testing::slurp(entry.path().string()), entry.last_write_time()};
    }
    return found;
  }

  [[nodiscard]] std::string copy_of_folder(const std::string& name) const {
    auto other = temp_.file(name);
    std::filesystem::copy(dir_, other, std::filesystem::copy_options::recursive);
    return other;
  }
  static void copy_run_files(const std::string& from, const std::string& to) {
    std::filesystem::copy(ledger_folder(from), ledger_folder(to),
                          std::filesystem::copy_options::overwrite_existing | std::filesystem::copy_options::recursive);
  }

  testing::TempDir temp_;
  std::string dir_ = temp_.file("state");
  std::int64_t now_ = kNow;
  LedgerOptions options_;
};

}  // namespace flakestat::store
