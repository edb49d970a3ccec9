#include "text/style.hpp"

namespace flakestat::text {
namespace {

std::string_view start_of(Tone tone) {
  switch (tone) {
    case Tone::plain: return "";
    case Tone::strong: return "\x1b[1m";
    case Tone::faint: return "\x1b[2m";
    case Tone::good: return "\x1b[32m";
    case Tone::warning: return "\x1b[33m";
    case Tone::bad: return "\x1b[31m";
  }
  return "";
}

}  // namespace

std::string paint(std::string_view text, Tone tone, bool colour) {
  const auto start = start_of(tone);
  if (!colour || start.empty() || text.empty()) return std::string(text);
  std::string out(start);
  out += text;
  out += "\x1b[0m";
  return out;
}

}  // namespace flakestat::text
