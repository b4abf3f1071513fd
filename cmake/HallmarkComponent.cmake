# How a component of Hallmark is declared: one library, its tests and its benchmarks.
#
#   hallmark_component(NAME [OPTIMISED] [BUSY] SOURCES … LINKS …)
#                                                  library hallmark::NAME. OPTIMISED: its speed is
#                                                  measured, release builds compile it with -O2 where the
#                                                  rest has -O1, which takes a third less time to compile.
#                                                  BUSY: tests spend much of their time in it. With the address
#                                                  sanitizer it has -O1, and the rest -O0, which takes half to three
#                                                  quarters of the time to compile
#   hallmark_tests(NAME SOURCES … LINKS …)         executable hallmark_NAME_tests, registered with CTest:
#                                                  each case by itself, or in HALLMARK_TEST_SHARDS parts
#                                                  (most cases run shorter than a process takes to start);
#                                                  built by hallmark_component_tests, or by
#                                                  hallmark_program_tests where ./check runs them without
#                                                  sanitizers only: what needs the whole program, components
#                                                  that get their input from others, and loops of minutes
#   hallmark_benchmark(NAME SOURCES … LINKS …)     executable hallmark_NAME_bench, not a test; built by
#                                                  hallmark_benchmarks
#   hallmark_bench_program(NAME SOURCES … LINKS …) the same with a main of its own, executable hallmark_NAME
#   hallmark_fuzz_target(NAME SOURCES … LINKS … [CORPUS PATTERN…] [DICTIONARY FILE] [MOST_BYTES NUMBER])
#                                                  executable hallmark_NAME_fuzz for libFuzzer, with HALLMARK_FUZZ;
#                                                  without, its sources are only compiled. Built by
#                                                  hallmark_fuzz_targets, run by e2e/fuzz.mjs. CORPUS:
#                                                  files below the root of the tree that it begins with, beside those
#                                                  of fuzz/corpus/NAME; an input has MOST_BYTES at most
#
# The LINKS of the components are the diagram of docs/architecture.md; nothing else joins them.

add_library(hallmark_flags INTERFACE)
target_compile_features(hallmark_flags INTERFACE cxx_std_20)
target_compile_options(hallmark_flags INTERFACE
  $<BUILD_INTERFACE:-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion
  -Wnon-virtual-dtor -Woverloaded-virtual -Wnull-dereference -Wimplicit-fallthrough>)
if(NOT HALLMARK_UNITY)
  target_compile_options(hallmark_flags INTERFACE $<BUILD_INTERFACE:-Wshadow>)
