# `cmake --install BUILD --prefix /usr/local`: the binary, its man pages and its completions. The binary writes the pages
# and scripts itself, so that they are those of its version.
include(GNUInstallDirs)
install(TARGETS flakestat RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(CODE [[
  function(flakestat_write path)
    set(_file "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/${path}")
    get_filename_component(_folder "${_file}" DIRECTORY)
    file(MAKE_DIRECTORY "${_folder}")
    execute_process(COMMAND "$<TARGET_FILE:flakestat>" ${ARGN} OUTPUT_FILE "${_file}" COMMAND_ERROR_IS_FATAL ANY)
    message(STATUS "Installing: ${_file}")
  endfunction()
  flakestat_write(share/bash-completion/completions/flakestat completions bash)
  flakestat_write(share/zsh/site-functions/_flakestat completions zsh)
  flakestat_write(share/fish/vendor_completions.d/flakestat.fish completions fish)
  execute_process(COMMAND "$<TARGET_FILE:flakestat>" man --output "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/share/man/man1"
    COMMAND_ERROR_IS_FATAL ANY)
]])
