#include "store/log_scanner.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <utility>

#include "store/observation_codec.hpp"

namespace flakestat::store {
namespace {

constexpr std::size_t kSkippedKept = 20;

// The line without `\n` or `\r\n`.
std::string_view without_end(std::string_view line) {
  if (line.ends_with('\n')) line.remove_suffix(1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

bool is_blank(std::string_view text) { return text.find_first_not_of(" \t\r") == std::string_view::npos; }

void keep_part(ScannedBlock& scanned, const LinePart& part) {
  if (scanned.keeps_parts) scanned.parts.push_back(part);
}

void skip(ScannedBlock& scanned, Skipped skipped) {
  keep_part(scanned, {skipped.offset, skipped.size, false});
  auto& stats = scanned.stats;
  ++stats.skipped_count;
  stats.skipped_bytes += skipped.size;
  if (stats.skipped.size() < kSkippedKept) stats.skipped.push_back(std::move(skipped));
}

std::uint64_t offset_of(const ScannedBlock& scanned, std::string_view part) {
  return scanned.block.offset + static_cast<std::uint64_t>(part.data() - scanned.block.buffer.data());
}

std::string too_long() { return "longer than " + std::to_string(kMaxLine) + " bytes"; }

const char* explain(std::string_view text, const char* reason) {
  return text.find_first_not_of('\0') == std::string_view::npos ? "NUL bytes, as a crash of the system leaves them"
                                                                : reason;
}

}  // namespace

void add(ReadStats& total, ReadStats&& later) {
  total.lines += later.lines;
  total.bytes += later.bytes;
  total.record_bytes += later.record_bytes;
  total.blank_bytes += later.blank_bytes;
  total.skipped_count += later.skipped_count;
  total.skipped_bytes += later.skipped_bytes;
  const auto room = std::min(kSkippedKept - total.skipped.size(), later.skipped.size());
  std::move(later.skipped.begin(), std::next(later.skipped.begin(), static_cast<std::ptrdiff_t>(room)),
            std::back_inserter(total.skipped));
  if (later.torn_tail) total.torn_tail = std::move(later.torn_tail);
}

void LogScanner::scan(ScannedBlock& scanned) {
  scanned.records.clear();
  scanned.parts.clear();
  scanned.stats = {};
  auto& block = scanned.block;
  scanned.arena.reset(block.size);
  if (block.overlong > 0) {
    scanned.stats.bytes = block.overlong;
    skip(scanned, {block.offset, block.overlong, too_long()});
    return;
  }
  scanned.stats.bytes = block.size;
  // Damage anywhere in the block that could reach over a line end (an open string, broken UTF-8) makes this fail; then
  // every line is looked at alone.
  has_block_tokens_ = block_tokens_.index(block.text());
  next_token_ = 0;
  auto rest = block.text();
  while (!rest.empty()) {
    const auto* end = static_cast<const char*>(std::memchr(rest.data(), '\n', rest.size()));
    const auto size = end == nullptr ? rest.size() : static_cast<std::size_t>(end + 1 - rest.data());
    scan_line(scanned, rest.substr(0, size));
    rest.remove_prefix(size);
  }
}

// `line` has its line end; only the file's last may lack one.
void LogScanner::scan_line(ScannedBlock& scanned, std::string_view line) {
  const auto text = without_end(line);
  if (line.size() > kMaxLine) {
    skip(scanned, {offset_of(scanned, line), line.size(), too_long()});
    skip_tokens(scanned, line);
    return;
  }
  if (!text.empty() && decode(scanned, text, line.size())) return;
  if (is_blank(text)) {
    scanned.stats.blank_bytes += line.size();
    return;
  }
  recover(scanned, line, reason_);
}

bool LogScanner::decode(ScannedBlock& scanned, std::string_view text, std::size_t size_with_end) {
  if (!has_block_tokens_) return decode_alone(scanned, text, size_with_end);
  const char* base = scanned.block.buffer.data();
  const auto positions = block_tokens_.positions();
  const bool decoded = decode(scanned, block_tokens_, {text, base, positions, next_token_}, size_with_end);
  if (decoded) {
    next_token_ = decoder_.next_token();
    return true;
  }
  skip_tokens(scanned, text);
  return false;
}

void LogScanner::skip_tokens(const ScannedBlock& scanned, std::string_view text) {
  const auto positions = block_tokens_.positions();
  const auto end = static_cast<std::size_t>(text.data() + text.size() - scanned.block.buffer.data());
  while (next_token_ < positions.size() && positions[next_token_] < end) ++next_token_;
}

bool LogScanner::decode_alone(ScannedBlock& scanned, std::string_view text, std::size_t size_with_end) {
  if (!line_tokens_.index(text)) {
    reason_ = "no whole JSON object";
    return false;
  }
  return decode(scanned, line_tokens_, {text, text.data(), line_tokens_.positions(), 0}, size_with_end);
}

bool LogScanner::decode(ScannedBlock& scanned, const text::JsonTokens& tokens, const LineTokens& line,
                        std::size_t size_with_end) {
  auto& view = scanned.records.emplace_back();
  reason_ = decoder_.decode(tokens, line, scanned.arena, view);
  if (reason_ != nullptr) {
    scanned.records.pop_back();
    return false;
  }
  ++scanned.stats.lines;
  scanned.stats.record_bytes += size_with_end;
  keep_part(scanned, {offset_of(scanned, line.line), size_with_end, true});
  return true;
}

// A torn line that a later append was glued to, or two records without a line end between: the line is cut wherever a
// record starts, and what is whole is kept.
void LogScanner::recover(ScannedBlock& scanned, std::string_view line, const char* reason) {
  const bool ended = line.ends_with('\n');
  for (auto rest = line; !rest.empty();) {
    const auto size = std::min(rest.find(kLineStart, 1), rest.size());
    const auto part = rest.substr(0, size);
    rest.remove_prefix(size);
    const auto text = rest.empty() ? without_end(part) : part;
    const bool whole_line = part.size() == line.size();
    if (!whole_line && decode_alone(scanned, text, part.size())) continue;
    Skipped skipped{offset_of(scanned, part), part.size(), explain(text, whole_line ? reason : reason_)};
    if (!rest.empty() || ended) {
      skip(scanned, std::move(skipped));
      continue;
    }
    keep_part(scanned, {skipped.offset, skipped.size, false});
    scanned.stats.torn_tail = std::move(skipped);
  }
}

}  // namespace flakestat::store
