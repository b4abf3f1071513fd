#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hallmark::reports {

/// The name of a failure. Two runs against the same server give a case the same code, while the
/// sentence beside it may name other times, ports and bytes. Lists of known failures and baselines
/// compare codes.
struct Code {
  enum class Kind : std::uint8_t {
    crash,               ///< the target's process ended
    hang,                ///< the target answers nobody any more
    silent,              ///< a reply or a delivery did not come
    closed,              ///< the target ended the connection where a message was due
    unread,              ///< the target did not take what was sent to it
    refused_connection,  ///< no connection could be made, no process be started
    surplus,             ///< more bytes or messages came than were due
    malformed,           ///< the bytes that came are not a whole message
    wrong_field,         ///< a field of a message has another value than it has to have
    wrong_order,         ///< no order of the requests explains what came
    wrong_recipient,     ///< a message came to somebody for whom it was not
    desynchronised,      ///< the reply answers another request than it has to
    leak,                ///< the process keeps something of what is over
    busy,                ///< the process works while nobody asks anything
    late,                ///< something due at a time happened later, or earlier
    broken_promise,      ///< any other assertion of a case does not hold
    undecided,           ///< the evidence allows no verdict
    unexpected_pass,     ///< a case passes that a list of known failures names
    harness,             ///< the case could not be played; the target is not to blame
  };

  Kind kind = Kind::broken_promise;
  /// The operation whose request, reply or delivery was judged: "QUERY"; where it is no operation,
  /// what stands in its place: "opcode". May be empty.
  std::string message = {};
  /// The path of the wrong field: "quota", "results[0].allowed"; empty if there is none.
  std::string field = {};
  /// The input of several that a case tries: "40..4f,62"; of an enumerated field what came
  /// instead of what: "00-for-01". No blanks; may be empty.
  std::string input = {};
  /// The promise that a case asserts, in words: "the counter is gone". Empty if the rest says it.
  std::string promise = {};
  /// Further codes of a case that tries several inputs. The reason of
  /// such a case has a sentence for each, in the same order, with "; " between them.
  std::vector<Code> further = {};
  bool operator==(const Code&) const = default;
};

std::string_view name_of(Code::Kind kind);  ///< "wrong-field"

/// One line: the kind, the message with its field, the input, and the promise in quotes; what is
/// empty is left out. "wrong-field QUERY.status 00-for-01", "silent INSERT",
/// "broken-promise QUERY 'the counter is gone'". Blanks become hyphens in all but the promise.
/// Further codes follow, each behind " + ".
std::string text_of(const Code& code);

/// The code with that text; empty if no code has it.
std::optional<Code> parse_code(std::string_view text);

/// A sentence without what varies from run to run: each number, with its sign and unit of time, and
/// each word of hexadecimal digits is `#`; each quotation and each object in braces is `…`.
std::string promise_of(std::string_view sentence);

}  // namespace hallmark::reports
