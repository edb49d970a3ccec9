#include "report/phrase.hpp"

#include "text/escape.hpp"

namespace flakestat::report {

Phrase& Phrase::say(std::string_view own) {
  if (!own.empty()) pieces_.push_back({std::string(own), false});
  return *this;
}

Phrase& Phrase::quote(std::string_view foreign) {
  if (!foreign.empty()) pieces_.push_back({std::string(foreign), true});
  return *this;
}

Phrase& Phrase::add(const Phrase& other) {
  pieces_.insert(pieces_.end(), other.pieces_.begin(), other.pieces_.end());
  return *this;
}

std::string Phrase::terminal() const {
  std::string out;
  for (const auto& piece : pieces_) out += piece.foreign ? text::escape_terminal(piece.text) : piece.text;
  return out;
}

std::string Phrase::markdown() const {
  std::string out;
  for (const auto& piece : pieces_) {
    out += piece.foreign ? text::escape_markdown_code(piece.text) : text::escape_html_text(piece.text);
  }
  return out;
}

std::string Phrase::markdown_cell() const {
  std::string out;
  for (const auto& piece : pieces_) {
    out += piece.foreign ? text::escape_markdown_cell(piece.text) : text::escape_html_text(piece.text);
  }
  return out;
}

std::string Phrase::plain() const {
  std::string out;
  for (const auto& piece : pieces_) out += piece.text;
  return out;
}

}  // namespace flakestat::report
