# One test binary per layer (src/<layer>/*_test.cpp), found by rule so that no test can be left out.
find_package(GTest REQUIRED)
include(GoogleTest)
set(FLAKESTAT_CORPUS "${CMAKE_SOURCE_DIR}/../shared/corpus/junit" CACHE PATH "the shared corpus of JUnit reports")

file(GLOB _testing CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/testing/*.cpp)
list(FILTER _testing EXCLUDE REGEX "_test\\.cpp$")
add_library(flakestat_testing STATIC ${_testing})
target_link_libraries(flakestat_testing PUBLIC flakestat_core GTest::gtest GTest::gmock)
target_link_libraries(flakestat_testing PRIVATE flakestat_warnings)

# Small programs that tests run as children: tests/programs/NAME.cpp -> build/.../programs/NAME
file(GLOB _programs CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/programs/*.cpp)
if(FLAKESTAT_LOW_LAYERS)
  # Those of the layers that are there; a header alone needs no layer.
  foreach(_source ${_programs})
    file(STRINGS ${_source} _upward REGEX "#include \"(dispatch|run|adapters|report|app|cli)/")
    list(FILTER _upward EXCLUDE REGEX "app/execution_rule.hpp")
    if(_upward)
      list(REMOVE_ITEM _programs ${_source})
    endif()
  endforeach()
endif()
set(_program_targets "")
foreach(_source ${_programs})
  get_filename_component(_name ${_source} NAME_WE)
  add_executable(program_${_name} ${_source})
  set_target_properties(program_${_name} PROPERTIES OUTPUT_NAME ${_name}
    RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/programs)
  target_link_libraries(program_${_name} PRIVATE flakestat_core flakestat_warnings)
  list(APPEND _program_targets program_${_name})
endforeach()

foreach(_layer ${FLAKESTAT_LAYERS} testing)
  file(GLOB _tests CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/${_layer}/*_test.cpp)
  if(_tests)
    add_executable(test_${_layer} ${_tests})
    target_link_libraries(test_${_layer} PRIVATE flakestat_testing GTest::gtest_main flakestat_warnings)
    if(FLAKESTAT_SANITIZE MATCHES undefined)
      # Undefined behaviour is looked for in what is tested; in the tests themselves it would cost a third of the build.
      set_source_files_properties(${_tests} PROPERTIES COMPILE_OPTIONS "-fno-sanitize=undefined")
    endif()
    if(_program_targets)
      add_dependencies(test_${_layer} ${_program_targets})
    endif()
    target_compile_definitions(test_${_layer} PRIVATE
      FLAKESTAT_SOURCE_DIR="${CMAKE_SOURCE_DIR}"
      FLAKESTAT_PROGRAMS_DIR="${CMAKE_BINARY_DIR}/programs"
      FLAKESTAT_BINARY="$<$<TARGET_EXISTS:flakestat>:$<TARGET_FILE:flakestat>>")
    gtest_discover_tests(test_${_layer} TEST_PREFIX "${_layer}." DISCOVERY_TIMEOUT 60
      PROPERTIES TIMEOUT 300 ENVIRONMENT "FLAKESTAT_CORPUS=$<IF:$<BOOL:$ENV{FLAKESTAT_CORPUS}>,$ENV{FLAKESTAT_CORPUS},${FLAKESTAT_CORPUS}>")
  endif()
endforeach()

if(EXISTS ${CMAKE_SOURCE_DIR}/tests/CMakeLists.txt AND NOT FLAKESTAT_LOW_LAYERS)
  add_subdirectory(tests)
endif()
