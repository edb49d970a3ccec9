#include "text/byte_survey.hpp"

#include <simdjson.h>

#include <utility>

#include "base/utf8.hpp"

namespace flakestat::text {
namespace {

void note(Oddity& oddity, std::uint64_t line) {
  if (oddity.count++ == 0) oddity.first_line = line;
}

}  // namespace

void ByteSurvey::add(std::string_view piece, std::uint64_t line, bool non_ascii, bool control) {
  if (non_ascii || !open_.empty()) check_utf8(piece, line);
  if (control) count_control(piece, line);
}

void ByteSurvey::finish(std::uint64_t line) {
  if (!open_.empty()) note(broken_, line);
  open_.clear();
}

void ByteSurvey::check_utf8(std::string_view piece, std::uint64_t line) {
  while (!open_.empty() && !piece.empty()) {
    open_.push_back(piece.front());
    piece.remove_prefix(1);
    const auto still_open = incomplete_utf8_tail(open_);
    if (still_open == open_.size()) continue;
    const std::string joined = std::exchange(open_, open_.substr(open_.size() - still_open));
    count_broken(std::string_view(joined).substr(0, joined.size() - still_open), line);
    if (joined.back() == '\n') ++line;
  }
  const auto tail = incomplete_utf8_tail(piece);
  if (open_.empty()) open_ = piece.substr(piece.size() - tail);
  piece.remove_suffix(tail);
  if (!simdjson::validate_utf8(piece.data(), piece.size())) count_broken(piece, line);
}

void ByteSurvey::count_broken(std::string_view bytes, std::uint64_t line) {
  while (!bytes.empty()) {
    const auto step = decode_utf8(bytes);
    if (!step.valid) note(broken_, line);
    if (bytes.front() == '\n') ++line;
    bytes.remove_prefix(step.size);
  }
}

void ByteSurvey::count_control(std::string_view piece, std::uint64_t line) {
  for (const char byte : piece) {
    if (byte == '\n') ++line;
    if (static_cast<unsigned char>(byte) < 0x20 && byte != '\n' && byte != '\t' && byte != '\r') note(control_, line);
  }
}

}  // namespace flakestat::text
