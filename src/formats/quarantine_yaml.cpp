#include "formats/quarantine_yaml.hpp"

#include <yaml.h>

#include <memory>
#include <optional>

#include "base/strings.hpp"

namespace flakestat::formats {
namespace {

// libyaml's time grows with the square of the nesting; no list needs any.
constexpr std::size_t kDeepest = 64;

// One event of libyaml, freed when it goes.
class Event {
 public:
  Event() : event_() {}
  ~Event() { yaml_event_delete(&event_); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  yaml_event_t* get() { return &event_; }
  [[nodiscard]] yaml_event_type_t type() const { return event_.type; }
  [[nodiscard]] std::size_t line() const { return event_.start_mark.line + 1; }
  [[nodiscard]] std::string text() const {
    if (event_.type != YAML_SCALAR_EVENT) return {};
    const auto* bytes = event_.data.scalar.value;
    return {bytes, bytes + event_.data.scalar.length};
  }
  [[nodiscard]] bool has_anchor_or_tag() const {
    switch (event_.type) {
      case YAML_ALIAS_EVENT: return true;
      case YAML_SCALAR_EVENT: return event_.data.scalar.anchor != nullptr || event_.data.scalar.tag != nullptr;
      case YAML_SEQUENCE_START_EVENT:
        return event_.data.sequence_start.anchor != nullptr || event_.data.sequence_start.tag != nullptr;
      case YAML_MAPPING_START_EVENT:
        return event_.data.mapping_start.anchor != nullptr || event_.data.mapping_start.tag != nullptr;
      default: return false;
    }
  }

 private:
  yaml_event_t event_;
};

class Reader {
 public:
  Reader(std::string_view text, const std::string& name) : name_(name) {
    ready_ = yaml_parser_initialize(&parser_) != 0;
    if (!ready_) return;
    yaml_parser_set_encoding(&parser_, YAML_UTF8_ENCODING);
    bytes_.assign(text.begin(), text.end());
    bytes_.push_back('\n');  // libyaml asserts that there is something to read
    yaml_parser_set_input_string(&parser_, bytes_.data(), bytes_.size());
  }
  ~Reader() {
    if (ready_) yaml_parser_delete(&parser_);
  }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  Result<std::vector<QuarantinedTest>> read() {
    if (!ready_) return Error{ErrorKind::internal, name_ + ": no memory for a YAML reader"};
    for (const auto type : {YAML_STREAM_START_EVENT, YAML_DOCUMENT_START_EVENT, YAML_MAPPING_START_EVENT}) {
      FLAKESTAT_TRY(next());
      if (event_->type() != type) return wrong("is no quarantine list in YAML: it begins with no mapping");
    }
    std::vector<QuarantinedTest> tests;
    for (;;) {
      FLAKESTAT_TRY(next());
      if (event_->type() == YAML_MAPPING_END_EVENT) break;
      const auto key = event_->text();
      FLAKESTAT_TRY(next());
      if (key == "version" && event_->text() != "1")
        return wrong("version " + in_quotes(event_->text()) + ": 1 is known");
      FLAKESTAT_TRY(key == "quarantined" ? read_tests(tests) : skip_value());
    }
    return tests;
  }

 private:
  Error wrong(const std::string& why) const {
    return wrong_in(event_ ? event_->line() : parser_.problem_mark.line + 1, why);
  }

  Error wrong_in(std::size_t line, const std::string& why) const {
    return {ErrorKind::config, name_ + ": line " + std::to_string(line) + ": " + why};
  }

  Result<void> next() {
    event_ = std::make_unique<Event>();
    if (yaml_parser_parse(&parser_, event_->get()) == 0) {
      event_.reset();
      return wrong(std::string("no YAML: ") + (parser_.problem == nullptr ? "broken" : parser_.problem));
    }
    if (event_->has_anchor_or_tag()) return wrong("anchors, aliases and tags are not read");
    if (event_->type() == YAML_STREAM_END_EVENT || event_->type() == YAML_DOCUMENT_END_EVENT)
      return wrong("ends early");
    return {};
  }

  // The value whose first event was just read.
  Result<void> skip_value() {
    std::size_t depth = 0;
    for (;;) {
      const auto type = event_->type();
      if (type == YAML_MAPPING_START_EVENT || type == YAML_SEQUENCE_START_EVENT) ++depth;
      if (type == YAML_MAPPING_END_EVENT || type == YAML_SEQUENCE_END_EVENT) --depth;
      if (depth > kDeepest) return wrong("nested too deeply");
      if (depth == 0) return {};
      FLAKESTAT_TRY(next());
    }
  }

  Result<void> read_tests(std::vector<QuarantinedTest>& tests) {
    if (event_->type() == YAML_SCALAR_EVENT && event_->text().empty()) return {};
    if (event_->type() != YAML_SEQUENCE_START_EVENT) return wrong("quarantined: is no list");
    for (;;) {
      FLAKESTAT_TRY(next());
      if (event_->type() == YAML_SEQUENCE_END_EVENT) return {};
      if (event_->type() != YAML_MAPPING_START_EVENT) return wrong("an entry that is no mapping");
      FLAKESTAT_TRY(read_test(tests.emplace_back()));
    }
  }

  Result<void> read_test(QuarantinedTest& test) {
    test.line = event_->line();
    for (;;) {
      FLAKESTAT_TRY(next());
      if (event_->type() == YAML_MAPPING_END_EVENT) break;
      const bool scalar_key = event_->type() == YAML_SCALAR_EVENT;
      const auto key = event_->text();
      if (!scalar_key) FLAKESTAT_TRY(skip_value());
      FLAKESTAT_TRY(next());
      if (key == "test_id") test.test_id = event_->text();
      if (key == "test") test.test = event_->text();
      FLAKESTAT_TRY(skip_value());
    }
    if (test.test_id.empty() && test.test.empty()) return wrong_in(test.line, "an entry with neither test_id nor test");
    return {};
  }

  const std::string& name_;
  yaml_parser_t parser_{};
  std::vector<unsigned char> bytes_;
  std::unique_ptr<Event> event_;
  bool ready_ = false;
};

}  // namespace

Result<std::vector<QuarantinedTest>> read_quarantine_yaml(std::string_view text, const std::string& name) {
  return Reader(text, name).read();
}

}  // namespace flakestat::formats
