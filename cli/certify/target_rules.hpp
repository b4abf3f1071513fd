#pragma once

#include <boost/system/result.hpp>
#include <memory>
#include <string>

#include "conformance/drivers/datagram/datagram_case.hpp"
#include "conformance/engine/asked.hpp"

namespace hallmark::cli {

/// --rules and --estimator, as they were typed; empty: not given.
struct RulesArguments {
  std::string file;
  std::string estimator;
};

/// How a target of datagrams limits, as far as it is said. Errors: one line.
class TargetRules {
 public:
  static boost::system::result<TargetRules, std::string> read(const RulesArguments& arguments,
                                                              const conformance::Asked& asked);

  /// `text`: of a file of rules; empty: they are not known.
  static boost::system::result<TargetRules, std::string> of(std::string text,
                                                            const std::string& estimator,
                                                            const conformance::Asked& asked);

  const conformance::KnownRules& known() const { return known_; }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
  std::shared_ptr<const protocol::ratelimit::Rules> rules_;
  conformance::KnownRules known_;
};

}  // namespace hallmark::cli
