// Feeds arbitrary lines to the reader of certificates, as a frame and with a last line that holds
// their hash; and arbitrary bytes as the compressed file. The transcripts of a certificate that is
// accepted are written as lines that read back as the same parts; a refusal is one line. Packed
// bytes are at most as many as allowed, and are written as text that reads back as the same.
#include <algorithm>

#include "base/fuzz/requirement.hpp"
#include "conformance/certificate/lines.hpp"
#include "conformance/certificate/packed_hex.hpp"
#include "conformance/certificate/reader.hpp"
#include "conformance/certificate/sha256.hpp"

namespace hallmark::certificate {
namespace {

using conformance::Part;
using fuzz::require;

constexpr Limits limits{.text = 1 << 16, .line = 1 << 14};

/// A part as `lines_of` wrote it.
Part read_part(std::string_view lines) {
  Part part = part_of(*FlatObject::parse(base::take_line(lines))).value();
  while (!lines.empty()) {
    FlatObject line = *FlatObject::parse(base::take_line(lines));
    if (line.kind() == part_end_key) {
      part.ended = end_of(std::move(line)).value();
    } else {
      part.crossings.push_back(crossing_of(std::move(line)).value());
    }
  }
  return part;
}

void read_compressed(std::string_view file) {
  const auto certificate = read(file, "FILE", limits);
  if (!certificate) return fuzz::require_line(certificate.error().message);
  for (const Part& part : certificate->parts) {
    const std::string lines = lines_of(part);
    require(read_part(lines) == part, "a part reads back as the same", lines);
  }
}

/// A Zstandard frame of a single block that is not compressed: to compress takes most of the time.
std::string frame_of(std::string_view text) {
  constexpr char window_of_128_kib = 7 << 3;
  constexpr std::uint32_t last_raw_block = 1;
  const auto header = last_raw_block | static_cast<std::uint32_t>(text.size()) << 3;
  std::string frame("\x28\xb5\x2f\xfd\0", 5);
  frame += window_of_128_kib;
  for (int byte = 0; byte < 3; ++byte) frame += static_cast<char>(header >> (8 * byte));
  return frame.append(text);
}

std::string certificate_of(std::string_view text) {
  Sha256 digest;
  std::string lines(text);
  if (!lines.empty() && lines.back() != '\n') lines += '\n';
  digest.add(lines);
  lines += R"({"end":{"sha256":")" + digest.hex() + "\"}}\n";
  return frame_of(lines);
}

void read_packed(std::string_view text) {
  const auto packed = from_packed_hex(text);
  if (!packed) return;
  require(packed->size() <= most_packed_bytes, "packed bytes are bounded", text);
  std::string written;
  append_packed_hex(written, *packed);
  require(from_packed_hex(written) == *packed, "packed bytes read back as the same", written);
}

}  // namespace
}  // namespace hallmark::certificate

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace hallmark;
  const std::string_view text = fuzz::Input(data, size).text();
  const bool compressed = text.starts_with("\x28\xb5\x2f\xfd");
  certificate::read_compressed(compressed ? std::string(text) : certificate::certificate_of(text));
  certificate::read_packed(text);
  return 0;
}
