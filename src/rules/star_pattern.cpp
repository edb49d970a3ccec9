#include "rules/star_pattern.hpp"

#include "base/strings.hpp"

namespace flakestat::rules {

StarPattern::StarPattern(std::string_view pattern) {
  for (const auto piece : split(pattern, '*')) pieces_.push_back(make_piece(piece));
}

StarPattern::Piece StarPattern::make_piece(std::string_view text) {
  Piece piece{std::string(text), std::vector<std::size_t>(text.size())};
  for (std::size_t i = 1, length = 0; i < text.size(); ++i) {
    while (length > 0 && text[i] != text[length]) length = piece.border[length - 1];
    if (text[i] == text[length]) ++length;
    piece.border[i] = length;
  }
  return piece;
}

// Where the first occurrence ends; npos: there is none.
std::size_t StarPattern::find_end(const Piece& piece, std::string_view text) {
  if (piece.text.empty()) return 0;
  std::size_t matched = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    while (matched > 0 && text[i] != piece.text[matched]) matched = piece.border[matched - 1];
    if (text[i] == piece.text[matched]) ++matched;
    if (matched == piece.text.size()) return i + 1;
  }
  return std::string_view::npos;
}

bool StarPattern::matches(std::string_view text) const {
  const auto& first = pieces_.front().text;
  if (!has_star()) return text == first;
  const auto& last = pieces_.back().text;
  if (text.size() < first.size() + last.size() || !text.starts_with(first) || !text.ends_with(last)) return false;
  text.remove_prefix(first.size());
  text.remove_suffix(last.size());
  // The leftmost place of each piece leaves the most room to the others.
  for (std::size_t i = 1; i + 1 < pieces_.size(); ++i) {
    const auto end = find_end(pieces_[i], text);
    if (end == std::string_view::npos) return false;
    text.remove_prefix(end);
  }
  return true;
}

}  // namespace flakestat::rules
