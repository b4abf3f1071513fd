#pragma once

#include <string>

#include "base/error.hpp"
#include "conformance/drivers/driver.hpp"

namespace hallmark::cli {

/// The files that the failures of a run were cut down to.
struct ReproductionFiles {
  std::size_t cut_down = 0;  ///< as a vector file that fails alone, and a script of its requests
  std::size_t scripts = 0;   ///< only as a script of what the case had sent
};

/// Plays the failures of a run again and writes each into the directory, which is made: as a vector
/// file that `certify --vectors FILE` plays alone, with its requests beside it. Of streams it is
/// cut down (`conformance::reduce_failures`); a vector of datagrams has one request, and of the
/// states of an adapter the one exchange that fails is left. The reproductions in `result` become
/// what is left. A failure that is no vector's, or that does not come again, leaves what it sent.
/// `sources`: what the cases of the run were made from. Error: a file cannot be read or written.
base::Result<ReproductionFiles> write_reproductions(const std::string& directory,
                                                    const conformance::CaseSources& sources,
                                                    const conformance::Failures& failures,
                                                    const conformance::CertifyOptions& options,
                                                    reports::CertifyResult& result);

}  // namespace hallmark::cli
