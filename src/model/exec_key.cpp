#include "model/exec_key.hpp"

#include <array>
#include <charconv>

namespace flakestat {
namespace {
constexpr std::size_t kKeyBytes = 8;
constexpr std::size_t kArtifactBytes = 16;
}  // namespace

ReportKeys::ReportKeys(const Dimensions& dimensions, std::string_view path, const Sha256Digest& report) {
  prefix_.update_prefixed(canonical(dimensions))
      .update_prefixed(path)
      .update_prefixed(hex_prefix(report, report.size()));
  artifact_ = hex_prefix(Sha256(prefix_).finish(), kArtifactBytes);
}

void ReportKeys::exec_key(TestId test, std::uint64_t ordinal, std::string& out) const {
  std::array<char, 19> test_part{'1', '6', ':'};
  write_hex(static_cast<std::uint64_t>(test), test_part.data() + 3);
  std::array<char, 20> number;
  const auto* end = std::to_chars(number.data(), number.data() + number.size(), ordinal).ptr;
  Sha256 digest = prefix_;
  digest.update({test_part.data(), test_part.size()});
  digest.update_prefixed({number.data(), static_cast<std::size_t>(end - number.data())});
  out.resize(2 * kKeyBytes);
  write_hex(first_u64(digest.finish()), out.data());
}

std::string ReportKeys::exec_key(TestId test, std::uint64_t ordinal) const {
  std::string out;
  exec_key(test, ordinal, out);
  return out;
}

std::string run_exec_key(std::string_view run_id, std::int64_t repetition, std::int64_t attempt, TestId test) {
  Sha256 digest;
  digest.update_prefixed(run_id).update_prefixed(std::to_string(repetition)).update_prefixed(std::to_string(attempt));
  return hex_prefix(digest.update_prefixed(to_hex(test)).finish(), kKeyBytes);
}

}  // namespace flakestat
