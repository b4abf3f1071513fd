#pragma once

#include "conformance/reduction/script.hpp"
#include "oracle/record_specification.hpp"

/// Works out the last reply of a script from those before it. The specification of records in
/// oracle/ tells it for counters and buffers. So a script that was cut down expects what is right
/// for the rest of it.
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

/// Returns true if the specification determines these fields of the last reply.
bool is_specified(const WireFormat& format, const ScriptStep& last,
                  const std::vector<std::string>& fields);

/// Returns the status, and the quota or value on success, of the only right reply to the last step.
/// Returns nothing if several are right, or if an earlier reply is wrong itself.
std::optional<protocol::Record> specified_reply(const WireFormat& format,
                                                const std::vector<PlayedStep>& played);

/// The TTL whose rest the last reply has to tell, and its code. `since` counts steps. Nothing if it
/// was changed after it had been set.
struct ToldLifetime {
  std::uint64_t code = 0;
  vectors::Lifetime lifetime;
};
std::optional<ToldLifetime> told_lifetime(const WireFormat& format,
                                          const std::vector<PlayedStep>& played);

}  // namespace hallmark::conformance
