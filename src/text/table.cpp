#include "text/table.hpp"

#include <algorithm>
#include <numeric>
#include <string_view>
#include <utility>

#include "text/escape.hpp"
#include "text/width.hpp"

namespace flakestat::text {
namespace {

constexpr std::string_view kGap = "  ";
// The last column keeps this much even on a terminal too narrow for the table: a wrapped line beats an empty cell.
constexpr std::size_t kLeastLastWidth = 16;

void trim_right(std::string& line, std::size_t from) {
  while (line.size() > from && line.back() == ' ') line.pop_back();
}

}  // namespace

Table::Table(std::vector<Column> columns) : columns_(std::move(columns)) {
  for (const auto& column : columns_) {
    const auto width = display_width(column.title);
    titles_.push_back({column.title, "", Tone::strong, width});
    widths_.push_back(width);
  }
}

void Table::add_row(std::vector<Cell> cells) {
  cells.resize(columns_.size());
  Row row;
  row.reserve(cells.size());
  for (std::size_t i = 0; i < cells.size(); ++i) {
    Measured cell{escape_terminal(cells[i].text), escape_terminal(cells[i].mark), cells[i].tone, 0};
    cell.width = display_width(cell.text);
    if (i + 1 < cells.size()) widths_[i] = std::max(widths_[i], cell.width);
    row.push_back(std::move(cell));
  }
  rows_.push_back(std::move(row));
}

std::string Table::render(const Look& look) const {
  std::string out;
  append_row(out, titles_, look);
  for (const auto& row : rows_) append_row(out, row, look);
  return out;
}

void Table::append_row(std::string& out, const Row& row, const Look& look) const {
  const std::size_t start = out.size();
  for (std::size_t i = 0; i + 1 < row.size(); ++i) {
    const std::string padding(widths_[i] - row[i].width, ' ');
    if (columns_[i].align == Align::right) out += padding;
    out += paint(row[i].text, row[i].tone, look.colour);
    if (columns_[i].align == Align::left) out += padding;
    out += kGap;
  }
  if (!row.empty()) append_last(out, row.back(), look);
  trim_right(out, start);
  out += '\n';
}

void Table::append_last(std::string& out, const Measured& cell, const Look& look) const {
  const std::size_t before = std::accumulate(widths_.begin(), widths_.end() - 1, kGap.size() * (widths_.size() - 1));
  const std::size_t mark = cell.mark.empty() ? 0 : kGap.size() + display_width(cell.mark);
  std::string text = cell.text;
  if (look.width > 0 && before + cell.width + mark > look.width) {
    const std::size_t taken = before + mark;
    const std::size_t room = look.width > taken ? look.width - taken : 0;
    text = truncate(text, std::max(room, kLeastLastWidth), Elide::middle);
  }
  out += paint(text, cell.tone, look.colour);
  if (mark > 0) out.append(kGap).append(paint(cell.mark, Tone::faint, look.colour));
}

}  // namespace flakestat::text
