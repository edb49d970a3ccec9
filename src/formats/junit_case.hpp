// The cases that are open, from their start tags to what they come to.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "formats/junit_outcome.hpp"
#include "formats/junit_suites.hpp"
#include "model/case.hpp"
#include "text/xml_scanner.hpp"

namespace flakestat::formats {

/// Decodes an attribute that is part of an identity into `out`.
void assign_name(std::string& out, std::string_view raw, const text::EntityTable& entities);

/// The properties that a report may tell about its environment; others are not kept.
[[nodiscard]] bool is_recognised_property(std::string_view name);

inline constexpr std::string_view kExecKeyProperty = "flakestat.exec_key";
inline constexpr std::string_view kRunIdProperty = "flakestat.run_id";
inline constexpr std::string_view kNotRunProperty = "flakestat.not_run";
inline constexpr std::string_view kQuarantinedProperty = "quarantined";

/// One open `<testcase>`.
struct OpenCase {
  std::size_t depth = 0;
  ResultMarks marks;
  Case value;                           ///< only filled when cases are kept
  std::array<std::string, 5> messages;  ///< of the first error, failure, rerunError, rerunFailure, skipped
  std::array<bool, 5> has_message{};
  std::optional<ReportStamp> stamp;
  Dimensions own_properties;
};

/// Cases hardly ever nest, but nothing stops a report from nesting them. Slots are reused: a case that its consumer did
/// not move out keeps its memory for the next one.
class CaseStack {
 public:
  static constexpr std::size_t kMaxCases = 64;

  explicit CaseStack(bool full) : full_(full), slots_(1) {}

  [[nodiscard]] bool empty() const { return used_ == 0; }
  [[nodiscard]] std::size_t size() const { return used_; }
  [[nodiscard]] bool full() const { return used_ == kMaxCases; }
  [[nodiscard]] std::size_t depth() const { return used_ == 0 ? 0 : slots_[used_ - 1].depth; }
  [[nodiscard]] OpenCase& top() { return slots_[used_ - 1]; }

  OpenCase& push(std::size_t depth);
  void pop() { --used_; }

  /// Reads a case's own attributes. When cases are not kept, only what the counts need, and the stamp if wanted.
  void read_attributes(std::span<const text::XmlAttribute> attributes, const text::EntityTable& entities,
                       bool want_stamp);

  /// A property that says what a result means (`quarantined`, `flakestat.not_run`); false: it is none of these.
  [[nodiscard]] bool read_mark(std::string_view property, std::string_view value);

  /// A result element of the innermost case; remembers where its message goes.
  void start_result(Element element, std::size_t depth, std::span<const text::XmlAttribute> attributes,
                    const text::EntityTable& entities);
  /// More text of the result whose message is being read.
  void add_text(std::string_view text, bool references, const text::EntityTable& entities);
  /// The element at `depth` has ended: if it was that result, its message is settled.
  void end_result(std::size_t depth, const text::EntityTable& entities);
  [[nodiscard]] bool wants_text() const { return capture_depth_ != 0; }

  /// Completes the innermost case from its marks and its suites.
  [[nodiscard]] Outcome resolve(const OpenSuites& suites);

 private:
  void store_message(std::string message);
  void flush_run(const text::EntityTable& entities);
  void fill_identity(Case& value, const OpenSuites& suites) const;

  bool full_;
  std::vector<OpenCase> slots_;
  std::size_t used_ = 0;
  std::size_t capture_depth_ = 0;  ///< of the element whose text is being read; 0: none
  Element capture_element_ = Element::unknown;
  std::string capture_type_;
  std::string run_;   ///< raw text since the last markup
  std::string text_;  ///< decoded
};

}  // namespace flakestat::formats
