#pragma once

#include "conformance/drivers/datagram/datagram_case.hpp"
#include "conformance/engine/certify.hpp"

namespace hallmark::conformance {

/// Makes the cases for what the target is held to: called once, when that is known.
/// Error: one line that says why there are none.
using DatagramCaseMaker =
    std::function<base::Expected<DatagramCases, std::string>(const WireFormat&)>;

/// Like `certify`, for a dialect of datagrams. Loss on the way never becomes a verdict. Unanswered
/// requests are sent again if that is harmless. On a path that loses or doubles anything, failures
/// are confirmed. What cannot be decided is indeterminate. The sockets of all cases stay open to
/// the end of the run. Precondition: `options.asked` names the dialect.
CertifyOutcome certify_datagrams(const DatagramCaseMaker& make_cases,
                                 const CertifyOptions& options);

/// Like `certify_datagrams`, over any network. `awaited`: the target has only just been started,
/// and nobody may listen yet.
CertifyOutcome certify_datagrams_over(DatagramNetwork& network, const DatagramCaseMaker& make_cases,
                                      const CertifyOptions& options, bool awaited = false);

}  // namespace hallmark::conformance
