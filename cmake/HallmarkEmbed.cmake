# Files that are compiled into the program, so that it needs none beside it.
#
#   hallmark_embed(NAME BASE DIRECTORY FILES PATH…)
#       bundle NAME: the files, one behind the other, as one Zstandard frame. Each is known by its PATH, which
#       is relative to DIRECTORY. The bundle is packed anew when one of them changes. Appends its source to
#       HALLMARK_EMBEDDED_SOURCES and its name to HALLMARK_EMBEDDED_NAMES, from which embedded/ is made.
#
# A bundle is what is needed together, such as the vectors of a dialect: the program decompresses all of it or nothing.
function(hallmark_embed name)
  cmake_parse_arguments(arg "" "BASE" "FILES" ${ARGN})
  string(MAKE_C_IDENTIFIER ${name} identifier)
  set(source ${CMAKE_CURRENT_BINARY_DIR}/generated/${name}.cpp)
  list(TRANSFORM arg_FILES PREPEND ${arg_BASE}/ OUTPUT_VARIABLE inputs)
  set(script ${PROJECT_SOURCE_DIR}/embedded/pack.cmake)
  add_custom_command(OUTPUT ${source}
    COMMAND ${CMAKE_COMMAND} -DNAME=${name} -DIDENTIFIER=${identifier} -DBASE=${arg_BASE} "-DFILES=${arg_FILES}"
      -DOUT=${source} -P ${script}
    DEPENDS ${inputs} ${script}
    COMMENT "Packing ${name}"
    VERBATIM)
  set(HALLMARK_EMBEDDED_SOURCES ${HALLMARK_EMBEDDED_SOURCES} ${source} PARENT_SCOPE)
  set(HALLMARK_EMBEDDED_NAMES ${HALLMARK_EMBEDDED_NAMES} ${identifier} PARENT_SCOPE)
endfunction()
