// The walk over a report's elements.
#include "formats/junit_scan.hpp"
#include "base/strings.hpp"

#include <algorithm>
#include <array>

#include "base/clean_text.hpp"

namespace flakestat::formats {
namespace {

using text::XmlEvent;

constexpr std::array<std::string_view, 4> kRootsAndCase{"testsuites", "testsuite", "testrun", "testcase"};
constexpr std::size_t kPropertyLimit = 256;

std::optional<std::uint64_t> parse_count(std::string_view raw) {
  return number_in<std::uint64_t>(text::trim_blank(raw));
}

Element element_named(std::string_view name) {
  const Element element = element_of(name);
  return element == Element::unknown ? element_of(local_name(name)) : element;
}

bool is_output(std::string_view text) {
  return !std::all_of(text.begin(), text.end(), [](char byte) { return text::is_xml_blank(byte); });
}

}  // namespace

JunitScan::JunitScan(text::ReadBytes read, const std::function<void(Case&&)>& on_case, text::XmlLimits limits)
    : scanner_(std::move(read), limits), on_case_(on_case), full_(static_cast<bool>(on_case)), cases_(full_) {}

/// Everything up to the first start tag decides: a JUnit root, text (a log: the root may follow), or something else.
JunitScan::Found JunitScan::find_root() {
  scanner_.want_text(true);
  for (;;) {
    switch (scanner_.next()) {
      case XmlEvent::failed: return Found::failed;
      case XmlEvent::finish: return Found::nothing;
      case XmlEvent::start:
        scanner_.want_text(false);
        if (is_suite(element_named(scanner_.name()))) return Found::root;
        rejected_root_ = clean_line(scanner_.name(), 100);
        return Found::nothing;
      case XmlEvent::end: break;
      case XmlEvent::text:
      case XmlEvent::cdata:
        if (!is_output(scanner_.text()) || scanner_.text() == "\xEF\xBB\xBF") break;
        scanner_.want_text(false);
        return find_further_root();
    }
  }
}

/// Behind a root, or in a log: whatever is no root is skipped, but a case out there is worth a note.
JunitScan::Found JunitScan::find_further_root() {
  for (;;) {
    switch (scanner_.next_start_of(kRootsAndCase)) {
      case XmlEvent::failed: return Found::failed;
      case XmlEvent::start: break;
      default: return Found::nothing;
    }
    if (is_suite(element_named(scanner_.name()))) return Found::root;
    ++stray_cases_;
  }
}

Result<JunitSummary> JunitScan::run(Rejection* rejection) {
  Found found = find_root();
  if (found == Found::nothing) return reject(rejection, rejected_root_.empty() ? "no JUnit root element" : "");
  while (found == Found::root) {
    document();
    found = stop_ || open_.depth() > 0 ? Found::nothing : find_further_root();
  }
  if (found == Found::failed || scanner_.failed()) return scanner_.error();
  check_end();
  if (scanner_.input().unsupported() && scanner_.survey().broken_utf8().count > 0) {
    const auto& name = scanner_.input().encoding().name;
    return Error{ErrorKind::damaged, "the report is in encoding " + name +
                                         ", which this build cannot read: convert it first (iconv -f " + name +
                                         " -t UTF-8)"};
  }
  summary_.encoding = scanner_.input().encoding().name;
  write_notes();
  return std::move(summary_);
}

Result<JunitSummary> JunitScan::reject(Rejection* rejection, std::string_view why) const {
  if (rejection != nullptr) *rejection = {rejected_root_, is_companion_root(local_name(rejected_root_))};
  if (!rejected_root_.empty()) {
    return Error{ErrorKind::damaged,
                 "root element <" + rejected_root_ + "> is not a JUnit root (testsuites, testsuite, testrun)"};
  }
  if (scanner_.blank_so_far()) return Error{ErrorKind::damaged, "empty document"};
  return Error{ErrorKind::damaged, std::string(why)};
}

void JunitScan::damage(std::string reason) {
  if (!summary_.damage) summary_.damage = Damage{scanner_.offset(), scanner_.line(), std::move(reason)};
}

/// One root, from its start tag (the current event) to its end or the input's.
void JunitScan::document() {
  start();
  while (!stop_ && open_.depth() > 0) {
    scanner_.want_text(cases_.wants_text() && open_.innermost() != id_of(Element::system_out) &&
                       open_.innermost() != id_of(Element::system_err));
    switch (scanner_.next()) {
      case XmlEvent::start: start(); break;
      case XmlEvent::end: end(); break;
      case XmlEvent::text: cases_.add_text(scanner_.text(), true, scanner_.entities()); break;
      case XmlEvent::cdata: cases_.add_text(scanner_.text(), false, scanner_.entities()); break;
      case XmlEvent::finish:
      case XmlEvent::failed: return;
    }
  }
}

void JunitScan::check_end() {
  summary_.incomplete_cases += cases_.size();
  if (open_.depth() == 0 || stop_) return;
  std::string where = scanner_.cut_off().empty() ? std::string() : " inside " + std::string(scanner_.cut_off());
  damage("the file ends" + where +
         (cases_.empty() ? " before the end of the report" : " before the end of a <testcase>"));
}

void JunitScan::start() {
  const Element element = element_named(scanner_.name());
  if (element == Element::testcase && at_structure() && !cases_.full()) {
    cases_.push(open_.depth() + 1);
    cases_.read_attributes(scanner_.attributes(), scanner_.entities(), full_ || !summary_.has_timestamps);
    summary_.has_timestamps = summary_.has_timestamps || cases_.top().stamp.has_value();
  } else if (element == Element::testcase) {
    ++inert_results_;
  } else if (is_suite(element) && at_structure()) {
    start_suite(element);
  } else if (is_result(element)) {
    start_result(element);
  } else if (element == Element::property) {
    property();
  }
  open(element);
}

void JunitScan::open(Element element) {
  if (open_.full() || (is_suite(element) && suites_.full())) {
    stop_ = true;
    damage("elements are nested too deeply: what follows is not read");
    return;
  }
  open_.push(element == Element::unknown ? names_.id(local_name(scanner_.name())) : id_of(element));
  if (scanner_.self_closing()) leave(true);
}

/// Whether a suite or a case that starts here belongs to the report's structure, not to a case's output.
bool JunitScan::at_structure() const {
  return cases_.empty() || open_.depth() == std::max(cases_.depth(), suites_.depth());
}

void JunitScan::start_suite(Element element) {
  if (suites_.full()) return;
  SuiteTag tag;
  std::uint64_t failures = 0;
  bool claims_failures = false;
  for (const auto& [name, value] : scanner_.attributes()) {
    if (name == "name" && tag.name.empty() && element == Element::testsuite && !text::trim_blank(value).empty()) {
      assign_name(suite_name_, value, scanner_.entities());
      tag.name = suite_name_;
    } else if (name == "file" && tag.file.empty() && !text::trim_blank(value).empty()) {
      assign_name(suite_file_, value, scanner_.entities());
      tag.file = suite_file_;
    } else if (name == "timestamp" && !tag.stamp) {
      tag.stamp = parse_stamp(value);
    } else if (name == "time" && !tag.seconds) {
      tag.seconds = parse_duration(value);
    } else if (name == "tests" && !tag.claimed_tests) {
      tag.claimed_tests = parse_count(value);
    } else if (name == "failures" || name == "errors") {
      const auto claimed = parse_count(value);
      claims_failures = claims_failures || claimed.has_value();
      failures += claimed.value_or(0);
    } else if (name == "skipped") {
      tag.states_skips = true;
    }
  }
  if (claims_failures) tag.claimed_failures = failures;
  summary_.has_timestamps = summary_.has_timestamps || tag.stamp.has_value();
  suites_.push(open_.depth() + 1, tag, summary_.counts);
}

void JunitScan::start_result(Element element) {
  if (cases_.empty()) {
    if (element == Element::error || element == Element::failure) ++suite_level_results_;
  } else if (open_.depth() == cases_.depth()) {
    cases_.start_result(element, open_.depth() + 1, scanner_.attributes(), scanner_.entities());
  }
}

void JunitScan::property() {
  if (open_.depth() == 0 || open_.innermost() != id_of(Element::properties)) return;
  const bool of_case = !cases_.empty() && open_.depth() == cases_.depth() + 1;
  const bool of_suite = cases_.empty() && open_.depth() == suites_.depth() + 1;
  if (!of_case && !(full_ && of_suite)) return;
  std::string_view name;
  std::string_view value;
  for (const auto& attribute : scanner_.attributes()) {
    if (attribute.name == "name" && name.empty()) name = attribute.value;
    if (attribute.name == "value" && value.empty()) value = attribute.value;
  }
  if (of_case && cases_.read_mark(name, value)) return;
  if (!full_) return;
  const bool ours = name == (of_case ? kExecKeyProperty : kRunIdProperty);
  if (!ours && !is_recognised_property(name)) return;
  std::string decoded;
  text::append_decoded(decoded, value.substr(0, 4 * kPropertyLimit), text::XmlPlace::attribute, scanner_.entities());
  const std::string clean = clean_line(decoded, kPropertyLimit);
  if (clean.empty()) return;
  if (of_case && ours) cases_.top().value.exec_key = clean;
  else if (of_case) cases_.top().own_properties.try_emplace(std::string(name), clean);
  else if (ours) suites_.set_run_id(clean);
  else suites_.set_property(name, clean);
}

void JunitScan::end() {
  Element element = element_named(scanner_.name());
  const auto id = element == Element::unknown ? names_.id(local_name(scanner_.name())) : id_of(element);
  if (!open_.is_open(id)) return;
  for (bool found = false; !found;) {
    found = open_.innermost() == id;
    leave(found);
  }
}

/// Closes the innermost element; `by_own_tag`: not only because one around it ended.
void JunitScan::leave(bool by_own_tag) {
  const std::size_t depth = open_.depth();
  if (cases_.wants_text()) cases_.end_result(depth, scanner_.entities());
  if (!cases_.empty() && cases_.depth() == depth) {
    if (by_own_tag) {
      finish_case();
    } else {
      ++summary_.incomplete_cases;
      damage("a <testcase> has no end");
    }
    cases_.pop();
  } else if (!suites_.empty() && suites_.depth() == depth) {
    if (auto mismatch = suites_.pop(summary_.counts)) {
      if (mismatches_++ == 0) first_mismatch_ = std::move(mismatch);
    }
  }
  open_.pop();
}

void JunitScan::finish_case() {
  const Outcome outcome = cases_.resolve(suites_);
  Counts& counts = summary_.counts;
  ++counts.tests;
  switch (outcome.counted) {
    case Status::pass: ++counts.passed; break;
    case Status::fail: ++counts.failures; break;
    case Status::error: ++counts.errors; break;
    case Status::skip: ++counts.skipped; break;
  }
  if (outcome.known_flaky) ++counts.known_flaky;
  if (outcome.quarantined) ++counts.quarantined;
  if (outcome.counted != outcome.status) ++counted_as_written_;
  if (!full_) return;
  Case& value = cases_.top().value;
  suites_.add_duration(value.duration_ms);
  on_case_(std::move(value));
}

}  // namespace flakestat::formats
