#pragma once

#include "conformance/drivers/adapter/adapter_case.hpp"
#include "conformance/engine/certify.hpp"

namespace hallmark::conformance {

/// Plays the cases against an adapter of a dialect at rest (docs/adapter.md), one after the other.
/// An adapter that breaks the protocol fails the case and is started afresh for the next one; one
/// that does not answer hello as it has to fails that case, and the others are skipped. An adapter
/// that ends before it answers anything is in `run_error`. Readings that nothing pins are taken as
/// in the deployed profile. Error: the target is none of `pipe:`. Preconditions: `options.asked`
/// names the dialect; `cases` were made for its readings.
CertifyOutcome certify_adapter(const AdapterCases& cases, const CertifyOptions& options);

/// Like `certify_adapter`, with a host that starts the adapter.
reports::CertifyResult certify_adapter_over(AdapterHost& host, const AdapterCases& cases,
                                            const CertifyOptions& options);

/// The readings that an adapter is held to. Precondition: the pins are of the dialect.
protocol::Readings adapter_readings(const Asked& asked);

}  // namespace hallmark::conformance
