#include "conformance/engine/housekeeper.hpp"

#include "conformance/supervisor/supervisor.hpp"

namespace hallmark::conformance {

Housekeeper::Housekeeper(RunContext& context)
    : context_(context),
      harmless_(encoded(context.format, query("hallmark:absent:" + context.nonce))) {}

Conversation& Housekeeper::conversation() {
  Supervisor* const supervisor = context_.network.supervisor();
  const unsigned generation = supervisor == nullptr ? 0 : supervisor->generation();
  if (generation != generation_) leave();
  generation_ = generation;
  if (!conversation_) {
    conversation_.emplace(context_, nullptr, "bystander", open_link(context_));
  }
  return *conversation_;
}

void Housekeeper::exchange(std::span<const Outgoing> requests) {
  try {
    Conversation& connection = conversation();
    connection.send_together(requests);
    for (std::size_t i = 0; i < requests.size(); ++i) connection.reply();
    connection.require_quiet();
  } catch (const CaseEnded& ended) {
    conversation_.reset();
    Judgement judgement = ended.judgement();
    judgement.reason = "on a connection that only tidies up: " + judgement.reason;
    judgement.refused_operation.clear();
    throw CaseEnded(std::move(judgement));
  }
}

void Housekeeper::purge(std::span<const protocol::Record> records) {
  if (records.empty()) return;
  std::vector<Outgoing> requests;
  for (const protocol::Record& record : records)
    requests.push_back(encoded(context_.format, purge_of(record)));
  exchange(requests);
}

void Housekeeper::barrier() { exchange({&harmless_, 1}); }

bool Housekeeper::answers() {
  try {
    barrier();
    return true;
  } catch (const CaseEnded&) {
    return false;
  }
}

}  // namespace hallmark::conformance
