// One pass over one report: the JUnit meaning of the scanner's events. Internal to the reader; tests set its limits.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "formats/junit_case.hpp"
#include "formats/junit_elements.hpp"
#include "formats/junit_reader.hpp"
#include "formats/junit_suites.hpp"
#include "text/open_elements.hpp"
#include "text/xml_scanner.hpp"

namespace flakestat::formats {

class JunitScan {
 public:
  JunitScan(text::ReadBytes read, const std::function<void(Case&&)>& on_case, text::XmlLimits limits);

  [[nodiscard]] Result<JunitSummary> run(Rejection* rejection);

 private:
  enum class Found : std::uint8_t { root, nothing, failed };

  // the report as a whole
  Found find_root();
  Found find_further_root();
  void document();
  [[nodiscard]] Result<JunitSummary> reject(Rejection* rejection, std::string_view why) const;
  void damage(std::string reason);
  void check_end();
  void write_notes();

  // elements
  void start();
  void end();
  void leave(bool by_own_tag);
  void open(Element element);
  [[nodiscard]] bool at_structure() const;
  void start_suite(Element element);
  void start_result(Element element);
  void property();
  void finish_case();

  text::XmlScanner scanner_;
  const std::function<void(Case&&)>& on_case_;
  const bool full_;
  text::OpenElements open_;
  text::NameTable names_{id_of(Element::unknown) + 1};
  OpenSuites suites_;
  CaseStack cases_;
  JunitSummary summary_;
  std::string suite_name_;  ///< decoding space
  std::string suite_file_;
  bool stop_ = false;

  // for the notes
  std::string rejected_root_;
  std::uint64_t mismatches_ = 0;
  std::optional<ClaimMismatch> first_mismatch_;
  std::uint64_t suite_level_results_ = 0;
  std::uint64_t inert_results_ = 0;
  std::uint64_t stray_cases_ = 0;
  std::uint64_t counted_as_written_ = 0;
};

}  // namespace flakestat::formats
