#include "formats/junit_reader.hpp"

#include <algorithm>

#include "formats/junit_scan.hpp"

namespace flakestat::formats {

Result<JunitSummary> read_junit(ByteSource& source, const std::function<void(Case&&)>& on_case, Rejection* rejection) {
  const auto read = [&source](char* buffer, std::size_t size) { return source.read(buffer, size); };
  JunitScan scan(read, on_case, {});
  return scan.run(rejection);
}

}  // namespace flakestat::formats
