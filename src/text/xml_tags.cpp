// Start tags and end tags, as they are and as they should not be.
#include <cstring>

#include "text/xml_scanner.hpp"

namespace flakestat::text {
namespace {

struct NameBytes {
  bool starts[256] = {};
  bool holds[256] = {};
  constexpr NameBytes() {
    for (unsigned byte = 0; byte < 256; ++byte) {
      const bool letter = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
      starts[byte] = letter || byte == '_' || byte == ':' || byte >= 0x80;
      holds[byte] = starts[byte] || (byte >= '0' && byte <= '9') || byte == '-' || byte == '.';
    }
  }
};
constexpr NameBytes kName;

bool starts_name(char byte) { return kName.starts[static_cast<unsigned char>(byte)]; }
bool is_quote(char byte) { return byte == '"' || byte == '\''; }

}  // namespace

std::size_t XmlScanner::name_end(std::size_t from) const {
  while (kName.holds[static_cast<unsigned char>(data_[from])]) ++from;  // the blank behind the window stops it
  return from;
}

XmlScanner::Step XmlScanner::markup() {
  if (end_ - pos_ < 16) (void)ensure(16);
  const char kind = data_[pos_ + 1];
  if (starts_name(kind)) return start_tag();
  if (kind == '/') return end_tag();
  if (kind == '!' || kind == '?') return special();
  return stray();
}

/// A `<` that begins nothing: text up to the next one.
XmlScanner::Step XmlScanner::stray() {
  const std::size_t less = find(&ByteMasks::less, pos_ + 1);
  text_ = view(pos_, less);
  pos_ = less;
  return want_text_ ? Step::text : Step::again;
}

XmlScanner::Step XmlScanner::finish_inside(std::string_view what) {
  pos_ = end_;
  cut_off_ = what;
  return Step::again;
}

XmlScanner::Step XmlScanner::start_tag() {
  for (;;) {
    const std::size_t end = name_end(pos_ + 1);
    attribute_count_ = 0;
    open_quote_ = '\0';
    self_closing_ = false;
    Lex lex = Lex::incomplete;
    if (end < end_) {
      const char after = data_[end];
      if (!is_xml_blank(after) && after != '>' && after != '/') return stray();
      lex = lex_attributes(end);
    }
    if (lex == Lex::complete) {
      name_ = view(pos_ + 1, end);
      pos_ = token_end_;
      doctype_allowed_ = false;
      return Step::start;
    }
    if (lex == Lex::text) {
      if (broken_tags_.count++ == 0) broken_tags_.first_line = line();
      return stray();
    }
    if (more()) continue;
    if (eof_) return finish_inside("a tag");
    return cut_tag();
  }
}

void XmlScanner::add_attribute(std::string_view name, std::string_view value) {
  if (attribute_count_ < kMaxAttributes) attributes_[attribute_count_++] = {name, value};
}

/// From behind the element's name to behind its `>`.
XmlScanner::Lex XmlScanner::lex_attributes(std::size_t at) {
  for (;;) {
    while (is_xml_blank(data_[at]) && at < end_) ++at;
    if (at >= end_) return Lex::incomplete;
    const char byte = data_[at];
    if (byte == '>') {
      token_end_ = at + 1;
      self_closing_ = self_closing_ || data_[at - 1] == '/';
      return Lex::complete;
    }
    if (byte == '<') return Lex::text;
    if (byte == '/' || byte == '=' || is_quote(byte)) {
      ++at;
      continue;
    }
    std::size_t end = find(&ByteMasks::stop, at);
    if (end >= end_) return Lex::incomplete;
    if (data_[end] == '>' && data_[end - 1] == '/') --end;
    const auto name = view(at, end);
    at = end;
    if (const Lex lex = lex_value(at, name); lex != Lex::complete) return lex;
  }
}

/// From behind an attribute's name to behind its value, if it has one.
XmlScanner::Lex XmlScanner::lex_value(std::size_t& at, std::string_view name) {
  std::size_t here = at;
  while (is_xml_blank(data_[here]) && here < end_) ++here;
  if (here >= end_) return Lex::incomplete;
  if (data_[here] != '=') {
    add_attribute(name, {});
    return Lex::complete;
  }
  ++here;
  while (is_xml_blank(data_[here]) && here < end_) ++here;
  if (here >= end_) return Lex::incomplete;
  const char quote = data_[here];
  if (!is_quote(quote)) {
    std::size_t end = here;
    while (end < end_ && !is_xml_blank(data_[end]) && data_[end] != '>' && data_[end] != '<')
      end = find(&ByteMasks::stop, end + 1);
    if (end >= end_) return Lex::incomplete;
    if (data_[end] == '>' && end > here && data_[end - 1] == '/') --end;
    add_attribute(name, view(here, end));
    at = end;
    return Lex::complete;
  }
  std::size_t close = find(&ByteMasks::quote, here + 1);
  while (close < end_ && data_[close] != quote) close = find(&ByteMasks::quote, close + 1);
  if (close >= end_) {
    open_quote_ = quote;
    open_value_ = here + 1;
    open_name_ = name;
    return Lex::incomplete;
  }
  add_attribute(name, view(here + 1, close));
  at = close + 1;
  return Lex::complete;
}

/// Copies what is known of a tag that does not fit into the window, each value up to a limit.
void XmlScanner::keep_cut_attributes() {
  if (open_quote_ != '\0') add_attribute(open_name_, view(open_value_, end_));
  name_ = view(pos_ + 1, name_end(pos_ + 1)).substr(0, limits_.kept_value);
  std::size_t total = name_.size();
  for (auto& attribute : std::span(attributes_).first(attribute_count_)) {
    attribute.name = attribute.name.substr(0, limits_.kept_value);
    attribute.value = attribute.value.substr(0, limits_.kept_value);
    total += attribute.name.size() + attribute.value.size();
  }
  cut_storage_.clear();
  cut_storage_.reserve(total);
  const auto keep = [this](std::string_view& piece) {
    const std::size_t at = cut_storage_.size();
    cut_storage_ += piece;
    piece = std::string_view(cut_storage_).substr(at);
  };
  keep(name_);
  for (auto& attribute : std::span(attributes_).first(attribute_count_)) {
    keep(attribute.name);
    keep(attribute.value);
  }
}

/// A tag longer than the largest window: the rest of it is skipped.
XmlScanner::Step XmlScanner::cut_tag() {
  if (cut_tags_.count++ == 0) cut_tags_.first_line = line();
  keep_cut_attributes();
  char quote = open_quote_;
  char last = ' ';
  pos_ = end_;
  for (;;) {
    if (pos_ >= end_ && !more()) return finish_inside("a tag");
    const char byte = data_[pos_++];
    if (quote != '\0') {
      if (byte == quote) quote = '\0';
    } else if (is_quote(byte)) {
      quote = byte;
    } else if (byte == '>') {
      self_closing_ = last == '/';
      doctype_allowed_ = false;
      return Step::start;
    }
    last = byte;
  }
}

XmlScanner::Step XmlScanner::end_tag() {
  for (;;) {
    if (!starts_name(data_[pos_ + 2])) return stray();
    const std::size_t end = name_end(pos_ + 2);
    std::size_t at = end;
    while (at < end_ && data_[at] != '>' && data_[at] != '<') at = find(&ByteMasks::stop, at + 1);
    if (at >= end_) {
      if (more()) continue;
      if (eof_) return finish_inside("an end tag");
      return stray();
    }
    name_ = view(pos_ + 2, end);
    pos_ = data_[at] == '>' ? at + 1 : at;
    return Step::end;
  }
}

}  // namespace flakestat::text
