// Any bytes as the record of a hunt: no crash, an error that names the file, or a record that survives being written
// and read.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "store/hunt_record.hpp"

namespace {

// What must hold for every input; aborting is how libFuzzer learns of it.
void require(bool condition) {
  if (!condition) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);
  const auto record = flakestat::store::parse_hunt(text, "fuzz");
  if (!record) {
    const auto& error = record.error();
    require(error.kind == flakestat::ErrorKind::damaged || error.kind == flakestat::ErrorKind::config);
    require(error.message.starts_with("fuzz: "));
    require(error.message.find('\x1b') == std::string::npos);
    return 0;
  }
  const auto written = flakestat::store::encode_hunt(*record);
  const auto again = flakestat::store::parse_hunt(written, "fuzz");
  require(again.ok() && *again == *record);
  require(flakestat::store::encode_hunt(*again) == written);
  return 0;
}
