#pragma once

#include <map>

#include "conformance/drivers/datagram/attempt.hpp"
#include "conformance/engine/suite.hpp"
#include "oracle/rate_bounds.hpp"
#include "protocol/rules/ratelimit_key_template.hpp"
#include "protocol/rules/ratelimit_rules.hpp"
#include "reports/result.hpp"

namespace hallmark::conformance {

/// A case of a datagram dialect. It is run again where datagrams got lost, so nothing outlives one
/// attempt.
struct DatagramCase {
  CaseEntry entry;
  std::function<void(Attempt&)> run;
};

using DatagramCases = std::vector<DatagramCase>;

/// The knowledge of how a target limits.
struct KnownRules {
  const protocol::ratelimit::Rules* rules = nullptr;  ///< null: not known
  /// True if it estimates rates as the released server does; otherwise rates are not judged.
  bool exponential = false;
  oracle::OverWhen over_when = oracle::OverWhen::unknown;
  /// Keys that the user says are nobody's, by the rule that decides on them.
  std::map<const protocol::ratelimit::Rule*, protocol::ratelimit::KeyTemplate> given_keys = {};
};

/// The cases that need no rules. `prefix` is the start of the ids: `ratelimit-udp`.
DatagramCases transaction_cases(const std::string& prefix);

/// Cases of each rule for which keys can be made. Those of keys that real users share are skipped
/// unless nobody else uses the target.
DatagramCases rule_cases(const std::string& prefix, const KnownRules& known);

/// The rules, and the parts of them, that `rule_cases` does not test on such a target.
std::vector<reports::UntestedRule> untested_rules(const KnownRules& known, bool exclusive);

/// Every vector as a case.
DatagramCases vector_cases(const std::vector<vectors::VectorFile>& files, const WireFormat& format);

}  // namespace hallmark::conformance
