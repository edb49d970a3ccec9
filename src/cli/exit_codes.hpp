// The one door from outcomes to exit codes (docs/exit-codes.md).
#pragma once

#include "base/result.hpp"

namespace flakestat::cli {

inline constexpr int kExitOk = 0;
inline constexpr int kExitFailed = 1;
inline constexpr int kExitWorse = 2;
inline constexpr int kExitUsage = 64;
inline constexpr int kExitDamaged = 65;
inline constexpr int kExitMissing = 66;
inline constexpr int kExitInternal = 70;
inline constexpr int kExitIo = 74;
inline constexpr int kExitConfig = 78;

[[nodiscard]] constexpr int exit_code(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::usage: return kExitUsage;
    case ErrorKind::damaged: return kExitDamaged;
    case ErrorKind::missing: return kExitMissing;
    case ErrorKind::internal: return kExitInternal;
    case ErrorKind::io: return kExitIo;
    case ErrorKind::config: return kExitConfig;
  }
  return kExitInternal;
}

}  // namespace flakestat::cli
