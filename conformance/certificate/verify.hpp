#pragma once

#include <functional>
#include <map>

#include "conformance/certificate/certificate.hpp"
#include "conformance/drivers/cases.hpp"

namespace hallmark::certificate {

/// All that there is to ask of a target, made here, and where the vectors of it are.
struct Suites {
  std::string vectors_directory;
  /// `commission`: how the target was said to limit.
  std::function<conformance::OrReason<conformance::Cases>(const conformance::WireFormat&,
                                                          const Commission& commission)>
      cases;
  /// The readings that the chosen ones of them rest on; null, or nothing: all.
  std::function<std::optional<std::set<std::string>>(const conformance::WireFormat&,
                                                     const Commission& commission)>
      readings_needed = {};
};

/// Something that does not come out as it was certified.
struct Refutation {
  std::string id;    ///< a case's id, or the name of a part of the run
  std::string what;  ///< one line
};

/// The outcome of judging a certificate again.
struct Verification {
  std::vector<Refutation> refutations;
  std::size_t crossings = 0;
  std::size_t judged = 0;            ///< cases whose verdict was arrived at
  std::vector<std::string> missing;  ///< cases of the suite that the certificate leaves out
  std::size_t suite_cases = 0;
  bool whole_choice = true;  ///< all cases were chosen
};

/// The identity of the suite for what the target is held to. Errors: one line.
base::Result<SuiteIdentity> identity_of(const Suites& suites, const Commission& commission,
                                        const conformance::WireFormat& format);

/// Plays all transcripts again, offline, and compares what comes of it with what is certified.
/// Errors: one line, the certificate is of another suite, or says what no certificate says.
base::Result<Verification> verify(const Certificate& certificate, const Suites& suites);

/// Refuted, or the target failed: 1. The run had come to nothing: 3. Something was left out or
/// open: 4.
reports::ExitCode exit_code(const Certificate& certificate, const Verification& verification);

}  // namespace hallmark::certificate
