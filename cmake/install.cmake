# `find_package(hallmark)` and `add_subdirectory(hallmark)` give the same targets. Three parts can be installed apart
# (cmake --install … --component NAME): program, vectors, development. Nobody's umask decides who may read them.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)
set(CMAKE_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(readable OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
set(HALLMARK_ZSH_COMPLETIONS share/zsh/site-functions CACHE STRING "Where zsh looks for completions, below the prefix")

# The program with its manual and its completions. The manual is made by the program itself, when it is installed.
install(TARGETS hallmark RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
find_program(HALLMARK_GZIP gzip REQUIRED)
set(manual ${PROJECT_BINARY_DIR}/manual)
install(CODE "
  file(REMOVE_RECURSE \"${manual}\")
  execute_process(COMMAND \"$<TARGET_FILE:hallmark>\" man --out \"${manual}\" OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
  file(GLOB pages \"${manual}/*.1\")
  execute_process(COMMAND \"${HALLMARK_GZIP}\" -9n \${pages} COMMAND_ERROR_IS_FATAL ANY)"
  COMPONENT program)
install(DIRECTORY ${manual}/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT program FILE_PERMISSIONS ${readable})
install(FILES ${PROJECT_SOURCE_DIR}/cli/completion/hallmark.bash DESTINATION share/bash-completion/completions
  RENAME hallmark COMPONENT program PERMISSIONS ${readable})
install(FILES ${PROJECT_SOURCE_DIR}/cli/completion/hallmark.zsh DESTINATION ${HALLMARK_ZSH_COMPLETIONS}
  RENAME _hallmark COMPONENT program PERMISSIONS ${readable})
install(FILES ${PROJECT_SOURCE_DIR}/cli/completion/hallmark.fish DESTINATION share/fish/vendor_completions.d
  COMPONENT program PERMISSIONS ${readable})

# The golden vectors as data, for runners in other languages: the program carries its own.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/vectors/ DESTINATION ${CMAKE_INSTALL_DATADIR}/hallmark/vectors
  COMPONENT vectors FILE_PERMISSIONS ${readable} FILES_MATCHING PATTERN "*.json" PATTERN "*.jsonl"
  PATTERN format EXCLUDE PATTERN generator EXCLUDE PATTERN runners EXCLUDE)

# The libraries.
get_property(components GLOBAL PROPERTY HALLMARK_COMPONENTS)
install(TARGETS ${components} hallmark_flags hallmark_asio EXPORT hallmark-targets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
install(EXPORT hallmark-targets NAMESPACE hallmark::
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/hallmark COMPONENT development)
foreach(directory IN ITEMS base embedded protocol reference clients vectors oracle conformance loadgen distributed captures exporters pcapng observe proxy reports stores audit pages)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/${directory} DESTINATION include/hallmark
    COMPONENT development FILE_PERMISSIONS ${readable}
    FILES_MATCHING PATTERN "*.hpp" PATTERN tests EXCLUDE PATTERN bench EXCLUDE PATTERN fuzz EXCLUDE)
endforeach()
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/hallmark-config.cmake.in
  ${PROJECT_BINARY_DIR}/hallmark-config.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/hallmark)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/hallmark-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/hallmark-config.cmake
  ${PROJECT_BINARY_DIR}/hallmark-config-version.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/hallmark COMPONENT development PERMISSIONS ${readable})
