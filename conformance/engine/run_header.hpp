#pragma once

#include "conformance/drivers/stream/wire_format.hpp"
#include "conformance/engine/certify.hpp"

/// How a run of certify is told of in reports, whatever the transport.
namespace hallmark::conformance {

/// Part of the names of keys that no other run may use.
std::string nonce_of(const CertifyOptions& options);

/// What was run, against what, and when.
void fill_header(reports::CertifyResult& result, const CertifyOptions& options);

/// What is spoken, as far as it was asked for.
void fill_format(reports::CertifyResult& result, const Asked& asked);

/// What is spoken, and the answers that differ from those of the profile `compared`.
void fill_format(reports::CertifyResult& result, const WireFormat& format,
                 protocol::Profile compared);

/// As pins: a profile decides all, single answers those they name.
std::vector<Pin> pins_of(const Asked& asked, const protocol::Dialect& dialect);

/// The readings of the profile, and the answers that are pinned. Precondition: `asked` names the
/// dialect, and the pins are of it.
protocol::Readings readings_with_pins(const Asked& asked, protocol::Profile profile);

}  // namespace hallmark::conformance
