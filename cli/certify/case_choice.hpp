#pragma once

#include <optional>
#include <set>
#include <string>

#include "cli/certify/target_rules.hpp"
#include "conformance/drivers/driver.hpp"

namespace hallmark::cli {

/// The cases that a command line of certify is about, of whichever dialect. Errors: one line.
class CaseChoice {
 public:
  /// `vectors`: a directory, or one file, which is then all. Errors: the rules cannot be read, or
  /// say nothing about such a target.
  static base::Expected<CaseChoice, std::string> read(std::string vectors,
                                                      conformance::Filter filter,
                                                      const RulesArguments& rules,
                                                      const conformance::Asked& asked);

  /// The vectors and limits that all cases are made from; this outlives them.
  const conformance::CaseSources& sources() const { return sources_; }
  const TargetRules& rules() const { return rules_; }

  /// Those that are chosen of all for a target that is held to `format`.
  base::Expected<conformance::Cases, std::string> chosen(
      const conformance::WireFormat& format) const;

  /// The readings that any of them may rest on, whichever answers the target gives; nothing: all.
  std::optional<std::set<std::string>> readings_needed(const conformance::WireFormat& format) const;

  /// A choice that chooses nothing, however the target may answer, is a mistake. Where the dialect
  /// or the width is open, that cannot be said.
  base::Expected<void, std::string> check(const conformance::Asked& asked) const;

  /// The ids of all cases that a target of that dialect may be asked, chosen or not, whichever
  /// answers it gives that are not pinned, and of those that every run has.
  base::Expected<std::set<std::string>, std::string> all_ids(
      const protocol::Dialect& dialect, protocol::Width width,
      const std::vector<conformance::Pin>& pins) const;

 private:
  TargetRules rules_;
  conformance::CaseSources sources_;
  conformance::Filter filter_;
};

}  // namespace hallmark::cli
