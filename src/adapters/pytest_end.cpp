#include "adapters/pytest_end.hpp"

#include <array>
#include <cstdio>
#include <cstring>

namespace flakestat::adapters {
namespace {

constexpr int kNothingRan = 5;
constexpr int kSignalled = 128;

std::string signal_text(int number) {
  const char* name = ::sigabbrev_np(number);
  return "signal " + std::to_string(number) + (name == nullptr ? "" : std::string(" (SIG") + name + ")");
}

}  // namespace

std::string end_text(const sys::WorkerEnd& end) {
  return end.signalled ? signal_text(end.code) : "exit code " + std::to_string(end.code);
}

std::string code_text(int code) {
  switch (code) {
    case 2: return "pytest was interrupted, or could not collect everything";
    case 3: return "an internal error of pytest";
    case 4: return "pytest could not use the command line or the configuration";
    default: return "pytest ended with exit code " + std::to_string(code);
  }
}

int death_code(const sys::WorkerEnd& end) { return failing_code(end.signalled ? kSignalled + end.code : end.code); }

int failing_code(int code) { return code == 0 || code == kNothingRan ? kRunnerBroke : code; }

std::string late_text(std::chrono::milliseconds patience) {
  std::array<char, 32> seconds{};
  std::snprintf(seconds.data(), seconds.size(), "%.6g", static_cast<double>(patience.count()) / 1000);
  return std::string("no result within ") + seconds.data() + " s (--worker-timeout)";
}

std::string broken_word(int said, const sys::WorkerEnd& end) {
  if (!end.signalled && end.code == (said & 0xff)) return {};
  return end_text(end);
}

}  // namespace flakestat::adapters
