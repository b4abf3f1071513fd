# Packs files into a source: cmake -DNAME= -DIDENTIFIER= -DBASE= -DFILES=a;b -DOUT= -P pack.cmake
# The same files give the same bytes.
cmake_minimum_required(VERSION 3.25)
set(plain ${OUT}.plain)
set(packed ${OUT}.zst)
file(WRITE ${plain} "")
set(entries "")
set(offset 0)
foreach(path IN LISTS FILES)
  file(READ ${BASE}/${path} text)
  file(APPEND ${plain} "${text}")
  file(SIZE ${BASE}/${path} size)
  string(APPEND entries "    {\"${path}\", ${offset}, ${size}},\n")
  math(EXPR offset "${offset} + ${size}")
  # CMake reads text: a byte that it would drop or change must not go unnoticed.
  file(SIZE ${plain} written)
  if(NOT written EQUAL offset)
    message(FATAL_ERROR "${BASE}/${path} is not text that CMake can copy: ${written} bytes came of ${offset}")
  endif()
endforeach()
file(ARCHIVE_CREATE OUTPUT ${packed} PATHS ${plain} FORMAT raw COMPRESSION Zstd COMPRESSION_LEVEL 9)
file(READ ${packed} bytes HEX)
string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
file(WRITE ${OUT} "#include \"embedded/bundle.hpp\"

namespace hallmark::embedded {
namespace {

constexpr unsigned char ${IDENTIFIER}_bytes[] = {${bytes}};

constexpr Entry ${IDENTIFIER}_entries[] = {
${entries}};

}  // namespace

Bundle& ${IDENTIFIER}() {
  static Bundle bundle(\"${NAME}\", ${IDENTIFIER}_bytes, ${offset}, ${IDENTIFIER}_entries);
  return bundle;
}

}  // namespace hallmark::embedded
")
file(REMOVE ${plain} ${packed})
