#include <functional>
#include <utility>

#include "app/commands.hpp"
#include "app/inputs.hpp"
#include "app/read_report.hpp"
#include "app/settings.hpp"
#include "base/glob.hpp"
#include "model/identity.hpp"
#include "report/inspect.hpp"

namespace flakestat::app {
namespace {

// Collects the document in pieces of some size; remembers the first failed write.
class Document {
 public:
  explicit Document(const World& world) : world_(world) {}

  void add(std::string_view piece) {
    buffer_ += piece;
    if (buffer_.size() > kPiece) static_cast<void>(flush());  // remembered; `flush` at the end tells
  }

  Result<void> flush() {
    if (state_) state_ = world_.out(buffer_);
    buffer_.clear();
    return state_;
  }

 private:
  static constexpr std::size_t kPiece = std::size_t{256} << 10;
  const World& world_;
  std::string buffer_;
  Result<void> state_;
};

bool selected(const std::optional<std::string>& filter, const Case& found) {
  if (!filter) return true;
  return filter_match(*filter, display_name(found.suite, found.class_name, found.name)) ||
         *filter == to_hex(test_id(found.suite, found.class_name, found.name));
}

report::InspectOutcome outcome_of(const ReportFile& file) {
  report::InspectOutcome outcome;
  outcome.counts = file.summary.counts;
  outcome.encoding = file.summary.encoding;
  outcome.damage = file.summary.damage;
  if (file.error) outcome.error = file.error->message;
  return outcome;
}

bool inspect_file(const std::string& path, const InspectRequest& request, report::InspectWriter& writer,
                  const World& world) {
  writer.begin_file(path);
  std::function<void(Case &&)> on_case;
  if (!request.counts_only) {
    on_case = [&](Case&& found) {
      if (selected(request.common.filter, found)) writer.add_case(found);
    };
  }
  const auto file = scan_report(path, on_case);
  writer.end_file(outcome_of(file));
  for (const auto& note : file.summary.notes) world.note("flakestat: " + path + ": " + note);
  return !file.error && !file.summary.damage;
}

}  // namespace

Result<Ending> inspect(const World& world, const InspectRequest& request) {
  const auto inputs = find_inputs(request.inputs);
  Document document(world);
  const auto sink = [&](std::string_view piece) { document.add(piece); };
  const report::InspectOptions options{request.counts_only, look_of(world)};
  const auto writer = request.common.format.value_or("text") == "json" ? report::inspect_json(sink, options)
                                                                       : report::inspect_text(sink, options);
  bool all_whole = true;
  for (const auto& file : inputs.files) all_whole &= inspect_file(file.path, request, *writer, world);
  writer->finish();
  FLAKESTAT_TRY(document.flush());
  for (const auto& error : inputs.missing) world.warn("flakestat: " + error.message);
  if (!inputs.missing.empty()) return Ending::missing;
  return all_whole ? Ending::done : Ending::damaged;
}

}  // namespace flakestat::app
