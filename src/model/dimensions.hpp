// Dimensions: key=value facts about where an execution happened (design, section 1).
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace flakestat {

/// Sorted by key, so that iteration is the canonical order. Empty values are never stored by `merge`.
using Dimensions = std::map<std::string, std::string, std::less<>>;

/// Later layers win; empty values are dropped.
[[nodiscard]] Dimensions merge(const Dimensions& lower, const Dimensions& higher);

/// `key=value\n` for every key in order, empty values dropped: what exec_key and artifact digest.
[[nodiscard]] std::string canonical(const Dimensions& dimensions);

/// Dimensions that say which execution it was, never what it was like: recorded, never analysed, never context.
[[nodiscard]] bool is_provenance(std::string_view key);

namespace dim {
inline constexpr std::string_view kOs = "os";
inline constexpr std::string_view kArch = "arch";
inline constexpr std::string_view kRuntimeName = "runtime.name";
inline constexpr std::string_view kRuntimeVersion = "runtime.version";
inline constexpr std::string_view kCiProvider = "ci.provider";
inline constexpr std::string_view kCiRunId = "ci.run_id";
inline constexpr std::string_view kCiRunNumber = "ci.run_number";
inline constexpr std::string_view kCiJobId = "ci.job_id";
inline constexpr std::string_view kCiAttempt = "ci.attempt";
inline constexpr std::string_view kCiWorker = "ci.worker";
inline constexpr std::string_view kCiShard = "ci.shard";
}  // namespace dim

}  // namespace flakestat
