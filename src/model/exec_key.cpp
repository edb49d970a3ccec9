#include "model/exec_key.hpp"

namespace flakestat {
namespace {
constexpr std::size_t kKeyBytes = 8;
constexpr std::size_t kArtifactBytes = 16;
}  // namespace

ReportKeys::ReportKeys(const Dimensions& dimensions, std::string_view path, const Sha256Digest& report) {
  prefix_.update_prefixed(canonical(dimensions)).update_prefixed(path).update_prefixed(hex_prefix(report, report.size()));
  artifact_ = hex_prefix(Sha256(prefix_).finish(), kArtifactBytes);
}

std::string ReportKeys::exec_key(TestId test, std::uint64_t ordinal) const {
  Sha256 digest = prefix_;
  digest.update_prefixed(to_hex(test)).update_prefixed(std::to_string(ordinal));
  return hex_prefix(digest.finish(), kKeyBytes);
}

std::string run_exec_key(std::string_view run_id, std::int64_t repetition, std::int64_t attempt, TestId test) {
  Sha256 digest;
  digest.update_prefixed(run_id).update_prefixed(std::to_string(repetition)).update_prefixed(std::to_string(attempt));
  return hex_prefix(digest.update_prefixed(to_hex(test)).finish(), kKeyBytes);
}

}  // namespace flakestat
