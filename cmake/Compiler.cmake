# Language level, warnings and sanitizers: everything that every target shares.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

find_program(FLAKESTAT_CCACHE ccache)
if(FLAKESTAT_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${FLAKESTAT_CCACHE})
endif()

# Scores must be equal in every bit on every machine: no fused multiply-add, no fast-math.
add_compile_options(-ffp-contract=off -fno-strict-aliasing)

add_library(flakestat_warnings INTERFACE)
target_compile_options(flakestat_warnings INTERFACE
  -Wall -Wextra -Werror -Wshadow -Wconversion -Wsign-conversion -Wnon-virtual-dtor
  -Wold-style-cast -Wcast-align -Woverloaded-virtual -Wformat=2)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  # GCC 12 sees overlaps that cannot be in `"text" + std::string` at -O2 and above (GCC bug 105651).
  target_compile_options(flakestat_warnings INTERFACE -Wno-restrict)
endif()

if(FLAKESTAT_SANITIZE)
  string(REPLACE ";" "," _san "${FLAKESTAT_SANITIZE}")
  add_compile_options(-fsanitize=${_san} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${_san})
endif()

if(FLAKESTAT_FUZZ)
  # Coverage in our own code is what a fuzzer steers by; linking alone would leave it blind.
  add_compile_options(-fsanitize=fuzzer-no-link)
  # RapidJSON moves a null pointer by an offset before its first allocation: not ours to find.
  file(WRITE ${CMAKE_BINARY_DIR}/ignored_sources.txt "[undefined]\nsrc:*/rapidjson/*\n")
  add_compile_options(-fsanitize-ignorelist=${CMAKE_BINARY_DIR}/ignored_sources.txt)
endif()
