#include "app/take_reports.hpp"

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <string>

#include "app/read_report.hpp"
#include "app/slow_progress.hpp"
#include "base/parallel.hpp"
#include "store/append_log.hpp"

namespace flakestat::app {
namespace {

// Fewer cases are not worth a thread.
constexpr std::size_t kCasesAPiece = 4096;

// One input and what became of it.
struct Taken {
  InputFile input;
  ReportFile report;
  store::EncodedBatch lines;
  std::vector<std::string> notes;
};

// The path as exec_key digests it: relative to the repository where the report lies in it, else the bare file name.
std::string key_path(const std::string& path, const std::string& root) {
  if (path == "-") return path;
  std::error_code unresolvable;
  const auto absolute = std::filesystem::absolute(path, unresolvable).lexically_normal();
  const auto relative = absolute.lexically_relative(root);
  if (unresolvable || relative.empty() || *relative.begin() == "..") return absolute.filename().string();
  return relative.string();
}

std::int32_t local_offset_minutes(UnixMillis time) {
  const auto seconds = static_cast<std::time_t>(time / 1000);
  std::tm local{};
  if (::localtime_r(&seconds, &local) == nullptr) return 0;
  return static_cast<std::int32_t>(local.tm_gmtoff / 60);
}

// The lines of one report, encoded on up to `threads` threads, in document order.
store::EncodedBatch encode(formats::ReportConversion& conversion, std::size_t threads) {
  std::vector<store::EncodedBatch> pieces(std::clamp<std::size_t>(conversion.size() / kCasesAPiece, 1, threads));
  for_each_index(pieces.size(), threads, [&](std::size_t piece) {
    const auto bound = [&](std::size_t i) { return conversion.size() * i / pieces.size(); };
    conversion.convert(bound(piece), bound(piece + 1), [&](const Observation& o) { pieces[piece].add(o); });
  });
  for (std::size_t i = 1; i < pieces.size(); ++i) pieces.front().merge(std::move(pieces[i]));
  return std::move(pieces.front());
}

// `threads`: for this one report, beside the others.
void take(Taken& taken, formats::ReportContext context, const Provenance& provenance, std::size_t threads) {
  taken.report = read_report(taken.input.path, threads > 1);
  if (taken.report.error) return;
  context.path = key_path(taken.input.path, provenance.root);
  context.digest = taken.report.digest;
  context.modified = taken.report.modified;
  context.local_offset_minutes = local_offset_minutes(taken.report.modified != 0 ? taken.report.modified : context.now);
  formats::ReportConversion conversion(std::move(taken.report.cases), taken.report.summary, context, threads);
  taken.notes = conversion.notes();
  taken.lines = encode(conversion, threads);
}

std::vector<Taken> take_all(const World& world, const Inputs& inputs, const Provenance& provenance) {
  std::vector<Taken> all(inputs.files.size());
  auto context = report_context(provenance, Source::ci);
  context.now = world.now();
  const auto threads = std::max<std::size_t>(1, core_count() / std::max<std::size_t>(1, all.size()));
  SlowProgress progress(world, "report", all.size());
  for_each_index(all.size(), core_count(), [&](std::size_t index) {
    all[index].input = inputs.files[index];
    take(all[index], context, provenance, threads);
    progress.advance();
  });
  return all;
}

void summarise(const Taken& taken, report::IngestSummary& summary) {
  const auto& report = taken.report;
  if (!report.error) {
    ++summary.files;
    summary.counts += report.summary.counts;
    if (report.summary.damage) {
      summary.damaged.push_back({taken.input.path, *report.summary.damage, report.summary.counts.tests});
    }
    return;
  }
  const report::UnusedFile unused{taken.input.path, report.error->message};
  if (!taken.input.named && report.rejection.companion) summary.ignored.push_back(unused);
  else summary.rejected.push_back(unused);
}

void say_notes(const World& world, const Taken& taken) {
  for (const auto* notes : {&taken.report.summary.notes, &taken.notes}) {
    for (const auto& note : *notes) world.note("flakestat: " + taken.input.path + ": " + note);
  }
}

Result<report::IngestSummary> take_found(const World& world, const Settings& settings, const Inputs& inputs,
                                         const Provenance& provenance) {
  auto all = take_all(world, inputs, provenance);
  report::IngestSummary summary;
  summary.run_id = provenance.run_id;
  store::EncodedBatch batch;
  for (auto& taken : all) {
    summarise(taken, summary);
    say_notes(world, taken);
    batch.merge(std::move(taken.lines));
  }
  auto appended = store::append(settings.dir, batch);
  if (!appended) return appended.error();
  summary.stored = appended->stored;
  summary.duplicates = appended->duplicates;
  for (const auto& note : appended->notes) world.warn("flakestat: " + note);
  for (const auto& note : inputs.notes) world.warn("flakestat: " + note);
  for (const auto& error : inputs.missing) world.warn("flakestat: " + error.message);
  return summary;
}

}  // namespace

Result<TakenReports> take_reports(const World& world, const Settings& settings, const CommonFlags& common,
                                  const ProvenanceFlags& flags, const std::vector<std::string>& arguments) {
  auto inputs = find_inputs(arguments);
  std::vector<std::string> paths;
  for (const auto& file : inputs.files) paths.push_back(file.path);
  auto provenance = find_provenance(world, common, flags, settings, {env::Origin::read_here, std::move(paths)});
  if (!provenance) return provenance.error();
  auto summary = take_found(world, settings, inputs, *provenance);
  if (!summary) return summary.error();
  return TakenReports{std::move(inputs), std::move(*provenance), std::move(*summary)};
}

Ending ending_of(const report::IngestSummary& summary, const Inputs& inputs, bool allow_damaged) {
  if (!summary.rejected.empty() || (!summary.damaged.empty() && !allow_damaged)) return Ending::damaged;
  if (!inputs.missing.empty() || summary.files == 0) return Ending::missing;
  return Ending::done;
}

void warn_of_files(const World& world, const report::IngestSummary& summary) {
  for (const auto& each : summary.rejected) world.warn("flakestat: " + each.file + ": " + each.reason);
  for (const auto& each : summary.damaged) {
    world.warn("flakestat: " + each.file + ": damaged at byte " + std::to_string(each.damage.offset) + ", line " +
               std::to_string(each.damage.line) + ": " + each.damage.reason);
  }
}

}  // namespace flakestat::app
