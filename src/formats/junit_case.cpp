#include "formats/junit_case.hpp"

#include <algorithm>

#include "base/clean_text.hpp"
#include "base/strings.hpp"

namespace flakestat::formats {
namespace {

using text::trim_blank;

/// More raw text than this cannot change the first KiB of a message, unless it is nearly all escapes and blanks.
constexpr std::size_t kRawMessage = 16 * 1024;

std::string_view first_bytes(std::string_view text) { return text.substr(0, kRawMessage); }

std::string decoded(std::string_view raw, text::XmlPlace place, const text::EntityTable& entities) {
  std::string out;
  text::append_decoded(out, raw, place, entities);
  return out;
}

std::string message_of(std::string_view raw, const text::EntityTable& entities) {
  return clean_line(decoded(first_bytes(raw), text::XmlPlace::attribute, entities));
}

std::optional<std::int64_t> parse_line(std::string_view raw) {
  const auto value = number_in<std::int64_t>(trim_blank(raw));
  return value && *value >= 0 ? value : std::nullopt;
}

void reset(OpenCase& open, std::size_t depth) {
  open.depth = depth;
  open.marks = {};
  open.has_message = {};
  open.stamp.reset();
  open.own_properties.clear();
  Case& value = open.value;  // its properties stay: the next case's are mostly the same
  for (auto* text : {&value.suite, &value.class_name, &value.name, &value.file, &value.message, &value.exec_key})
    text->clear();
  value.duration_ms.reset();
  value.line.reset();
  value.quarantined = false;
  value.not_run = false;
  value.earlier.clear();
  value.later.clear();
  value.started.reset();
  value.started_is_local = false;
}

/// Attributes by where they go; the first of a name wins.
struct CaseAttributes {
  const text::XmlAttribute* name = nullptr;
  const text::XmlAttribute* classname = nullptr;
  const text::XmlAttribute* plain_class = nullptr;
  const text::XmlAttribute* time = nullptr;
  const text::XmlAttribute* file = nullptr;
  const text::XmlAttribute* line = nullptr;
  const text::XmlAttribute* status = nullptr;
  const text::XmlAttribute* result = nullptr;
  const text::XmlAttribute* timestamp = nullptr;

  explicit CaseAttributes(std::span<const text::XmlAttribute> attributes) {
    for (const auto& attribute : attributes) {
      if (const auto** slot = slot_of(attribute.name); slot != nullptr && *slot == nullptr) *slot = &attribute;
    }
  }

