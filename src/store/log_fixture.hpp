// Verbs for the tests of the log. Included by *_test.cpp only.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "store/append_log.hpp"
#include "store/log_reader.hpp"
#include "store/observation_codec.hpp"
#include "testing/temp_dir.hpp"

namespace flakestat::store {

/// The full counts of `make soak` instead of those of every day.
inline bool is_soak() { return std::getenv("FLAKESTAT_SOAK") != nullptr; }
inline int soak_or(int full, int usual) { return is_soak() ? full : usual; }

/// A plain observation, distinct by `name`; its exec_key follows from the name.
inline Observation observation(const std::string& name, UnixMillis ts = 1'786'960'800'123) {
  Observation o;
  o.ts = ts;
  o.run_id = "20260817T100000-9f2ac1";
  o.commit = "abc123";
  o.branch = "main";
  o.suite = "tests.api";
  o.class_name = "TestAuth";
  o.name = name;
  o.test_id = test_id(o.suite, o.class_name, o.name);
  o.duration_ms = 412;
  o.dimensions = {{"arch", "amd64"}, {"os", "linux"}};
  o.artifact = "00112233445566778899aabbccddeeff";
  o.exec_key = to_hex(test_id("key", "", name));
  return o;
}

inline std::vector<Observation> observations(const std::string& prefix, int count) {
  std::vector<Observation> batch;
  for (int i = 0; i < count; ++i) batch.push_back(observation(prefix + std::to_string(i)));
  return batch;
}

class LogTest : public ::testing::Test {
 protected:
  testing::TempDir temp_;
  std::string dir_ = temp_.file("state");

  AppendResult append(const std::vector<Observation>& batch) {
    auto result = store::append(dir_, batch);
    EXPECT_TRUE(result.ok()) << result.error().message;
    return result ? *result : AppendResult{};
  }

  std::string log() const { return testing::slurp(log_path(dir_)); }
  void write_log(std::string_view content) const { (void)temp_.write("state/runs.ndjson", content); }

  /// Names of the observations, in order; the account must always balance.
  std::vector<std::string> names() {
    std::vector<std::string> found;
    auto stats = read_log(dir_, [&](const ObservationView& view) { found.emplace_back(view.name); });
    EXPECT_TRUE(stats.ok());
    if (stats) stats_ = *stats;
    EXPECT_EQ(stats_.accounted(), stats_.bytes);
    return found;
  }

  ReadStats stats_;
};

}  // namespace flakestat::store
