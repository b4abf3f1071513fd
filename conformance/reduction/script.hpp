#pragma once

#include <string>
#include <vector>

#include "conformance/drivers/stream/message.hpp"
#include "conformance/drivers/stream/wire_format.hpp"
#include "conformance/judgement/evidence.hpp"

/// What a failed case sent, as something that can be sent again and cut down.
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
  /// What the case expected in the fields of that reply, as far as it said so.
  protocol::Record expected;
};

/// The script of what passed; nothing where the failure is not that of one reply, where a request
/// is no whole one of the dialect, or where not all of them are known any more.
std::optional<Script> script_of(const WireFormat& format, const std::string& case_id,
                                const Evidence& evidence);

}  // namespace hallmark::conformance
