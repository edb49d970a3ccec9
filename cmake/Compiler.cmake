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

if(FLAKESTAT_SANITIZE)
  string(REPLACE ";" "," _san "${FLAKESTAT_SANITIZE}")
  add_compile_options(-fsanitize=${_san} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${_san})
endif()
if(FLAKESTAT_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)  # coverage for the fuzzers in every layer
endif()
