#include "conformance/identify/clue.hpp"

#include <fmt/format.h>

#include "base/hex.hpp"

namespace hallmark::conformance {

std::string in_hex(base::ByteView bytes) {
  constexpr std::size_t shown = 24;
  if (bytes.empty()) return "nothing";
  if (bytes.size() <= shown) return base::to_hex(bytes, " ");
  return fmt::format("{} … ({} bytes)", base::to_hex(bytes.first(shown), " "), bytes.size());
}

}  // namespace hallmark::conformance
