// Columns of text for a terminal or a file.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "text/style.hpp"

namespace flakestat::text {

enum class Align { left, right };

struct Column {
  std::string title;
  Align align = Align::left;
};

struct Cell {
  std::string text;  ///< foreign text is welcome: the table escapes it
  Tone tone = Tone::plain;
  std::string mark{};  ///< behind the text, faint; kept whole when the text is cut (last column only)
};

/// Rows under titles, columns two blanks apart. Only the last column is ever cut, only when the look has a width, and
/// then in the middle, since names tend to differ at either end. Colour is applied after measuring.
class Table {
 public:
  explicit Table(std::vector<Column> columns);

  /// One cell per column.
  void add_row(std::vector<Cell> cells);
  [[nodiscard]] std::size_t rows() const { return rows_.size(); }

  /// Title line and rows, each with its newline; no blanks at line ends.
  [[nodiscard]] std::string render(const Look& look) const;

 private:
  struct Measured {
    std::string text;
    std::string mark;
    Tone tone = Tone::plain;
    std::size_t width = 0;
  };
  using Row = std::vector<Measured>;

  void append_row(std::string& out, const Row& row, const Look& look) const;
  void append_last(std::string& out, const Measured& cell, const Look& look) const;

  std::vector<Column> columns_;
  std::vector<std::size_t> widths_;
  Row titles_;
  std::vector<Row> rows_;
};

}  // namespace flakestat::text
