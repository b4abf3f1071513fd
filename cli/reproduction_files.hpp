#pragma once

#include <string>

#include "conformance/certify.hpp"
#include "reports/error.hpp"

namespace hallmark::cli {

/// Cuts the failures of a run down (`conformance::reduce_failures`) and writes each into the
/// directory, which is made: as a vector file that `certify --vectors FILE` plays alone, and as a
/// script of hexadecimal requests beside it. Returns how many; failures that are not those of one
/// reply, and those that do not come again, are not among them. Error: a file cannot be written.
reports::Result<std::size_t> write_reproductions(const std::string& directory,
                                                 const conformance::Scripts& scripts,
                                                 const conformance::CertifyOptions& options,
                                                 reports::CertifyResult& result);

}  // namespace hallmark::cli
