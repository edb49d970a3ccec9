# Third-party libraries. ARCHITECTURE.md says in one sentence why each is here.
# All headers are included as SYSTEM so that our warnings judge our code only.
set(OPENSSL_USE_STATIC_LIBS TRUE)
find_package(OpenSSL REQUIRED COMPONENTS Crypto)
find_package(Threads REQUIRED)
find_path(CLI11_INCLUDE CLI/CLI.hpp REQUIRED)
find_path(RAPIDJSON_INCLUDE rapidjson/writer.h REQUIRED)
find_path(UTF8PROC_INCLUDE utf8proc.h REQUIRED)
find_path(BOOST_MATH_INCLUDE boost/math/distributions/hypergeometric.hpp REQUIRED)
find_library(UTF8PROC_LIBRARY NAMES libutf8proc.a utf8proc REQUIRED)

find_path(YAML_INCLUDE yaml.h REQUIRED)
find_library(YAML_LIBRARY NAMES libyaml.a yaml REQUIRED)
find_path(RE2_INCLUDE re2/re2.h REQUIRED)
find_library(RE2_LIBRARY NAMES libre2.a re2 REQUIRED)

# simdjson has no static library in Debian; scripts/deps.sh lays the amalgamated source here.
set(SIMDJSON_DIR ${CMAKE_SOURCE_DIR}/.deps/simdjson CACHE PATH "folder with simdjson.cpp and simdjson.h")
if(NOT EXISTS ${SIMDJSON_DIR}/simdjson.cpp)
  message(FATAL_ERROR "simdjson is not in ${SIMDJSON_DIR}: run scripts/deps.sh first (make does it)")
endif()
add_library(simdjson STATIC ${SIMDJSON_DIR}/simdjson.cpp)
target_include_directories(simdjson SYSTEM PUBLIC ${SIMDJSON_DIR})
target_compile_options(simdjson PRIVATE -O2)
if(FLAKESTAT_SANITIZE)
  # Not ours to check, and its unrolled kernels take minutes to compile with sanitizers. What it inlines into our files is checked.
  target_compile_options(simdjson PRIVATE -fno-sanitize=all)
endif()
target_link_libraries(simdjson PUBLIC Threads::Threads)
target_compile_definitions(simdjson PUBLIC SIMDJSON_THREADS_ENABLED=1)

function(flakestat_header_library name include_dir)
  add_library(${name} INTERFACE)
  target_include_directories(${name} SYSTEM INTERFACE ${include_dir})
endfunction()
flakestat_header_library(cli11 ${CLI11_INCLUDE})
flakestat_header_library(rapidjson ${RAPIDJSON_INCLUDE})
flakestat_header_library(boost_math ${BOOST_MATH_INCLUDE})
flakestat_header_library(utf8proc ${UTF8PROC_INCLUDE})
target_link_libraries(utf8proc INTERFACE ${UTF8PROC_LIBRARY})
flakestat_header_library(yaml ${YAML_INCLUDE})
target_link_libraries(yaml INTERFACE ${YAML_LIBRARY})
flakestat_header_library(re2 ${RE2_INCLUDE})
target_link_libraries(re2 INTERFACE ${RE2_LIBRARY} Threads::Threads)

# Legacy encodings of reports: ICU's converters without its 30 MB of other data, so that they work in a static binary too.
# Without ICU (or off x86-64 Debian's layout) the reader names the encoding and the mend instead.
find_path(ICU_INCLUDE unicode/ucnv.h)
find_library(ICU_UC_LIBRARY NAMES libicuuc.a)
find_library(ICU_DATA_LIBRARY NAMES libicudata.a)
find_program(ICUPKG icupkg PATHS /usr/sbin)
if(ICU_INCLUDE AND ICU_UC_LIBRARY AND ICU_DATA_LIBRARY AND ICUPKG)
  set(_icu_data ${CMAKE_BINARY_DIR}/icu_converters.o)
  add_custom_command(OUTPUT ${_icu_data}
    COMMAND ${CMAKE_SOURCE_DIR}/cmake/slim_icu_data.sh ${ICU_DATA_LIBRARY} ${CMAKE_SOURCE_DIR}/cmake/icu_converters.txt ${_icu_data}
    DEPENDS ${CMAKE_SOURCE_DIR}/cmake/slim_icu_data.sh ${CMAKE_SOURCE_DIR}/cmake/icu_converters.txt
    COMMENT "Taking the converters out of ICU's data" VERBATIM)
  add_library(icu_converters STATIC ${_icu_data})
  set_target_properties(icu_converters PROPERTIES LINKER_LANGUAGE CXX)
  flakestat_header_library(icu ${ICU_INCLUDE})
  target_compile_definitions(icu INTERFACE FLAKESTAT_ICU=1)
  target_link_libraries(icu INTERFACE ${ICU_UC_LIBRARY} icu_converters ${CMAKE_DL_LIBS})
endif()
