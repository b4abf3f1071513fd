#include "conformance/isolation/housekeeper.hpp"

#include "conformance/supervisor/supervisor.hpp"

namespace hallmark::conformance {

Housekeeper::Housekeeper(RunContext& context)
    : context_(context),
      harmless_(encoded(context.format, query("hallmark:absent:" + context.nonce))) {}

void Housekeeper::meet_process() {
  Supervisor* const supervisor = context_.network.supervisor();
  const unsigned generation = supervisor == nullptr ? 0 : supervisor->generation();
  if (generation == generation_) return;
  leave();
  generation_ = generation;
  context_.tidy_process(generation);
}

Conversation& Housekeeper::conversation() {
  meet_process();
  if (!conversation_) {
    conversation_.emplace(context_, nullptr, "bystander", open_link(context_));
  }
  return *conversation_;
}

Housekeeper::Outcome Housekeeper::exchange(std::span<const Outgoing> requests) {
  Outcome outcome = Outcome::unreachable;
  try {
    Conversation& connection = conversation();
    outcome = Outcome::failed;
    connection.send_together(requests);
    for (std::size_t i = 0; i < requests.size(); ++i) connection.reply();
    connection.require_quiet();
    if (!context_.serves_several) leave();
    return Outcome::done;
  } catch (const CaseEnded&) {
    conversation_.reset();
    return outcome;
  }
}

/// A connection may not be answered for what it did before: a new one is tried, too. A process that
/// has ended and is not started again keeps nothing. Cases that try at the same time, as when the
/// target ends, count as one failure.
void Housekeeper::tidy(std::span<const Outgoing> requests) {
  meet_process();
  if (context_.untidy()) return;
  unsigned failed = context_.failed_tidying;
  Outcome outcome = exchange(requests);
  if (outcome != Outcome::done && context_.given_up() == Loss::none) outcome = exchange(requests);
  if (outcome == Outcome::done) {
    context_.failed_tidying = 0;
  } else if (outcome == Outcome::failed || context_.network.supervisor() == nullptr) {
    context_.failed_tidying.compare_exchange_strong(failed, failed + 1);
  }
}

void Housekeeper::purge(std::span<const protocol::Record> records) {
  if (records.empty()) return;
  std::vector<Outgoing> requests;
  for (const protocol::Record& record : records)
    requests.push_back(encoded(context_.format, purge_of(record)));
  tidy(requests);
}

void Housekeeper::barrier() {
  if (context_.serves_several) tidy({&harmless_, 1});
}

bool Housekeeper::answers() { return exchange({&harmless_, 1}) == Outcome::done; }

}  // namespace hallmark::conformance
