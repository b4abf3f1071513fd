#pragma once

#include <string>
#include <vector>

#include "conformance/drivers/stream/message.hpp"
#include "conformance/drivers/stream/wire_format.hpp"
#include "conformance/judgement/evidence.hpp"

/// Turns the requests of a failed case into a script that can be sent again and cut down.
namespace hallmark::conformance {

/// One request on its way, and the reply that is due.
struct ScriptStep {
  std::string connection;
  const protocol::Operation* operation = nullptr;
  protocol::Record request;  ///< its fields
  Time pause = 0;            ///< ns before it is sent
};

/// Requests in their order, the last of which was not answered as it should be.
struct Script {
  std::string case_id;
  std::vector<ScriptStep> steps;
  /// Fields of the last reply that were wrong; none: it did not come, or not whole.
  std::vector<std::string> wrong;
  /// The values that the case expected in that reply, as far as it said so.
  protocol::Record expected;
};

/// Returns the script of what passed. Returns nothing if the failure is not that of one reply, if a
/// request is not a whole one of the dialect, or if some requests are no longer known.
std::optional<Script> script_of(const WireFormat& format, const std::string& case_id,
                                const Evidence& evidence);

}  // namespace hallmark::conformance
