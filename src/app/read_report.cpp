#include "app/read_report.hpp"

#include <algorithm>
#include <utility>

namespace flakestat::app {
namespace {

constexpr std::uint64_t kLeastCase = 200;  // bytes; shorter ones are rare, and only cost a reallocation
constexpr std::uint64_t kMostReserved = std::uint64_t{1} << 20;
constexpr std::uint64_t kWorthAThread = std::uint64_t{4} << 20;

void read_into(ReportFile& file, formats::ByteSource& source, const std::function<void(Case&&)>& on_case) {
  auto summary = formats::read_junit(source, on_case, &file.rejection);
  if (summary) {
    file.summary = std::move(*summary);
  } else {
    file.error = summary.error();
  }
}

}  // namespace

ReportFile read_report(const std::string& path, bool ahead) {
  ReportFile file;
  file.path = path;
  auto source = FileSource::open(path);
  if (!source) {
    file.error = source.error();
    return file;
  }
  file.modified = source->modified();
  // Address space only: what no case fills is never touched.
  file.cases.reserve(std::min<std::uint64_t>(source->size() / kLeastCase, kMostReserved));
  const auto digesting = ahead && source->size() >= kWorthAThread ? digest_ahead(*source) : digest_here(*source);
  read_into(file, *digesting, [&](Case&& found) { file.cases.push_back(std::move(found)); });
  if (!file.error) {
    if (auto drained = digesting->drain(); !drained) file.error = drained.error();
  }
  if (!file.error) file.digest = digesting->digest();
  return file;
}

ReportFile scan_report(const std::string& path, const std::function<void(Case&&)>& on_case) {
  ReportFile file;
  file.path = path;
  auto source = FileSource::open(path);
  if (!source) {
    file.error = source.error();
    return file;
  }
  file.modified = source->modified();
  read_into(file, *source, on_case);
  return file;
}

}  // namespace flakestat::app
