#pragma once

#include <functional>

#include "conformance/engine/run_context.hpp"

/// Waits for bytes of a target that was started here, whose process tells whether to go on.
namespace hallmark::conformance {

/// Returns true if it is in vain to wait for an answer any longer.
using InVain = std::function<bool()>;

/// A started process that is kept from the processor is not silent yet: it has the whole deadline.
/// `since`: when the wait began; `until` becomes the end of the last one.
Arrival receive_from_starved(RunContext& context, Link& link, base::Bytes& into, Time since,
                             Time& until);

/// Waits until then, or until it is in vain. That is asked a few times meanwhile; empty: never.
Arrival receive_unless_in_vain(RunContext& context, Link& link, base::Bytes& into, Time until,
                               const InVain& in_vain);

/// The same, where it is in vain to wait for a started process that is stuck.
Arrival receive_unless_in_vain(RunContext& context, Link& link, base::Bytes& into, Time until);

/// It is in vain to wait for a process that is stuck; it is watched from the first question on.
/// Null: it was not started here, and nobody knows.
InVain while_stuck(Supervisor* supervisor);

}  // namespace hallmark::conformance
