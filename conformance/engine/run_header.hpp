#pragma once

#include "conformance/drivers/stream/wire_format.hpp"
#include "conformance/engine/certify.hpp"

/// Fills in what reports say about a run of certify, whatever the transport.
namespace hallmark::conformance {

/// Part of the names of keys that no other run may use.
std::string nonce_of(const CertifyOptions& options);

/// Fills in what was run, against what, and when.
void fill_header(reports::CertifyResult& result, const CertifyOptions& options);

/// Fills in the format, as far as it was asked for.
void fill_format(reports::CertifyResult& result, const Asked& asked);

/// Fills in the format, and the answers that differ from those of the profile `compared`.
void fill_format(reports::CertifyResult& result, const WireFormat& format,
                 protocol::Profile compared);

/// Returns what was asked for as pins: a profile pins all readings, single answers only theirs.
std::vector<Pin> pins_of(const Asked& asked, const protocol::Dialect& dialect);

/// Returns the readings of the profile with the pinned answers. Precondition: `asked` names the
/// dialect, and the pins are of it.
protocol::Readings readings_with_pins(const Asked& asked, protocol::Profile profile);

}  // namespace hallmark::conformance
