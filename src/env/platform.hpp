// The machine's platform as dimensions, and how the layers of dimensions come together.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "env/ci.hpp"
#include "model/dimensions.hpp"

namespace flakestat::env {

/// `os` and `arch` in Go's words: linux, darwin, windows; amd64, arm64, 386, arm. A pure renaming of what uname says;
/// unknown words stay, in lower case.
[[nodiscard]] Dimensions platform_dimensions(std::string_view system, std::string_view machine);

/// This machine's platform, from uname(2).
[[nodiscard]] Dimensions host_platform();

/// Who ran the tests, as far as this process can tell.
enum class Origin {
  launched_here,  ///< flakestat started them
  read_here,      ///< a report was read: only in recognised CI it is taken for this machine's
};

struct DetectedInput {
  Origin origin = Origin::read_here;
  bool no_host = false;  ///< --no-host: never record this machine's platform
};

/// The lowest layer: CI's dimensions, and the host's platform where `input` allows it.
[[nodiscard]] Dimensions detected_dimensions(const DetectedInput& input, const std::optional<CiRun>& ci,
                                             const Dimensions& host);

/// All `--dimension` pairs; the last one of a key wins. The first bad pair is the usage error.
[[nodiscard]] Result<Dimensions> parse_dimensions(std::span<const std::string> pairs);

}  // namespace flakestat::env
