#include "conformance/certificate/sha256.hpp"

#include <openssl/evp.h>

#include <new>

#include "base/hex.hpp"

namespace hallmark::certificate {

struct Sha256::Context {
  EVP_MD_CTX* state = EVP_MD_CTX_new();
  Context() {
    if (state == nullptr) throw std::bad_alloc();
  }
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  ~Context() { EVP_MD_CTX_free(state); }
};

Sha256::Sha256() : context_(std::make_unique<Context>()) {
  EVP_DigestInit_ex(context_->state, EVP_sha256(), nullptr);
}

Sha256::~Sha256() = default;

void Sha256::add(std::string_view bytes) {
  EVP_DigestUpdate(context_->state, bytes.data(), bytes.size());
}

std::string Sha256::hex() const {
  const Context until_here;
  EVP_MD_CTX_copy_ex(until_here.state, context_->state);
  std::array<std::uint8_t, 32> digest{};
  EVP_DigestFinal_ex(until_here.state, digest.data(), nullptr);
  return base::to_hex(digest);
}

std::string sha256_of(std::string_view bytes) {
  Sha256 digest;
  digest.add(bytes);
  return digest.hex();
}

}  // namespace hallmark::certificate
