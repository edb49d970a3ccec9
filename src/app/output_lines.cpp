#include "app/output_lines.hpp"

#include <algorithm>

#include "text/escape.hpp"

namespace flakestat::app {

void OutputLines::add(std::string_view bytes) {
  while (!bytes.empty()) {
    const auto end = bytes.find('\n');
    const auto part = bytes.substr(0, std::min(end, kLongest - open_.size()));
    open_ += part;
    bytes.remove_prefix(part.size());
    const bool ended = !bytes.empty() && bytes.front() == '\n';
    if (ended) bytes.remove_prefix(1);
    if (ended && open_.empty()) give_("");
    else if (ended || open_.size() >= kLongest) finish();
  }
}

void OutputLines::finish() {
  if (open_.empty()) return;
  for (const auto& line : text::terminal_lines(open_)) give_(line);
  open_.clear();
}

}  // namespace flakestat::app
