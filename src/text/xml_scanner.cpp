// The window over the input, and the walk from token to token.
#include "text/xml_scanner.hpp"

#include <algorithm>
#include <cstring>

namespace flakestat::text {
namespace {

constexpr std::size_t kFirstWindow = std::size_t{64} * 1024;  ///< most reports are small: no need to touch more memory
constexpr std::size_t kLookahead = 16;                        ///< enough to recognise `<![CDATA[` and `<!DOCTYPE`

std::uint64_t count_newlines(std::string_view text) {
  return static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'));
}

std::string_view local(std::string_view name) {
  const auto colon = name.rfind(':');
  return colon == std::string_view::npos ? name : name.substr(colon + 1);
}

}  // namespace

XmlScanner::XmlScanner(ReadBytes read, XmlLimits limits) : input_(std::move(read)), limits_(limits) {
  limits_.window = std::max<std::size_t>(limits_.window, 64);
  limits_.token = std::max(limits_.token, limits_.window);
  resize(std::min(limits_.window, kFirstWindow));
  (void)index();
}

/// Marks the delimiters of the whole window; a sentinel at its end stops every search.
ByteTraits XmlScanner::index() {
  const std::size_t padded = (end_ / kBlockBytes + 1) * kBlockBytes;
  std::memset(data_ + end_, ' ', padded - end_);
  const ByteTraits traits = index_bytes(data_, padded, masks_);
  newlines_inside_ = traits.newlines;
  const std::uint64_t sentinel = std::uint64_t{1} << (end_ % kBlockBytes);
  masks_[end_ / kBlockBytes].less |= sentinel;
  masks_[end_ / kBlockBytes].quote |= sentinel;
  return traits;
}

void XmlScanner::resize(std::size_t capacity) {
  capacity_ = capacity;
  buffer_.resize(capacity_ + 2 * kBlockBytes);
  masks_.resize(buffer_.size() / kBlockBytes + 1);
  data_ = buffer_.data();
}

/// Makes room behind the bytes in use: the whole window once the first bytes are through, more only for a long token.
/// False when it may not grow any more.
bool XmlScanner::grow() {
  if (opened_ && capacity_ < limits_.window) resize(limits_.window);
  else if (end_ > capacity_ / 2 && capacity_ < limits_.token) resize(std::min(capacity_ * 2, limits_.token));
  return end_ < capacity_;
}

/// Drops what is before pos_ and reads on. False: the input has ended (eof_) or the window is full.
bool XmlScanner::more() {
  if (eof_) return false;
  const std::size_t tail = end_ - pos_;
  newlines_before_ += newlines_inside_ - count_newlines(view(pos_, end_));
  if (opened_) original_before_ += input_.original_size(view(0, pos_));
  std::memmove(data_, data_ + pos_, tail);
  pos_ = 0;
  end_ = tail;
  std::size_t got = 0;
  if (grow()) {
    auto filled = input_.fill(data_ + end_, capacity_ - end_);
    if (!filled) error_ = filled.error();
    got = filled ? *filled : 0;
    eof_ = end_ + got < capacity_;
    if (!opened_) original_before_ = input_.encoding().bom;
    opened_ = true;
  }
  const auto fresh_line = newlines_before_ + count_newlines(view(0, end_)) + 1;
  const auto fresh_at = end_;
  end_ += got;
  const ByteTraits traits = index();
  if (blank_so_far_) blank_so_far_ = trim_blank(view(fresh_at, end_)).empty();
  if (got > 0) survey_.add(view(fresh_at, end_), fresh_line, traits.non_ascii, traits.control);
  if (eof_) survey_.finish(newlines_before_ + newlines_inside_ + 1);
  return got > 0;
}

bool XmlScanner::ensure(std::size_t bytes) {
  while (end_ - pos_ < bytes) {
    if (!more()) return false;
  }
  return true;
}

std::uint64_t XmlScanner::offset() const {
  if (pos_ == end_ && eof_) return input_.bytes_read();
  // Sizes in some legacy encodings are estimates.
  return std::min(input_.bytes_read(), original_before_ + input_.original_size(view(0, pos_)));
}

std::uint64_t XmlScanner::line() const { return newlines_before_ + count_newlines(view(0, pos_)) + 1; }

XmlEvent XmlScanner::finish() { return error_ ? XmlEvent::failed : XmlEvent::finish; }

XmlEvent XmlScanner::next() {
  for (;;) {
    if (state_ != State::content) {
      if (section_step()) return XmlEvent::cdata;
      if (!cut_off_.empty()) return finish();
      continue;
    }
    if (pos_ >= end_) {
      if (!more()) return finish();
      continue;
    }
    if (data_[pos_] != '<') {
      const std::size_t less = find(&ByteMasks::less, pos_);
      text_ = view(pos_, less);
      pos_ = less;
      if (want_text_) return XmlEvent::text;
      continue;
    }
    switch (markup()) {
      case Step::start: return XmlEvent::start;
      case Step::end: return XmlEvent::end;
      case Step::text: return XmlEvent::text;
      case Step::again: break;
    }
  }
}

XmlEvent XmlScanner::next_start_of(std::span<const std::string_view> names) {
  for (;;) {
    if (state_ != State::content) {
      if (!section_step() && !cut_off_.empty()) return finish();
      continue;
    }
    pos_ = find(&ByteMasks::less, pos_);
    if (pos_ >= end_ || !ensure(kLookahead)) {
      if (pos_ >= end_ && !more()) return finish();
      if (pos_ >= end_ || data_[pos_] != '<') continue;
    }
    const auto rest = view(pos_, std::min(end_, pos_ + kLookahead));
    if (rest.starts_with("<!--") || rest.starts_with("<![CDATA[")) {
      (void)special();
      continue;
    }
    const std::size_t end = name_end(pos_ + 1);
    if (end >= end_ && more()) continue;
    const auto found = local(view(pos_ + 1, end));
    const bool wanted = std::find(names.begin(), names.end(), found) != names.end();
    if (wanted && start_tag() == Step::start) return XmlEvent::start;
    if (!wanted) ++pos_;
  }
}

}  // namespace flakestat::text
