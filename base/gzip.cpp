#include "base/gzip.hpp"

#include <zlib.h>

namespace hallmark::base {

Result<std::string> gzip(std::string_view bytes) {
  constexpr int window_of_gzip = 15 + 16;
  constexpr int memory_level = 8;
  z_stream stream{};
  if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, window_of_gzip, memory_level,
                   Z_DEFAULT_STRATEGY) != Z_OK)
    return Error{"zlib cannot start to compress"};
  std::string compressed(deflateBound(&stream, bytes.size()), '\0');
  // zlib reads from here, although its type does not say so.
  stream.next_in =
      reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));  // NOLINT(*-const-cast)
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(compressed.data());
  stream.avail_out = static_cast<uInt>(compressed.size());
  const int status = deflate(&stream, Z_FINISH);
  compressed.resize(stream.total_out);
  deflateEnd(&stream);
  if (status != Z_STREAM_END) return Error{"zlib cannot compress"};
  return compressed;
}

}  // namespace hallmark::base
