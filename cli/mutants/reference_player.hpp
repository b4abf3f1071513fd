#pragma once

#include <atomic>
#include <memory>
#include <set>
#include <string>

#include "base/temporary_directory.hpp"
#include "cli/options/or_reason.hpp"
#include "conformance/drivers/driver.hpp"
#include "protocol/rules/ratelimit_rules.hpp"
#include "reference/faults/catalogue.hpp"

namespace hallmark::cli {

/// Rules under which every case of datagrams is played: those of the document's examples, and one
/// for keys that are counted. A file of its own, for as long as this lives.
class RulesFile {
 public:
  /// Error: one line; the file cannot be written.
  static base::Result<RulesFile> create();

  std::string path() const { return (directory_.path() / "rules").string(); }
  const protocol::ratelimit::Rules& rules() const { return rules_; }

 private:
  explicit RulesFile(base::TemporaryDirectory directory) : directory_(std::move(directory)) {}

  base::TemporaryDirectory directory_;
  protocol::ratelimit::Rules rules_;
};

/// The options for certifying the reference.
struct PlayOptions {
  conformance::Time deadline = 1'000'000'000;  ///< ns; for a target that says nothing
  unsigned jobs = 16;                          ///< cases at a time
  std::uint64_t seed = 0;                      ///< of the names of keys
  bool slow = false;                           ///< also the cases that wait out a minute
  const std::atomic<bool>* stop = nullptr;     ///< ends the run when true; null: never
  bool confirm = false;                        ///< each failure is played once more, alone
};

/// Plays the cases of a dialect against the reference, which is started as a process of its own
/// (`hallmark serve --mutant …`) for each run, and held to the deployed profile. Several threads
/// may use one player.
class ReferencePlayer {
 public:
  /// `rules` outlives it. Error: the vectors cannot be read.
  static OrReason<std::unique_ptr<ReferencePlayer>> create(const protocol::Dialect& dialect,
                                                           protocol::Width width,
                                                           const RulesFile& rules);

  const protocol::Dialect& dialect() const { return format_.dialect(); }
  protocol::Width width() const { return format_.width(); }

  /// All cases, against a reference with these bugs.
  reports::CertifyResult play(const faults::ChosenBugs& bugs, const PlayOptions& options) const;

  /// Only the cases that cite the clause. Certify gives up after a while on a target that is wrong
  /// as a whole; asked about one thing alone, it has to answer.
  reports::CertifyResult play_clause(const faults::ChosenBugs& bugs, const std::string& clause,
                                     const PlayOptions& options) const;
  /// Only the cases with these ids; those that are of no case are left out.
  reports::CertifyResult play_cases(const faults::ChosenBugs& bugs,
                                    const std::set<std::string>& ids,
                                    const PlayOptions& options) const;

 private:
  ReferencePlayer(const protocol::Dialect& dialect, protocol::Width width, const RulesFile& rules)
      : rules_(rules), format_(width, protocol::Readings(dialect, protocol::Profile::deployed)) {}

  const conformance::Driver& driver() const {
    return conformance::driver_of(format_.dialect().transport);
  }
  OrReason<void> load();
  /// The words that start the reference.
  std::string command(const faults::ChosenBugs& bugs) const;
  conformance::Target target(const faults::ChosenBugs& bugs) const;
  reports::CertifyResult play_chosen(const faults::ChosenBugs& bugs,
                                     const conformance::Filter& filter,
                                     const PlayOptions& options) const;
  reports::CertifyResult certify(const conformance::Cases& cases, const faults::ChosenBugs& bugs,
                                 const PlayOptions& options) const;

  const RulesFile& rules_;
  conformance::WireFormat format_;
  conformance::Cases cases_;
};

}  // namespace hallmark::cli
