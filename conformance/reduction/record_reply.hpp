#pragma once

#include "conformance/reduction/script.hpp"
#include "oracle/record_specification.hpp"

/// What the last reply of a script has to be, given those before: for counters and buffers, from
/// the specification of records in oracle/, so that a script which was cut down expects what is
/// right for what is left of it.
namespace hallmark::conformance {

/// A script as it was played.
struct PlayedStep {
  const ScriptStep* step;
  /// Fields of the reply; nothing where none came.
  std::optional<protocol::Record> reply;
  Window window;
};

/// The name of the record that a request is about, as the fields of a PURGE; empty where it is
/// about none. `request`: its fields.
protocol::Record record_named(const WireFormat& format, const protocol::Record& request);
inline protocol::Record record_named(const WireFormat& format, const ScriptStep& step) {
  return record_named(format, step.request);
}

/// Whether the specification says what the last reply has to be, as far as those fields go.
bool is_specified(const WireFormat& format, const ScriptStep& last,
                  const std::vector<std::string>& fields);

/// The status, and the quota or value on success, of the only right reply to the last step. Nothing
/// where several are right, or where a reply before is wrong itself.
std::optional<protocol::Record> specified_reply(const WireFormat& format,
                                                const std::vector<PlayedStep>& played);

/// The TTL of which the last reply has to tell what is left, and its code; `since` counts steps.
/// Nothing where it was changed after it had been set.
struct ToldLifetime {
  std::uint64_t code = 0;
  vectors::Lifetime lifetime;
};
std::optional<ToldLifetime> told_lifetime(const WireFormat& format,
                                          const std::vector<PlayedStep>& played);

}  // namespace hallmark::conformance
