// Any bytes as a baseline: no crash, an error that names the file, or a baseline that survives being written and read.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "store/baseline_file.hpp"

namespace {

// What must hold for every input; aborting is how libFuzzer learns of it.
void require(bool condition) {
  if (!condition) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);
  const auto baseline = flakestat::store::parse_baseline(text, "fuzz");
  if (!baseline) {
    const auto& error = baseline.error();
    require(error.kind == flakestat::ErrorKind::damaged || error.kind == flakestat::ErrorKind::config);
    require(error.message.starts_with("fuzz: "));
    require(error.message.find('\x1b') == std::string::npos);
    return 0;
  }
  const auto written = flakestat::store::encode_baseline(*baseline);
  const auto again = flakestat::store::parse_baseline(written, "fuzz");
  require(again.ok() && *again == *baseline);
  require(flakestat::store::encode_baseline(*again) == written);
  return 0;
}
