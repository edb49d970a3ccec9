// Markup that may be longer than any window: comments, CDATA sections, instructions, the document type.
#include <algorithm>
#include <cstring>

#include "text/xml_scanner.hpp"

namespace flakestat::text {
namespace {

bool starts_with_caseless(std::string_view text, std::string_view upper) {
  if (text.size() < upper.size()) return false;
  return std::equal(upper.begin(), upper.end(), text.begin(),
                    [](char a, char b) { return a == (b >= 'a' && b <= 'z' ? b - 32 : b); });
}

}  // namespace

XmlScanner::Step XmlScanner::special() {
  const auto rest = view(pos_, std::min(end_, pos_ + 16));
  if (rest.starts_with("<![CDATA[")) {
    state_ = State::cdata;
    pos_ += 9;
  } else if (rest.starts_with("<!--")) {
    resume_ = state_;
    state_ = State::comment;
    pos_ += 4;
  } else if (rest.starts_with("<?")) {
    resume_ = state_;
    state_ = State::instruction;
    pos_ += 2;
  } else if (doctype_allowed_ && starts_with_caseless(rest, "<!DOCTYPE")) {
    return doctype();
  } else {
    return stray();
  }
  return Step::again;
}

/// Moves behind `terminator` (which ends in `>`); keeps the bytes that may be its begin at a window's end. False: the
/// input ended first.
bool XmlScanner::skip_section(std::string_view terminator, std::string_view what) {
  const std::size_t before = terminator.size() - 1;
  for (;;) {
    for (std::size_t at = pos_; at < end_;) {
      const auto* hit = static_cast<const char*>(std::memchr(data_ + at, '>', end_ - at));
      if (hit == nullptr) break;
      at = static_cast<std::size_t>(hit - data_);
      if (at - pos_ >= before && view(at - before, at + 1) == terminator) {
        pos_ = at + 1;
        return true;
      }
      ++at;
    }
    pos_ = std::max(pos_, end_ - std::min(end_, before));
    if (more()) continue;
    (void)finish_inside(what);
    return false;
  }
}

/// One piece of a CDATA section into text_; false when there is none (wanted) in this step.
bool XmlScanner::cdata_piece() {
  if (!want_text_) {
    if (skip_section("]]>", "a CDATA section")) state_ = State::content;
    return false;
  }
  while (end_ - pos_ < 3 && more()) {
  }
  const auto all = view(pos_, end_);
  const auto close = all.find("]]>");
  if (close != std::string_view::npos) {
    text_ = all.substr(0, close);
    pos_ += close + 3;
    state_ = State::content;
    return !text_.empty();
  }
  if (all.size() < 3) {
    text_ = all;
    (void)finish_inside("a CDATA section");
    return !text_.empty();
  }
  text_ = all.substr(0, all.size() - 2);
  pos_ = end_ - 2;
  return true;
}

/// Goes on inside a section; true when text_ holds a piece of CDATA. cut_off_ is set when the input ended inside.
bool XmlScanner::section_step() {
  switch (state_) {
    case State::cdata: return cdata_piece();
    case State::comment:
      if (skip_section("-->", "a comment")) state_ = resume_;
      return false;
    case State::instruction:
      if (skip_section("?>", "a processing instruction")) state_ = resume_;
      return false;
    case State::subset:
      while (state_ == State::subset && subset_step()) {
      }
      return false;
    case State::doctype_tail:
      if (skip_section(">", "the document type")) state_ = State::content;
      return false;
    case State::content: break;
  }
  return false;
}

/// The end of a declaration: its `>` outside quotes, or a `[` when that ends it; end_ when it is not in the window.
std::size_t XmlScanner::declaration_end(std::size_t from, bool stop_at_bracket) const {
  char quote = '\0';
  for (std::size_t at = from; at < end_; ++at) {
    const char byte = data_[at];
    if (quote != '\0') {
      if (byte == quote) quote = '\0';
    } else if (byte == '"' || byte == '\'') {
      quote = byte;
    } else if (byte == '>' || (stop_at_bracket && byte == '[')) {
      return at;
    }
  }
  return end_;
}

XmlScanner::Step XmlScanner::doctype() {
  for (;;) {
    const std::size_t end = declaration_end(pos_, true);
    if (end < end_) {
      state_ = data_[end] == '[' ? State::subset : State::content;
      doctype_allowed_ = false;
      pos_ = end + 1;
      return Step::again;
    }
    if (more()) continue;
    return eof_ ? finish_inside("the document type") : stray();
  }
}

/// One item of the internal subset. False: the input ended.
bool XmlScanner::subset_step() {
  if (!ensure(16) && pos_ >= end_) {
    (void)finish_inside("the document type");
    return false;
  }
  const auto rest = view(pos_, std::min(end_, pos_ + 16));
  if (rest.starts_with("<!--") || rest.starts_with("<?")) {
    (void)special();
    return true;
  }
  if (rest[0] == ']') state_ = State::doctype_tail;
  if (!rest.starts_with("<!")) {
    ++pos_;
    return true;
  }
  const std::size_t end = declaration_end(pos_, false);
  if (end >= end_) {
    if (more()) return true;
    if (eof_) (void)finish_inside("the document type");
    else pos_ += 2;  // a declaration longer than any window: walk through it
    return !eof_;
  }
  if (rest.starts_with("<!ENTITY")) declare_entity(view(pos_ + 8, end));
  pos_ = end + 1;
  return true;
}

/// `name "value"` of a general entity; parameter entities and external ones are not kept.
void XmlScanner::declare_entity(std::string_view declaration) {
  const auto body = trim_blank(declaration);
  const auto name_size = body.find_first_of(" \t\r\n");
  if (name_size == std::string_view::npos || body[0] == '%') return;
  const auto value = trim_blank(body.substr(name_size));
  if (value.size() < 2 || (value[0] != '"' && value[0] != '\'') || value.back() != value[0]) return;
  entities_.declare(body.substr(0, name_size), value.substr(1, value.size() - 2));
}

}  // namespace flakestat::text
