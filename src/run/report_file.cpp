#include "run/report_file.hpp"

#include <utility>

#include "formats/byte_source.hpp"
#include "sys/fd.hpp"
#include "sys/file.hpp"

namespace flakestat::run {
namespace {

class FileSource final : public formats::ByteSource {
 public:
  FileSource(sys::Fd fd, const std::string& path) : fd_(std::move(fd)), path_(path) {}
  [[nodiscard]] Result<std::size_t> read(char* buffer, std::size_t size) override {
    return sys::read_some(fd_.get(), buffer, size, path_);
  }

 private:
  sys::Fd fd_;
  const std::string& path_;
};

}  // namespace

Result<ReportContent> read_report_file(const std::string& path) {
  auto fd = sys::open_read(path);
  if (!fd) return fd.error();
  FileSource source(std::move(fd).value(), path);
  ReportContent content;
  formats::Rejection rejection;
  auto summary = formats::read_junit(
      source, [&](Case&& each) { content.cases.push_back(std::move(each)); }, &rejection);
  if (summary) {
    content.summary = std::move(summary).value();
  } else if (summary.error().kind == ErrorKind::damaged) {
    content.rejection = std::move(rejection);
  } else {
    return summary.error();
  }
  return content;
}

}  // namespace flakestat::run
