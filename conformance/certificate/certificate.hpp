#pragma once

#include "conformance/certificate/commission.hpp"
#include "conformance/certificate/suite_identity.hpp"
#include "conformance/record/part.hpp"
#include "reports/result.hpp"

namespace hallmark::certificate {

/// The version of the format that this program writes and reads (docs/certificates.md).
inline constexpr std::uint64_t format_version = 1;

/// Bounds of the text within a certificate. Hallmark neither writes nor reads more.
struct Limits {
  std::size_t text = std::size_t{512} << 20;
  std::size_t line = std::size_t{64} << 20;
};

/// A run of certify with all that it rests on.
struct Certificate {
  std::string tool;  ///< version of the program that wrote it
  Commission commission;
  SuiteIdentity suite;
  std::vector<conformance::Part> parts;
  reports::CertifyResult result;
};

}  // namespace hallmark::certificate
