#pragma once

#include <memory>
#include <string>

#include "base/expected.hpp"
#include "conformance/drivers/datagram/datagram_case.hpp"
#include "conformance/engine/asked.hpp"

namespace hallmark::cli {

/// --rules, --estimator and --key-pattern, as they were typed; empty: not given.
struct RulesArguments {
  std::string file;
  std::string estimator;
  std::vector<std::string> key_patterns;
};

/// The limits of a target of datagrams, as far as the command line tells them. Errors: one line.
class TargetRules {
 public:
  static base::Expected<TargetRules, std::string> read(const RulesArguments& arguments,
                                                       const conformance::Asked& asked);

  /// `text`: of a file of rules; empty: they are not known.
  static base::Expected<TargetRules, std::string> of(std::string text, const std::string& estimator,
                                                     const std::vector<std::string>& key_patterns,
                                                     const conformance::Asked& asked);

  const conformance::KnownRules& known() const { return known_; }
  const std::string& text() const { return text_; }

  /// Adds to the result which rules were not tested, and that rates were not judged if they were
  /// not.
  void tell_untested(reports::CertifyResult& result, bool exclusive) const;

 private:
  base::Expected<void, std::string> take(const std::vector<std::string>& key_patterns);

  std::string text_;
  std::shared_ptr<const protocol::ratelimit::Rules> rules_;
  conformance::KnownRules known_;
};

}  // namespace hallmark::cli
