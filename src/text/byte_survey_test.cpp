#include "text/byte_survey.hpp"

#include <gtest/gtest.h>

#include <random>

namespace flakestat::text {
namespace {

ByteSurvey survey(const std::string& bytes, std::size_t piece) {
  ByteSurvey found;
  std::uint64_t line = 1;
  for (std::size_t at = 0; at < bytes.size(); at += piece) {
    const auto part = std::string_view(bytes).substr(at, piece);
    found.add(part, line, true, true);
    for (const char byte : part) line += byte == '\n' ? 1 : 0;
  }
  found.finish(line);
  return found;
}

TEST(ByteSurvey, DoesNotDependOnWhereThePiecesEnd) {
  const std::vector<std::string> kPieces{"a",    "\n",       "é",    "€",    "\U0001F600", "\xE2",
                                         "\x82", "\xF0\x9F", "\xFF", "\xC3", "\x01",       "\xED\xA0\x80"};
  std::mt19937 random(3);
  for (int round = 0; round < 500; ++round) {
    std::string bytes;
    for (std::size_t i = 0, count = random() % 20; i < count; ++i) bytes += kPieces[random() % kPieces.size()];
    const auto whole = survey(bytes, 1000);
    for (std::size_t piece = 1; piece < 8; ++piece) {
      const auto parts = survey(bytes, piece);
      ASSERT_EQ(parts.broken_utf8().count, whole.broken_utf8().count);
      ASSERT_EQ(parts.broken_utf8().first_line, whole.broken_utf8().first_line);
      ASSERT_EQ(parts.control_characters().count, whole.control_characters().count);
      ASSERT_EQ(parts.control_characters().first_line, whole.control_characters().first_line);
    }
  }
}

}  // namespace
}  // namespace flakestat::text
