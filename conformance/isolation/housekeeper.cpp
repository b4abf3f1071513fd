#include "conformance/isolation/housekeeper.hpp"

#include <algorithm>

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
  owed_answers_ = false;
  context_.tidy_process(generation);
}

void Housekeeper::leave_in_time(std::size_t requests) {
  if (answered_ > 0 && answered_ + requests > lasts_for_) leave();
}

Conversation& Housekeeper::conversation() {
  meet_process();
  if (!conversation_) {
    conversation_.emplace(context_, nullptr, "bystander", open_link(context_));
  }
  return *conversation_;
}

Housekeeper::Outcome Housekeeper::exchange(std::span<const Outgoing> requests, Wait wait,
                                           Asked how) {
  const std::size_t at_a_time = how == Asked::together ? requests.size() : 1;
  Outcome outcome = Outcome::unreachable;
  try {
    leave_in_time(requests.size());
    Conversation& connection = conversation();
    connection.wait_for_replies(wait);
    outcome = Outcome::failed;
    for (auto left = requests; !left.empty(); left = left.subspan(at_a_time)) {
      connection.send_together(left.first(at_a_time));
      for (std::size_t i = 0; i < at_a_time; ++i) connection.reply();
    }
    connection.require_quiet();
    answered_ += requests.size();
    if (!context_.serves_several) leave();
    return Outcome::done;
  } catch (const CaseEnded&) {
    leave();
    owed_answers_ = owed_answers_ || outcome == Outcome::failed;
    return outcome;
  }
}

/// A connection may not be answered for what it did before, or for requests that come together: on
/// a new one they are sent one by one. If that is answered by the same process, no later connection
/// has to bear more than this one did before; one that had borne nothing had too much at once. A
/// process that has ended and is not started again keeps nothing. Cases that try at the same time,
/// as when the target ends, count as one failure.
bool Housekeeper::tidy(std::span<const Outgoing> requests, Wait wait) {
  meet_process();
  if (context_.untidy()) return true;
  unsigned failed = context_.failed_tidying;
  leave_in_time(requests.size());
  const std::size_t answered = answered_;
  const bool together = requests.size() > 1 && context_.answers_together();
  Outcome outcome = exchange(requests, wait, together ? Asked::together : Asked::one_by_one);
  if (outcome != Outcome::done && context_.given_up() == Loss::none) {
    const unsigned generation = generation_;
    outcome = exchange(requests, wait);
    const bool better = outcome == Outcome::done && generation == generation_;
    if (better && answered > 0) lasts_for_ = std::min(lasts_for_, answered);
    if (better && answered == 0 && together) context_.answers_apart = true;
  }
  if (outcome == Outcome::done) {
    context_.failed_tidying = 0;
  } else if (outcome == Outcome::failed || context_.network.supervisor() == nullptr) {
    context_.failed_tidying.compare_exchange_strong(failed, failed + 1);
  }
  return outcome != Outcome::failed;
}

std::vector<Outgoing> Housekeeper::purges_of(std::span<const protocol::Record> records) const {
  std::vector<Outgoing> requests;
  for (const protocol::Record& record : records)
    requests.push_back(encoded(context_.format, purge_of(record)));
  return requests;
}

bool Housekeeper::purge(std::span<const protocol::Record> records) {
  return records.empty() || tidy(purges_of(records), Wait::to_the_deadline);
}

bool Housekeeper::purge_beside_half_a_request(std::span<const protocol::Record> records) {
  return records.empty() || tidy(purges_of(records), Wait::briefly);
}

bool Housekeeper::barrier() {
  return !context_.serves_beside_half_requests() || tidy({&harmless_, 1}, Wait::briefly);
}

bool Housekeeper::answers() {
  return exchange({&harmless_, 1}, Wait::to_the_deadline) == Outcome::done;
}

bool Housekeeper::is_answered_again() {
  const unsigned before = generation_;
  const bool answered = answers();
  meet_process();
  return answered && generation_ == before;
}

}  // namespace hallmark::conformance
