// `<dir>/baseline.json`: read with suspicion, written whole (docs/formats/baseline.md).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "model/baseline.hpp"

namespace flakestat::store {

inline constexpr std::string_view kBaselineName = "baseline.json";

/// The text of a baseline, at most 64 MiB; `path` stands in messages. A file without `model` is the predecessor's:
/// flip-rate. Errors name the file and the mend: `damaged` when it is no baseline, `config` for a newer version.
[[nodiscard]] Result<Baseline> parse_baseline(std::string_view json, const std::string& path);

/// Nothing when there is no such file. Errors: as parse_baseline; `io`.
[[nodiscard]] Result<std::optional<Baseline>> read_baseline(const std::string& path);

/// The bytes of the file: a function of the baseline alone, one test a block, in order of test_id.
[[nodiscard]] std::string encode_baseline(const Baseline& baseline);

/// Replaces the file as a whole; its folder is made when needed. Errors: `io`.
[[nodiscard]] Result<void> write_baseline(const std::string& path, const Baseline& baseline);

}  // namespace flakestat::store
