#include "conformance/engine/canary.hpp"

#include <fmt/format.h>

#include "base/quantity.hpp"
#include "conformance/drivers/stream/conversation.hpp"
#include "conformance/drivers/stream/requests.hpp"
#include "conformance/supervisor/supervisor.hpp"

namespace hallmark::conformance {
namespace {

std::string in_words(SignOfLife sign, Time patience) {
  if (sign == SignOfLife::gone) return "the target takes no connections any more";
  return fmt::format("the target hangs: a new connection was answered nothing for {}",
                     base::human_duration(std::chrono::nanoseconds(patience)));
}

}  // namespace

SignOfLife sign_of_life(RunContext& context, Time patience) {
  const Time until = context.network.now() + patience;
  const LinkResult link = context.network.connect(until);
  if (!link) return context.network.now() < until ? SignOfLife::gone : SignOfLife::silent;
  const Outgoing harmless = encoded(context.format, query("hallmark:absent:" + context.nonce));
  if ((*link)->send(harmless.bytes, until) == Dispatch::timed_out) return SignOfLife::silent;
  base::Bytes ignored;
  return (*link)->receive(ignored, until) == Arrival::timed_out ? SignOfLife::silent
                                                                : SignOfLife::answers;
}

std::string examine_target(RunContext& context) {
  Supervisor* const supervisor = context.network.supervisor();
  // A process that has died is the supervisor's to find; the next connection starts another.
  if (supervisor != nullptr && supervisor->has_died()) return {};
  const Time patience = context.suspicion();
  const auto watch = supervisor == nullptr ? std::optional<ProcessWatch>() : supervisor->watch();
  SignOfLife sign = sign_of_life(context, patience);
  // A process that the system gave no time is slow, and does not hang.
  if (sign == SignOfLife::silent && watch && watch->starved())
    sign = sign_of_life(context, context.patience.deadline());
  if (sign == SignOfLife::answers) return {};
  std::string wrong = in_words(sign, patience);
  if (supervisor == nullptr) {
    context.give_up(wrong);
  } else if (sign == SignOfLife::gone || !watch || !supervisor->end_hung(*watch)) {
    return {};
  }
  return wrong;
}

}  // namespace hallmark::conformance
