#include "conformance/certificate/sha256.hpp"

#include <array>

#include "base/hex.hpp"

namespace hallmark::certificate {

Sha256::Sha256() { sha256_init(&state_); }

void Sha256::add(std::string_view bytes) {
  sha256_update(&state_, bytes.size(), reinterpret_cast<const std::uint8_t*>(bytes.data()));
}

std::string Sha256::hex() const {
  sha256_ctx until_here = state_;
  std::array<std::uint8_t, SHA256_DIGEST_SIZE> digest{};
  sha256_digest(&until_here, digest.size(), digest.data());
  return base::to_hex(digest);
}

std::string sha256_of(std::string_view bytes) {
  Sha256 digest;
  digest.add(bytes);
  return digest.hex();
}

}  // namespace hallmark::certificate