elseif(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # The compiler lets the main source have anonymous types in others; of sources compiled together none is it.
  target_compile_options(hallmark_flags INTERFACE $<BUILD_INTERFACE:-Wno-subobject-linkage>)
endif()
# Fifty programs of tests are linked in half the time, where LLVM's linker is installed.
find_program(HALLMARK_LLD ld.lld)
if(HALLMARK_UNITY AND HALLMARK_TESTS AND HALLMARK_LLD)
  target_link_options(hallmark_flags INTERFACE $<BUILD_INTERFACE:-fuse-ld=lld>)
endif()
if(HALLMARK_WERROR)
  target_compile_options(hallmark_flags INTERFACE $<BUILD_INTERFACE:-Werror>)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # Both of these report code of the standard library and of Boost inlined into ours (GCC 12).
  target_compile_options(hallmark_flags INTERFACE
    $<BUILD_INTERFACE:-Wno-null-dereference -Wno-maybe-uninitialized>)
  # The compiler collects its garbage later: a tenth of its time, for 100 MB more.
  target_compile_options(hallmark_flags INTERFACE $<BUILD_INTERFACE:--param=ggc-min-heapsize=786432>)
elseif(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  # std::stable_sort of GCC's library calls a function that the library itself calls deprecated.
  target_compile_options(hallmark_flags INTERFACE $<BUILD_INTERFACE:-Wno-deprecated-declarations>)
endif()
if(HALLMARK_SANITIZE)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "HALLMARK_SANITIZE wants Clang, and the compiler is ${CMAKE_CXX_COMPILER_ID}: add -DCMAKE_CXX_COMPILER=clang++-19")
  endif()
  target_compile_options(hallmark_flags INTERFACE
    $<BUILD_INTERFACE:-fsanitize=${HALLMARK_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer>)
  if(HALLMARK_SANITIZE MATCHES "address" AND NOT HALLMARK_FUZZ)
    # What the first four would find ends in a report of the address sanitizer too, alignment by a warning. Fuzz targets
    # have them, and keep the variables of functions that have returned, to find who uses those. Here, these and checks
    # that are written out at each place would make compiling take half as long again (25 s for 17 in conformance), and
    # the tests as well (701 s of CPU for 510).
    target_compile_options(hallmark_flags INTERFACE
      $<BUILD_INTERFACE:-fno-sanitize=null,object-size,vptr,alignment -Wcast-align -fsanitize-address-use-after-return=never>
      "$<BUILD_INTERFACE:SHELL:-mllvm -asan-instrumentation-with-call-threshold=0>")
  endif()
  target_link_options(hallmark_flags INTERFACE $<BUILD_INTERFACE:-fsanitize=${HALLMARK_SANITIZE}>)
endif()

function(hallmark_component name)
  cmake_parse_arguments(arg "OPTIMISED;BUSY" "" "SOURCES;LINKS" ${ARGN})
  add_library(hallmark_${name} STATIC ${arg_SOURCES})
  add_library(hallmark::${name} ALIAS hallmark_${name})
  set_target_properties(hallmark_${name} PROPERTIES EXPORT_NAME ${name})
  target_include_directories(hallmark_${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<INSTALL_INTERFACE:include/hallmark>)
  target_link_libraries(hallmark_${name} PUBLIC hallmark_flags ${arg_LINKS})
  if((arg_OPTIMISED AND NOT HALLMARK_SANITIZE) OR (arg_BUSY AND HALLMARK_SANITIZE))
    hallmark_optimise(hallmark_${name})
  else()
    hallmark_precompile(hallmark_${name} hallmark_pch)
  endif()
  hallmark_compile_together(hallmark_${name})
  set_property(GLOBAL APPEND PROPERTY HALLMARK_COMPONENTS hallmark_${name})
endfunction()

function(hallmark_tests name)
  if(NOT HALLMARK_TESTS)
    return()
  endif()
  cmake_parse_arguments(arg "OPTIMISED" "" "SOURCES;LINKS" ${ARGN})
  add_executable(hallmark_${name}_tests ${arg_SOURCES})
  target_link_libraries(hallmark_${name}_tests PRIVATE
    ${arg_LINKS} hallmark_places GTest::gmock GTest::gtest_main)
  if(arg_OPTIMISED)
    hallmark_precompile(hallmark_${name}_tests hallmark_pch)
  else()
    hallmark_precompile(hallmark_${name}_tests hallmark_tests_pch)
    target_compile_options(hallmark_${name}_tests PRIVATE ${hallmark_test_optimisation})
  endif()
  hallmark_compile_together(hallmark_${name}_tests)
  # These are far beyond what tests take, on a slow and busy machine as well: they end what hangs.
  set(timeout 120)
  if(HALLMARK_SANITIZE)
    set(timeout 600)
  endif()
  if(name STREQUAL "e2e" OR HALLMARK_TEST_SHARDS EQUAL 0)
    gtest_discover_tests(hallmark_${name}_tests
      TEST_PREFIX "${name}/" NO_PRETTY_VALUES DISCOVERY_TIMEOUT 120
      PROPERTIES TIMEOUT ${timeout} LABELS ${name})
  else()
    math(EXPR last "${HALLMARK_TEST_SHARDS} - 1")
    math(EXPR timeout "2 * ${timeout}")
    foreach(shard RANGE ${last})
      # Each case is named when it begins: .ci/stages finds the one that hung.
      add_test(NAME ${name}/shard-${shard} COMMAND hallmark_${name}_tests)
      set_tests_properties(${name}/shard-${shard} PROPERTIES TIMEOUT ${timeout} LABELS ${name} ENVIRONMENT
        "GTEST_TOTAL_SHARDS=${HALLMARK_TEST_SHARDS};GTEST_SHARD_INDEX=${shard};GTEST_OUTPUT=xml:${PROJECT_BINARY_DIR}/shards/${name}-${shard}.xml")
    endforeach()
  endif()
  set(all hallmark_component_tests)
  if(name MATCHES "^(e2e|cli|clients|generator|audit|reports|stores|exhaustive)$")
    set(all hallmark_program_tests)
  endif()
  if(NOT TARGET ${all})
    add_custom_target(${all})
  endif()
  add_dependencies(${all} hallmark_${name}_tests)
endfunction()

function(hallmark_benchmark name)
  cmake_parse_arguments(arg "" "" "SOURCES;LINKS" ${ARGN})
  hallmark_bench_program(${name}_bench SOURCES ${arg_SOURCES} LINKS ${arg_LINKS} benchmark::benchmark_main)
endfunction()

function(hallmark_bench_program name)
  if(NOT HALLMARK_BENCHMARKS)
    return()
  endif()
  cmake_parse_arguments(arg "" "" "SOURCES;LINKS" ${ARGN})
  add_executable(hallmark_${name} ${arg_SOURCES})
  target_link_libraries(hallmark_${name} PRIVATE ${arg_LINKS})
  hallmark_optimise(hallmark_${name})
  if(NOT TARGET hallmark_benchmarks)
    add_custom_target(hallmark_benchmarks)
  endif()
  add_dependencies(hallmark_benchmarks hallmark_${name})
endfunction()

# e2e/fuzz.mjs finds a target by the file that this writes.
function(hallmark_fuzz_target name)
  cmake_parse_arguments(arg "" "DICTIONARY;MOST_BYTES" "SOURCES;LINKS;CORPUS" ${ARGN})
  if(NOT TARGET hallmark_fuzz_targets)
    add_custom_target(hallmark_fuzz_targets)
  endif()
  add_dependencies(hallmark_fuzz_targets hallmark_${name}_fuzz)
  if(NOT HALLMARK_FUZZ)
    list(FILTER arg_SOURCES INCLUDE REGEX "^fuzz/")
    add_library(hallmark_${name}_fuzz OBJECT EXCLUDE_FROM_ALL ${arg_SOURCES})
    target_link_libraries(hallmark_${name}_fuzz PRIVATE ${arg_LINKS})
    return()
  endif()
  add_executable(hallmark_${name}_fuzz ${arg_SOURCES})
  target_link_libraries(hallmark_${name}_fuzz PRIVATE ${arg_LINKS} -fsanitize=fuzzer)
  if(NOT arg_MOST_BYTES)
    set(arg_MOST_BYTES 4096)
  endif()
  list(TRANSFORM arg_CORPUS PREPEND ${PROJECT_SOURCE_DIR}/)
  file(GLOB corpus CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/fuzz/corpus/${name}/* ${arg_CORPUS})
  list(JOIN corpus "\",\n    \"" corpus)
  if(arg_DICTIONARY)
    set(arg_DICTIONARY ${CMAKE_CURRENT_SOURCE_DIR}/${arg_DICTIONARY})
  endif()
  file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/fuzz/${name}.json CONTENT "{
  \"program\": \"$<TARGET_FILE:hallmark_${name}_fuzz>\",
  \"corpus\": [
    \"${corpus}\"],
  \"dictionary\": \"${arg_DICTIONARY}\",
  \"most_bytes\": ${arg_MOST_BYTES}
}
")
endfunction()

# hallmark_compile_apart(SOURCE…): with HALLMARK_UNITY the compiler gets several sources of a target at a time. It gets these
# apart from the others, those of one call together. A comment beside each list says why. Private names of one target
# should differ, in whatever order its sources come. -Wshadow is checked without HALLMARK_UNITY.
function(hallmark_compile_apart)
  set_property(SOURCE ${ARGN} PROPERTY HALLMARK_BATCH ${ARGV0})
endfunction()

# The property UNITY_BUILD of CMake would do it, but names sources by absolute paths. These get into the objects
# (__FILE__), and ccache finds none of those in another checkout. Waits until the directory has said what it compiles apart.
function(hallmark_compile_together target)
  if(HALLMARK_UNITY)
    # What a deferred call is given is looked up when it is made.
    cmake_language(EVAL CODE "cmake_language(DEFER CALL hallmark_write_unity ${target})")
  endif()
endfunction()

function(hallmark_write_unity target)
  set(most_at_once 64)
  get_target_property(sources ${target} SOURCES)
  set(kept "")
  set(batches "")
  foreach(source IN LISTS sources)
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE OUTPUT_VARIABLE path)
    cmake_path(IS_PREFIX PROJECT_BINARY_DIR ${path} NORMALIZE is_generated)
    if(is_generated)
      list(APPEND kept ${source})
      continue()
    endif()
    get_property(batch SOURCE ${source} PROPERTY HALLMARK_BATCH)
    string(MAKE_C_IDENTIFIER "batch_${batch}" batch)
    cmake_path(RELATIVE_PATH path BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
    list(APPEND batches ${batch})
    list(APPEND ${batch} ${path})
  endforeach()
  list(REMOVE_DUPLICATES batches)
  set(number 0)
  foreach(batch IN LISTS batches)
    list(LENGTH ${batch} left)
    set(first 0)
    while(first LESS left)
      list(SUBLIST ${batch} ${first} ${most_at_once} paths)
      list(TRANSFORM paths REPLACE "(.+)" "#include \"\\1\"\n")
      list(JOIN paths "" text)
      set(unity ${CMAKE_CURRENT_BINARY_DIR}/unity/${target}_${number}.cpp)
      file(GENERATE OUTPUT ${unity} CONTENT "${text}")
      list(APPEND kept ${unity})
      math(EXPR first "${first} + ${most_at_once}")
      math(EXPR number "${number} + 1")
    endwhile()
  endforeach()
  set_target_properties(${target} PROPERTIES SOURCES "${kept}")
endfunction()

# What nearly every file includes is compiled once for all components, and once more for all tests.
function(hallmark_shared_pch name header)
  file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/${name}.cpp CONTENT "")
  add_library(${name} OBJECT ${PROJECT_BINARY_DIR}/${name}.cpp)
  target_link_libraries(${name} PRIVATE hallmark_flags ${ARGN})
  # By a relative path, as above.
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
  target_precompile_headers(${name} PRIVATE <cmake/${header}>)
  if(HALLMARK_CCACHE AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    execute_process(
      COMMAND ${CMAKE_CXX_COMPILER} -std=c++20 -E -P -I${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/cmake/${header}
      OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
    string(SHA256 sum "${CMAKE_CXX_COMPILER_VERSION} ${text}")
    file(WRITE ${PROJECT_BINARY_DIR}/CMakeFiles/${name}.dir/cmake_pch.hxx.pch.sum ${sum})
  endif()
endfunction()

# Where everything is compiled to be run once, tests are compiled sooner, and run slower: what takes their time
# is what they call, unless they are OPTIMISED. Without optimisation, compiling them takes a third less.
set(hallmark_test_optimisation "")
if(HALLMARK_UNITY AND NOT HALLMARK_SANITIZE)
  set(hallmark_test_optimisation -O0)
endif()

# The compiler may use a header that was precompiled with the same optimisation only: it crashes otherwise.
set(hallmark_optimisation "")
if(CMAKE_BUILD_TYPE STREQUAL "Release")
  set(hallmark_optimisation -O2)
elseif(HALLMARK_SANITIZE MATCHES "address" AND NOT HALLMARK_FUZZ)
  set(hallmark_optimisation -O1)
endif()
if(HALLMARK_PCH)
  hallmark_shared_pch(hallmark_pch precompiled.hpp fmt::fmt Boost::headers)
  set(hallmark_optimised_pch hallmark_pch)
  if(hallmark_optimisation)
    set(hallmark_optimised_pch hallmark_optimised_pch)
    hallmark_shared_pch(hallmark_optimised_pch precompiled.hpp fmt::fmt Boost::headers)
    target_compile_options(hallmark_optimised_pch PRIVATE ${hallmark_optimisation})
  endif()
  if(HALLMARK_TESTS)
    hallmark_shared_pch(hallmark_tests_pch precompiled_tests.hpp fmt::fmt Boost::headers GTest::gmock)
    target_compile_options(hallmark_tests_pch PRIVATE ${hallmark_test_optimisation})
  endif()
endif()

# A target may use a header that was precompiled with the same definitions only: {fmt} brings one.
function(hallmark_precompile target)
  set(pch hallmark_pch)
  if(ARGC GREATER 1)
    set(pch ${ARGV1})
  endif()
  if(HALLMARK_PCH)
    target_link_libraries(${target} PRIVATE fmt::fmt)
    target_precompile_headers(${target} REUSE_FROM ${pch})
  endif()
endfunction()

function(hallmark_optimise target)
  target_compile_options(${target} PRIVATE ${hallmark_optimisation})
  hallmark_precompile(${target} ${hallmark_optimised_pch})
endfunction()
