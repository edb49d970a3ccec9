// The suites that are open around a case: what they lend to it, and what they claimed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/junit_time.hpp"
#include "model/case.hpp"

namespace flakestat::formats {

/// A suite's start tag, decoded as far as it matters.
struct SuiteTag {
  std::string_view name;  ///< empty for elements whose name is not a suite's (`testsuites`)
  std::string_view file;
  std::optional<ReportStamp> stamp;
  std::optional<double> seconds;
  std::optional<std::uint64_t> claimed_tests;
  std::optional<std::uint64_t> claimed_failures;  ///< failures and errors
  bool states_skips = false;                      ///< has a `skipped` total
};

/// A suite that ended with other totals than its tag claimed.
struct ClaimMismatch {
  std::string name;
  std::uint64_t claimed_tests = 0, found_tests = 0;
  std::uint64_t claimed_failures = 0, found_failures = 0;
};

class OpenSuites {
 public:
  static constexpr std::size_t kMaxSuites = 16 * 1024;
  static constexpr std::size_t kMaxNames = std::size_t{4} << 20;  ///< bytes of all open names; longer ones are left out

  [[nodiscard]] bool empty() const { return suites_.empty(); }
  [[nodiscard]] bool full() const { return suites_.size() >= kMaxSuites; }
  /// Depth of the innermost suite's element; 0 when none is open.
  [[nodiscard]] std::size_t depth() const { return suites_.empty() ? 0 : suites_.back().depth; }

  void push(std::size_t depth, const SuiteTag& tag, const Counts& counts);
  /// Leaves the innermost suite; what it claimed wrongly, if anything.
  std::optional<ClaimMismatch> pop(const Counts& counts);

  /// Nearest non-empty name and file of the open suites; valid until the next push or pop.
  [[nodiscard]] std::string_view name() const { return view(&Suite::name); }
  [[nodiscard]] std::string_view file() const { return view(&Suite::file); }
  [[nodiscard]] const SharedDimensions& properties() const;
  [[nodiscard]] std::string_view run_id() const;
  /// Whether the innermost suite's tag has a total of skipped cases.
  [[nodiscard]] bool states_skips() const { return !suites_.empty() && suites_.back().states_skips; }

  void set_property(std::string_view name, std::string_view value);
  void set_run_id(std::string_view value);

  /// When the next case of the innermost suite starts, as far as the report says: the suite's stamp and the durations
  /// of the cases before it, never beyond the suite's own time.
  [[nodiscard]] std::optional<ReportStamp> next_start() const;
  /// A case of the innermost suite took so long; unknown: no later start can be derived.
  void add_duration(std::optional<double> milliseconds);

 private:
  struct Range {
    std::size_t at = 0;
    std::size_t size = 0;
  };
  struct Suite {
    std::size_t depth = 0;
    std::size_t names_before = 0;
    Range name, file;
    std::int32_t lent = -1;  ///< index in lent_; -1: nothing lent
    bool owns_lent = false;
    std::optional<ReportStamp> start;
    double elapsed_ms = 0;
    bool elapsed_known = true;
    std::optional<double> total_ms;
    std::optional<std::uint64_t> claimed_tests, claimed_failures;
    std::uint64_t tests_before = 0, failures_before = 0, quarantined_before = 0;
    bool states_skips = false;
  };
  /// What a suite's properties lend to the cases inside.
  struct Lent {
    SharedDimensions properties;
    std::string run_id;
  };

  [[nodiscard]] std::string_view view(Range Suite::*range) const;
  Range keep(std::string_view text, Range inherited);
  Lent& own_lent();

  std::vector<Suite> suites_;
  std::vector<Lent> lent_;
  std::string names_;
};

}  // namespace flakestat::formats
