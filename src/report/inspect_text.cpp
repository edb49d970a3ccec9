#include <cmath>
#include <utility>

#include "model/identity.hpp"
#include "report/inspect.hpp"
#include "report/words.hpp"
#include "text/escape.hpp"

namespace flakestat::report {
namespace {

using text::Tone;

constexpr std::size_t kFlushBytes = std::size_t{64} << 10;
constexpr std::size_t kStatusWidth = 5;
constexpr std::size_t kDurationWidth = 8;

Tone tone_of(Status status) {
  switch (status) {
    case Status::pass: return Tone::good;
    case Status::fail:
    case Status::error: return Tone::bad;
    case Status::skip: break;
  }
  return Tone::faint;
}

std::string duration_of(const Case& found) {
  return found.duration_ms ? format_duration(std::llround(*found.duration_ms)) : "-";
}

std::string padding(std::size_t used, std::size_t width) { return std::string(used < width ? width - used : 0, ' '); }

class InspectText final : public InspectWriter {
 public:
  InspectText(Sink sink, const InspectOptions& options) : sink_(std::move(sink)), options_(options) {}

  void begin_file(std::string_view file) override {
    file_ = text::escape_terminal(file);
    if (!options_.counts_only) out_ += paint(file_, Tone::strong) + "\n";
  }

  void add_case(const Case& found) override {
    if (options_.counts_only) return;
    const auto status = to_string(found.status);
    const auto duration = duration_of(found);
    out_ += "  " + paint(status, tone_of(found.status)) + padding(status.size(), kStatusWidth) + "  ";
    out_ += padding(duration.size(), kDurationWidth) + duration + "  ";
    out_ += text::escape_terminal(display_name(found.suite, found.class_name, found.name));
    if (found.known_flaky) out_ += "  " + paint("(known flaky)", Tone::faint);
    out_ += '\n';
    if (!found.message.empty()) out_ += "      " + paint(text::escape_terminal(found.message), Tone::faint) + "\n";
    if (out_.size() > kFlushBytes) flush();
  }

  void end_file(const InspectOutcome& outcome) override {
    out_ += (options_.counts_only ? file_ + ": " : "  ") + result_of(outcome) + "\n";
    if (outcome.damage) {
      out_ += "  " + paint("damaged", Tone::bad) + " at byte " + std::to_string(outcome.damage->offset) + ", line " +
              std::to_string(outcome.damage->line) + ": " + text::escape_terminal(outcome.damage->reason) + "\n";
    }
    flush();
  }

  void finish() override { flush(); }

 private:
  [[nodiscard]] std::string paint(std::string_view what, Tone tone) const {
    return text::paint(what, tone, options_.look.colour);
  }

  [[nodiscard]] std::string result_of(const InspectOutcome& outcome) const {
    if (!outcome.error.empty()) return paint("error", Tone::bad) + ": " + text::escape_terminal(outcome.error);
    const auto encoding = outcome.encoding.empty() ? "" : " (" + text::escape_terminal(outcome.encoding) + ")";
    return counts_line(outcome.counts) + encoding;
  }

  void flush() {
    if (!out_.empty()) sink_(std::exchange(out_, {}));
  }

  Sink sink_;
  InspectOptions options_;
  std::string file_;
  std::string out_;
};

}  // namespace

std::string counts_line(const Counts& counts) {
  std::string out = counted(counts.tests, "test") + ": " + std::to_string(counts.passed) + " passed, " +
                    counted(counts.failures, "failure") + ", " + counted(counts.errors, "error") + ", " +
                    std::to_string(counts.skipped) + " skipped";
  if (counts.known_flaky > 0) out += ", " + std::to_string(counts.known_flaky) + " known flaky";
  return out;
}

std::unique_ptr<InspectWriter> inspect_text(Sink sink, const InspectOptions& options) {
  return std::make_unique<InspectText>(std::move(sink), options);
}

}  // namespace flakestat::report
