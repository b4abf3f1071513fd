#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace hallmark::certificate {

/// SHA-256 (FIPS 180-4) of what is added, piece by piece.
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(Sha256&&) noexcept = default;
  Sha256& operator=(Sha256&&) noexcept = default;

  void add(std::string_view bytes);
  /// 64 lower-case hexadecimal digits; what is added later has no part in it.
  std::string hex() const;

 private:
  struct Context;
  std::unique_ptr<Context> context_;
};

std::string sha256_of(std::string_view bytes);

}  // namespace hallmark::certificate
