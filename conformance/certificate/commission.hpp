#pragma once

#include "base/error.hpp"
#include "base/json_reader.hpp"
#include "conformance/engine/certify.hpp"

namespace hallmark::certificate {

/// The task that a run was given, as far as its result does not tell it.
struct Commission {
  conformance::Asked asked;
  conformance::Filter filter;
  std::string rules;      ///< the file's text, for a dialect of datagrams; empty: none
  std::string estimator;  ///< the target's estimator of rates, as given; empty: not given
  std::vector<std::string> key_patterns = {};  ///< for keys of those rules, as typed
};

base::Json to_json(const Commission& commission);
/// Throws base::JsonMismatch.
Commission read_commission(const base::JsonReader& reader);

/// The options of the run that led to that result. Errors: one that is none.
base::Result<conformance::CertifyOptions> options_of(const Commission& commission,
                                                     const reports::RunHeader& header);

/// The format that the target was held to, as the result names it; empty if it does not.
struct Held {
  protocol::Width width;
  protocol::Readings readings;
};
std::optional<Held> held_in(const reports::RunHeader& header);

}  // namespace hallmark::certificate
