# The dialects, and the sources that are the same for each of them. A dialect is a table that
# protocol/dialects/all.hpp includes: protocol/dialects/NAME.hpp, which defines `protocol::tables::NAME`.
#
#   HALLMARK_DIALECTS                the names, in the order of the includes
#   hallmark_own_sources(OUT FILE)   sets OUT to the dialects that have a source of their own, and OUT_SOURCES to
#                                    those: FILE, in which the name stands as @name@, below this directory
#   hallmark_for_each(OUT TEXT NAME…)
#                                    sets OUT to the lines that TEXT gives with each name as @name@

set(hallmark_tables ${PROJECT_SOURCE_DIR}/protocol/dialects/all.hpp)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${hallmark_tables})
file(STRINGS ${hallmark_tables} HALLMARK_DIALECTS REGEX "^#include \"protocol/dialects/.*\\.hpp\"$")
list(TRANSFORM HALLMARK_DIALECTS REPLACE "^#include \"protocol/dialects/(.*)\\.hpp\"$" "\\1")

function(hallmark_own_sources out file)
  set(names "")
  set(sources "")
  foreach(name IN LISTS HALLMARK_DIALECTS)
    string(CONFIGURE "${file}" source @ONLY)
    file(GLOB found CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${source})
    if(found)
      list(APPEND names ${name})
      list(APPEND sources ${source})
    endif()
  endforeach()
  set(${out} ${names} PARENT_SCOPE)
  set(${out}_SOURCES ${sources} PARENT_SCOPE)
endfunction()

function(hallmark_for_each out text)
  set(lines "")
  foreach(name IN LISTS ARGN)
    string(CONFIGURE "${text}" line @ONLY)
    string(APPEND lines "${line}\n")
  endforeach()
  set(${out} "${lines}" PARENT_SCOPE)
endfunction()
