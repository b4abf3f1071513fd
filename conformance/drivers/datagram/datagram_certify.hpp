#pragma once

#include "conformance/drivers/datagram/datagram_case.hpp"
#include "conformance/engine/certify.hpp"

namespace hallmark::conformance {

/// Makes the cases for what the target is held to: called once, when that is known.
/// Error: one line that says why there are none.
using DatagramCaseMaker =
    std::function<boost::system::result<DatagramCases, std::string>(const WireFormat&)>;

/// As `certify`, for a dialect of datagrams. Loss on the way never becomes a verdict: what is
/// unanswered is asked again where that is harmless, a failure on a path that loses or doubles
/// anything is confirmed, and what cannot be decided is indeterminate. The sockets of all cases
/// stay open to the end of the run. Precondition: `options.asked` names the dialect.
CertifyOutcome certify_datagrams(const DatagramCaseMaker& make_cases,
                                 const CertifyOptions& options);

/// As `certify_datagrams`, over any network. `awaited`: the target has only just been started, and
/// nobody may listen yet.
CertifyOutcome certify_datagrams_over(DatagramNetwork& network, const DatagramCaseMaker& make_cases,
                                      const CertifyOptions& options, bool awaited = false);

}  // namespace hallmark::conformance
