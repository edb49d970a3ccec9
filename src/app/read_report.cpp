#include "app/read_report.hpp"

#include <utility>

namespace flakestat::app {
namespace {

void read_into(ReportFile& file, formats::ByteSource& source, const std::function<void(Case&&)>& on_case) {
  auto summary = formats::read_junit(source, on_case, &file.rejection);
  if (summary) {
    file.summary = std::move(*summary);
  } else {
    file.error = summary.error();
  }
}

}  // namespace

ReportFile read_report(const std::string& path) {
  ReportFile file;
  file.path = path;
  auto source = FileSource::open(path);
  if (!source) {
    file.error = source.error();
    return file;
  }
  file.modified = source->modified();
  DigestingSource digesting(*source);
  read_into(file, digesting, [&](Case&& found) { file.cases.push_back(std::move(found)); });
  if (!file.error) {
    if (auto drained = digesting.drain(); !drained) file.error = drained.error();
  }
  file.digest = digesting.digest();
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
