// How text output looks: width, colour, and what colours mean.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace flakestat::text {

/// What a renderer must know of where its text goes. The defaults are right for a file or a pipe.
struct Look {
  std::size_t width = 0;  ///< columns of the terminal; 0: unlimited, nothing is cut
  bool colour = false;    ///< SGR sequences are wanted
};

/// What a piece of text means; the only place where colours are chosen.
enum class Tone { plain, strong, faint, good, warning, bad };

/// The text in the tone's colour; unchanged when colour is off. Escape foreign text first.
[[nodiscard]] std::string paint(std::string_view text, Tone tone, bool colour);

}  // namespace flakestat::text
