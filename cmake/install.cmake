# `find_package(hallmark)` and `add_subdirectory(hallmark)` give the same targets.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

get_property(components GLOBAL PROPERTY HALLMARK_COMPONENTS)
install(TARGETS ${components} hallmark_flags hallmark_asio EXPORT hallmark-targets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS hallmark RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(EXPORT hallmark-targets NAMESPACE hallmark::
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/hallmark)
foreach(directory IN ITEMS base protocol reference vectors oracle conformance loadgen distributed captures proxy reports stores audit pages)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/${directory} DESTINATION include/hallmark
    FILES_MATCHING PATTERN "*.hpp" PATTERN tests EXCLUDE PATTERN bench EXCLUDE PATTERN fuzz EXCLUDE)
endforeach()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/vectors/ DESTINATION ${CMAKE_INSTALL_DATADIR}/hallmark/vectors
  FILES_MATCHING PATTERN "*.json" PATTERN "*.jsonl" PATTERN "*.py" PATTERN "*.go" PATTERN "*.mjs")

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/hallmark-config.cmake.in
  ${PROJECT_BINARY_DIR}/hallmark-config.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/hallmark)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/hallmark-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/hallmark-config.cmake
  ${PROJECT_BINARY_DIR}/hallmark-config-version.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/hallmark)
