#pragma once

#include "conformance/drivers/datagram/attempt.hpp"
#include "conformance/engine/suite.hpp"
#include "oracle/rate_bounds.hpp"
#include "protocol/rules/ratelimit_rules.hpp"

namespace hallmark::conformance {

/// A case of a datagram dialect. It is run again where datagrams got lost, so nothing outlives one
/// attempt.
struct DatagramCase {
  CaseEntry entry;
  std::function<void(Attempt&)> run;
};

using DatagramCases = std::vector<DatagramCase>;

/// What is known of how the target limits.
struct KnownRules {
  const protocol::ratelimit::Rules* rules = nullptr;  ///< null: not known
  /// Whether it estimates rates as the released server does; otherwise rates are not judged.
  bool exponential = false;
  oracle::OverWhen over_when = oracle::OverWhen::unknown;
};

/// What needs no rules. `prefix` is the start of the ids: `ratelimit-udp`.
DatagramCases transaction_cases(const std::string& prefix);

/// What follows from the rules; of each rule whose keys nobody else uses.
DatagramCases rule_cases(const std::string& prefix, const KnownRules& known);

/// Every vector as a case.
DatagramCases vector_cases(const std::vector<vectors::VectorFile>& files, const WireFormat& format);

}  // namespace hallmark::conformance
