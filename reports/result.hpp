#pragma once
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/certify/code.hpp"
#include "reports/certify/finding.hpp"

namespace hallmark::reports {

using Bytes = std::vector<std::uint8_t>;

/// Process exit codes of every subcommand; the numbers are part of the command line's contract.
enum class ExitCode : int {
  as_expected = 0,
  failures = 1,
  usage = 2,
  unreachable_or_harness_error = 3,
  indeterminate = 4,
};

/// The one to report for two runs: failures outrank usage, harness errors, then indeterminate.
ExitCode worst(ExitCode a, ExitCode b);

struct Option {
  std::string name;
  std::string value;
  bool operator==(const Option&) const = default;
};

/// A choice that the protocol's document leaves, by the ids that `hallmark readings` prints.
struct ReadingAnswer {
  std::string reading;
  std::string held;  ///< the answer that the target was held to
  std::string told;  ///< the answer that it gave when it was asked; empty: it could not be told
  std::string not_asked = {};  ///< the reason why it was not asked; empty: it was
  bool operator==(const ReadingAnswer&) const = default;
};

/// The subject, the target and the time of a run. Certify and load results share it.
struct RunHeader {
  std::string tool = "hallmark";
  std::string version;
  std::string dialect;  ///< for example "throttr-7.1"
  std::string width;    ///< for example "u16"; empty where the dialect has no widths
  std::string profile;  ///< "deployed", "literal", or "auto": as the target answered
  /// Those held to otherwise than in the profile (auto: than in deployed), "reading=answer".
  std::vector<std::string> readings;
  std::vector<ReadingAnswer> answers;  ///< of all readings that have several; empty: not asked
  std::vector<std::string> notes;      ///< one line each, for people
  std::string target;                  ///< as it was given
  std::chrono::sys_time<std::chrono::milliseconds> started{};  ///< UTC
  std::chrono::nanoseconds duration{};
  std::vector<Option> options;  ///< seed, jobs, deadline and so on, in the order to print
  bool operator==(const RunHeader&) const = default;
};

/// RFC 2119 level of the requirement a case tests.
enum class Level { must, should, may };

enum class Verdict {
  pass,
  fail,
  indeterminate,  ///< the evidence cannot decide
  unsupported,    ///< probed, and the target does not have it
  error,          ///< ours, or the target could not be reached
  skipped,        ///< not run: a precondition of the case does not hold; never counts as passed
  known,          ///< failed as a list of known failures says; never counts as passed
  unstable,       ///< failed, and passed when it was played again: fails the run
};

inline constexpr Verdict all_verdicts[] = {
    Verdict::pass,  Verdict::fail,    Verdict::indeterminate, Verdict::unsupported,
    Verdict::error, Verdict::skipped, Verdict::known,         Verdict::unstable};

enum class Direction { sent, received };

/// One field of a message inside the bytes of an exchange.
struct AnnotatedField {
  std::string path;        ///< for example "items[2].key_size"
  std::size_t offset = 0;  ///< in the exchange's bytes
  std::size_t length = 0;
  std::string meaning;   ///< the decoded value for people: "3", "\"abc\"", "success"
  bool wrong = false;    ///< this field decided the verdict
  std::string expected;  ///< the value that should have been here; only if `wrong`
  bool operator==(const AnnotatedField&) const = default;
};

/// Bytes that passed over one connection in one direction without a byte in the other between.
struct Exchange {
  std::string connection;  ///< "c1", "publisher"
  Direction direction = Direction::sent;
  std::chrono::microseconds at{};  ///< since the start of the case
  Bytes bytes;
  std::uint64_t omitted = 0;      ///< bytes that followed and were not kept
  std::optional<Bytes> expected;  ///< the whole expected reply, free fields filled as received
  std::vector<AnnotatedField> fields;
  bool operator==(const Exchange&) const = default;
};

/// Figures of the processes of a target, as far as they were started here.
struct ProcessUse {
  std::uint64_t memory = 0;  ///< bytes of their own: without files and shared memory
  std::uint64_t descriptors = 0;
  std::uint64_t threads = 0;
  std::chrono::nanoseconds cpu{};  ///< user and system time
  bool operator==(const ProcessUse&) const = default;
};

struct CaseResult {
  std::string id;  ///< stable, never positional
  std::string title;
  std::string operation;
  Level level = Level::must;
  std::vector<std::string> clauses;
  Verdict verdict = Verdict::error;
  std::chrono::nanoseconds duration{};
  std::string reason;  ///< one line; why failed, skipped, unsupported, undecided
  /// The content of `reason` in a form that is the same in every run. Empty unless the case failed,
  /// broke or is undecided.
  std::optional<Code> code;
  std::string likely_cause;  ///< "wrong width", "byte order"; empty when nothing suggests itself
  std::vector<Exchange> evidence;
  std::vector<std::string> reproduction;  ///< each send: `c1: 02 01 61`, of text `c1: "ping"`
  /// A drawing of what happened over time, for people: lines of text, one under the other. Empty if
  /// the bytes alone tell it.
  std::vector<std::string> drawing;
  /// One line: what a list of known failures says of it; empty where there is none.
  std::string known;
  /// When the case was over; CPU time since it began, of all that was being played. Empty if the
  /// target was not started here, or another process of it ran by then.
  std::optional<ProcessUse> process = {};
  Repetitions repeated = {};  ///< if it failed
  bool operator==(const CaseResult&) const = default;
};

/// Why a target that was started here ended, as far as playing again shows it.
enum class DeathCause {
  one_case,   ///< a case kills it, alone
  by_itself,  ///< it ends as well when nobody asks it anything
  unknown,    ///< none of the cases that ran kills it alone
};

inline constexpr DeathCause all_death_causes[] = {DeathCause::one_case, DeathCause::by_itself,
                                                  DeathCause::unknown};

/// A target that was started here ended although nobody ended it, or answered nobody any more.
struct Death {
  std::string how;                   ///< one line: "killed by signal 11 (Segmentation fault)"
  bool hung = false;                 ///< it answered nobody any more, and was ended for that
  std::chrono::nanoseconds at{};     ///< since the start of the run, when it was noticed
  std::chrono::nanoseconds lived{};  ///< since it was started
  std::vector<std::string> output;   ///< the last lines that it wrote
  std::vector<std::string> running;  ///< ids of the cases that were played then
  DeathCause cause = DeathCause::unknown;
  std::string killer;      ///< id of the case that did it; empty where none is known to
  std::string conclusion;  ///< one line: what playing again showed
  /// The last that was sent to it, over each connection that was open.
  std::vector<Exchange> last_sent;
  bool operator==(const Death&) const = default;
};

/// A rule of a rate limiter, or a part of it, that a run did not test.
struct UntestedRule {
  std::size_t line = 0;  ///< of the rule file, from 1
  std::string rule;      ///< as a rule file writes it
  std::string part;      ///< "rule": all of it; "limit": no case comes as far as its limit
  std::string reason;    ///< one line
  bool operator==(const UntestedRule&) const = default;
};

/// The result of one certify run.
struct CertifyResult {
  RunHeader header;
  std::string suite;  ///< name of the vectors and cases that were played
  std::vector<CaseResult> cases;
  std::vector<CertifyFinding> findings;  ///< the most serious first
  std::vector<Death> deaths;             ///< of a target that was started here, in their order
  /// The last figures of such a target, with the CPU time of all its processes. Empty if none ran.
  std::optional<ProcessUse> process = {};
  /// Operations of the document that the target lacks, in the document's order.
  std::vector<std::string> missing_operations;
  std::vector<UntestedRule> untested_rules;  ///< in the order of the file
  std::string run_error;     ///< one line; target unreachable, harness broken; else empty
  bool interrupted = false;  ///< stopped before every chosen case had run
  bool operator==(const CertifyResult&) const = default;
};

struct VerdictCounts {
  std::size_t pass = 0, fail = 0, indeterminate = 0, unsupported = 0, error = 0, skipped = 0;
  std::size_t known = 0, unstable = 0;
  std::size_t of(Verdict verdict) const;
  void add(Verdict verdict);
  VerdictCounts& operator+=(const VerdictCounts& other);
  std::size_t total() const { return executed() + skipped; }
  std::size_t executed() const {
    return pass + fail + unstable + indeterminate + unsupported + error + known;
  }
  bool operator==(const VerdictCounts&) const = default;
};

struct OperationSummary {
  std::string operation;
  VerdictCounts counts;
};

VerdictCounts count_verdicts(const CertifyResult& result);

/// One row per operation, in the order in which the operations first appear.
std::vector<OperationSummary> summarise_operations(const CertifyResult& result);

/// Failures first (1), then errors (3), then whatever left the question open (4). A run without
/// a single pass proves nothing and is never `as_expected`.
ExitCode exit_code(const CertifyResult& result);

std::string_view name_of(Level level);  ///< "MUST", "SHOULD", "MAY"
std::string_view name_of(Verdict verdict);
std::string_view name_of(Direction direction);
std::string_view name_of(DeathCause cause);  ///< "case", "itself", "unknown"

}  // namespace hallmark::reports
