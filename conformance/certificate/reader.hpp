#pragma once

#include "base/error.hpp"
#include "conformance/certificate/certificate.hpp"

namespace hallmark::certificate {

/// Reads a certificate. Errors: one line that names `source`, and the line within it where there is
/// one: it is none, is cut off, is of a newer format, or takes more memory than a certificate may.
base::Result<Certificate> read(std::string_view file, const std::string& source,
                               const Limits& limits = {});

/// Like `read`, for a file of at most 256 MiB.
base::Result<Certificate> read_file(const std::string& path);

}  // namespace hallmark::certificate