 private:
  const text::XmlAttribute** slot_of(std::string_view key) {
    switch (key.size()) {
      case 4:
        return key == "name" ? &name : key == "time" ? &time : key == "file" ? &file : key == "line" ? &line : nullptr;
      case 5: return key == "class" ? &plain_class : nullptr;
      case 6: return key == "status" ? &status : key == "result" ? &result : nullptr;
      case 9: return key == "classname" ? &classname : key == "timestamp" ? &timestamp : nullptr;
      default: return nullptr;
    }
  }
};

std::string_view value_of(std::span<const text::XmlAttribute> attributes, std::string_view name) {
  const auto at = std::find_if(attributes.begin(), attributes.end(), [name](const auto& a) { return a.name == name; });
  return at == attributes.end() ? std::string_view{} : at->value;
}

}  // namespace

void assign_name(std::string& out, std::string_view raw, const text::EntityTable& entities) {
  if (text::is_plain(raw)) {
    out.assign(raw);
    return;
  }
  out.clear();
  text::append_decoded(out, raw, text::XmlPlace::attribute, entities);
  if (!is_clean_name(out)) out = clean_name(out);
}

bool is_recognised_property(std::string_view name) {
  static constexpr std::array<std::string_view, 7> kNames{
      "os.name", "os.arch", "java.version", "go.version", "python.version", "node.version", "ruby.version"};
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

OpenCase& CaseStack::push(std::size_t depth) {
  if (used_ == slots_.size()) slots_.emplace_back();
  reset(slots_[used_], depth);
  capture_depth_ = 0;
  return slots_[used_++];
}

void CaseStack::read_attributes(std::span<const text::XmlAttribute> attributes, const text::EntityTable& entities,
                                bool want_stamp) {
  OpenCase& open = top();
  const CaseAttributes found(attributes);
  for (const auto* status : {found.status, found.result}) {
    if (status == nullptr) continue;
    if (const auto said = status_of_attribute(trim_blank(status->value))) open.marks.add_attribute(*said);
  }
  if (found.timestamp != nullptr && want_stamp) open.stamp = parse_stamp(found.timestamp->value);
  if (!full_) return;
  Case& value = open.value;
  if (found.name != nullptr) assign_name(value.name, found.name->value, entities);
  for (const auto* class_name : {found.classname, found.plain_class}) {
    if (class_name != nullptr && trim_blank(value.class_name).empty())
      assign_name(value.class_name, class_name->value, entities);
  }
  if (found.file != nullptr && !trim_blank(found.file->value).empty())
    assign_name(value.file, found.file->value, entities);
  if (found.line != nullptr) value.line = parse_line(found.line->value);
  if (found.time == nullptr) return;
  if (const auto seconds = parse_duration(found.time->value)) value.duration_ms = *seconds * 1000;
}

bool CaseStack::read_mark(std::string_view property, std::string_view value) {
  if (property != kQuarantinedProperty && property != kNotRunProperty) return false;
  const bool set = trim_blank(value) == "true";
  (property == kQuarantinedProperty ? top().value.quarantined : top().value.not_run) = set;
  return true;
}

void CaseStack::start_result(Element element, std::size_t depth, std::span<const text::XmlAttribute> attributes,
                             const text::EntityTable& entities) {
  OpenCase& open = top();
  const auto type = trim_blank(value_of(attributes, "type"));
  const auto message = value_of(attributes, "message");
  const SkipType skip = skip_type(type);
  open.marks.add(element, skip, element == Element::skipped ? expected_failure(type, message) : ExpectedFailure::no);
  if (!full_) return;
  if (skip != SkipType::none && (element == Element::error || element == Element::failure)) element = Element::skipped;
  const bool error = element == Element::rerun_error || element == Element::flaky_error;
  const Status status = error ? Status::error : Status::fail;
  if (element == Element::flaky_error || element == Element::flaky_failure) {
    open.value.earlier.push_back({status, {}});
  } else {
    const auto slot = id_of(element) - id_of(Element::error);
    const bool rerun = element == Element::rerun_error || element == Element::rerun_failure;
    if (rerun) open.value.later.push_back({status, {}});
    else if (open.has_message[slot]) return;
    if (!rerun) open.has_message[slot] = true;
  }
  capture_element_ = element;
  if (auto line = message_of(message, entities); !line.empty()) {
    store_message(std::move(line));
    return;
  }
  capture_depth_ = depth;
  capture_type_ = first_bytes(type);
  run_.clear();
  text_.clear();
}

void CaseStack::store_message(std::string message) {
  OpenCase& open = top();
  switch (capture_element_) {
    case Element::flaky_error:
    case Element::flaky_failure: open.value.earlier.back().message = std::move(message); break;
    case Element::rerun_error:
    case Element::rerun_failure: open.value.later.back().message = std::move(message); break;
    default: open.messages[id_of(capture_element_) - id_of(Element::error)] = std::move(message);
  }
}

void CaseStack::add_text(std::string_view text, bool references, const text::EntityTable& entities) {
  if (references) {
    if (run_.empty() && text_.empty()) {
      text.remove_prefix(std::min(text.size(), text.find_first_not_of(" \t\r\n")));
    }
    run_ += text.substr(0, kRawMessage - std::min(kRawMessage, run_.size()));
    return;
  }
  flush_run(entities);
  text_ += text.substr(0, kRawMessage - std::min(kRawMessage, text_.size()));
}

/// Text is decoded a whole run at a time: a reference may lie across two pieces.
void CaseStack::flush_run(const text::EntityTable& entities) {
  if (text_.size() < kRawMessage) text::append_decoded(text_, run_, text::XmlPlace::content, entities);
  run_.clear();
}

void CaseStack::end_result(std::size_t depth, const text::EntityTable& entities) {
  if (capture_depth_ == 0) return;
  flush_run(entities);
  if (depth > capture_depth_) return;
  auto line = clean_line(text_);
  if (line.empty()) line = message_of(capture_type_, entities);
  store_message(std::move(line));
  capture_depth_ = 0;
}

void CaseStack::fill_identity(Case& value, const OpenSuites& suites) const {
  value.suite = suites.name().empty() ? std::string_view(value.file) : suites.name();
  if (trim_blank(value.class_name).empty()) value.class_name = value.suite;
  if (value.file.empty()) value.file = suites.file();
}

Outcome CaseStack::resolve(const OpenSuites& suites) {
  OpenCase& open = top();
  Outcome outcome = open.marks.resolve(suites.states_skips(), open.value.quarantined);
  open.value.quarantined = open.value.quarantined && is_failure(outcome.status);
  outcome.quarantined = open.value.quarantined;
  if (!full_) return outcome;
  Case& value = open.value;
  fill_identity(value, suites);
  value.status = outcome.status;
  value.known_flaky = outcome.known_flaky;
  if (outcome.decided_by == Element::rerun_error || outcome.decided_by == Element::rerun_failure) {
    // No final failure of its own: the first rerun of the deciding kind stands for it, the others stay later attempts.
    const auto same = [&outcome](const Attempt& attempt) { return attempt.status == outcome.status; };
    const auto decider = std::find_if(value.later.begin(), value.later.end(), same);
    value.message = std::move(decider->message);
    value.later.erase(decider);
  } else if (outcome.decided_by != Element::unknown) {
    value.message = std::move(open.messages[id_of(outcome.decided_by) - id_of(Element::error)]);
  }
  const auto start = open.stamp ? open.stamp : suites.next_start();
  if (start) value.started = start->time;
  value.started_is_local = start && start->local;
  if (!value.properties.same_object(suites.properties())) value.properties = suites.properties();
  for (auto& [name, text] : open.own_properties) value.properties[name] = text;
  value.run_id = suites.run_id();
  return outcome;
}

}  // namespace flakestat::formats
