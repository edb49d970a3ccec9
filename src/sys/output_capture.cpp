#include "sys/output_capture.hpp"

#include <algorithm>

namespace flakestat::sys {

namespace {

// Doubles its memory when there is too little, as std::string does, but goes straight to the limit when that is near.
void append_within(std::string& kept, std::string_view bytes, std::size_t limit) {
  const auto needed = kept.size() + bytes.size();
  if (needed > kept.capacity()) {
    const auto wanted = std::max(needed, 2 * kept.capacity());
    kept.reserve(wanted > limit / 2 ? limit : wanted);
  }
  kept.append(bytes);
}

}  // namespace

void OutputCapture::append(std::string_view bytes) {
  total_ += bytes.size();
  const auto to_head = bytes.substr(0, head_limit_ - head_.size());
  append_within(head_, to_head, head_limit_);
  bytes.remove_prefix(to_head.size());
  bytes.remove_prefix(bytes.size() - std::min(bytes.size(), tail_limit_));
  if (tail_.size() + bytes.size() > 2 * tail_limit_) tail_.erase(0, tail_.size() - (tail_limit_ - bytes.size()));
  append_within(tail_, bytes, 2 * tail_limit_);
}

std::string_view OutputCapture::tail() const {
  const std::string_view kept = tail_;
  return kept.substr(kept.size() - std::min(kept.size(), tail_limit_));
}

std::optional<OutputCapture> OutputCapture::restored(std::size_t head_limit, std::size_t tail_limit,
                                                     const Parts& parts) {
  if (parts.head.size() > head_limit || parts.tail.size() > tail_limit) return std::nullopt;
  if (parts.total < parts.head.size() + parts.tail.size()) return std::nullopt;
  OutputCapture capture(head_limit, tail_limit);
  capture.total_ = parts.total;
  capture.head_ = parts.head;
  capture.tail_ = parts.tail;
  return capture;
}

std::uint64_t OutputCapture::dropped() const { return total_ - head_.size() - tail().size(); }

std::string OutputCapture::text() const {
  std::string out = head_;
  if (const auto lost = dropped(); lost > 0) {
    if (!out.empty() && out.back() != '\n') out += '\n';
    out += "[... " + std::to_string(lost) + " bytes left out ...]\n";
  }
  return out.append(tail());
}

std::string OutputCapture::last_lines(std::size_t lines, std::size_t limit) const {
  // When nothing was dropped the tail alone may be too little: head and tail are then one text.
  if (dropped() > 0) return std::string(sys::last_lines(tail(), lines, limit));
  return std::string(sys::last_lines(text(), lines, limit));
}

std::string_view last_lines(std::string_view text, std::size_t lines, std::size_t limit) {
  if (lines == 0) return {};
  auto end = text.size();
  if (end > 0 && text[end - 1] == '\n') --end;
  auto start = end;
  while (start > 0 && (text[start - 1] != '\n' || --lines > 0)) --start;
  text = text.substr(start);
  return text.substr(text.size() - std::min(text.size(), limit));
}

}  // namespace flakestat::sys
