// The log reader on arbitrary bytes: no crash, every byte accounted for, and every view of what it found is readable.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "store/log_reader.hpp"
#include "store/observation_encoder.hpp"

namespace {

using flakestat::ObservationView;

// Touches every byte that a view names, so that a sanitizer sees views into nowhere.
std::size_t touch(const ObservationView& view) {
  std::size_t sum = 0;
  for (const auto text : {view.run_id, view.commit, view.code, view.branch, view.suite, view.class_name, view.name,
                          view.file, view.message, view.isolation, view.sanitised_assumption, view.sanitised_detail,
                          view.dimensions_raw, view.artifact, view.exec_key}) {
    for (const char c : text) sum += static_cast<unsigned char>(c);
  }
  for (const auto& [key, value] : view.dimensions) sum += key.size() + value.size();
  return sum;
}

// What was read, written and read again is the same record.
void check_written_again(const ObservationView& view) {
  flakestat::Observation o;
  o.ts = view.ts;
  o.run_id = view.run_id;
  o.suite = view.suite;
  o.class_name = view.class_name;
  o.name = view.name;
  o.test_id = view.test_id;
  o.status = view.status;
  o.message = view.message;
  for (const auto& [key, value] : view.dimensions) o.dimensions[std::string(key)] = value;
  flakestat::store::ObservationEncoder encoder;
  std::string line;
  encoder.append(line, o);
  std::size_t same = 0;
  const auto stats = flakestat::store::read_log_bytes(line, [&](const ObservationView& again) {
    same += again.name == o.name && again.suite == o.suite && again.message == o.message && again.status == o.status &&
            again.test_id == o.test_id;
  });
  if (stats.lines != 1 || same != 1) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  volatile std::size_t sum = 0;
  const auto stats = flakestat::store::read_log_bytes(bytes, [&](const ObservationView& view) {
    sum = sum + touch(view);
    check_written_again(view);
  });
  if (stats.bytes != size || stats.accounted() != size) std::abort();
  return 0;
}
