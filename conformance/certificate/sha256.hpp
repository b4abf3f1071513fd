#pragma once

#include <nettle/sha2.h>

#include <string>
#include <string_view>

namespace hallmark::certificate {

/// SHA-256 (FIPS 180-4) of what is added, piece by piece. Of nettle: OpenSSL's libcrypto would take
/// a quarter of the time that every start of the program takes.
class Sha256 {
 public:
  Sha256();

  void add(std::string_view bytes);
  /// 64 lower-case hexadecimal digits; what is added later has no part in it.
  std::string hex() const;

 private:
  sha256_ctx state_;
};

std::string sha256_of(std::string_view bytes);

}  // namespace hallmark::certificate
