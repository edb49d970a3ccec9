// Which execution a record is of: exec_key and artifact (design, section 3). Nothing about when or where a report was
// read enters them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/sha256.hpp"
#include "model/dimensions.hpp"
#include "model/identity.hpp"

namespace flakestat {

/// Keys of the executions in one report. The sequence that is digested, each part as `<len>:<bytes>`: canonical
/// dimensions, report path (empty when the report carries a timestamp), the report's SHA-256 as 64 hex digits, then
/// test_id as 16 hex digits and the ordinal of that test in that report as a decimal number.
class ReportKeys {
 public:
  ReportKeys(const Dimensions& dimensions, std::string_view path, const Sha256Digest& report);

  /// 32 hex digits: the sequence without test_id and ordinal.
  [[nodiscard]] const std::string& artifact() const { return artifact_; }
  /// 16 hex digits.
  [[nodiscard]] std::string exec_key(TestId test, std::uint64_t ordinal) const;
  /// The same into a string that is used again.
  void exec_key(TestId test, std::uint64_t ordinal, std::string& out) const;

 private:
  Sha256 prefix_;
  std::string artifact_;
};

/// The key of an execution that `hunt` or `run` made itself, 16 hex digits: the digest of run_id, repetition, attempt
/// and test_id, each length-prefixed. In a hunt `attempt` is the run's number.
[[nodiscard]] std::string run_exec_key(std::string_view run_id, std::int64_t repetition, std::int64_t attempt,
                                       TestId test);

}  // namespace flakestat
