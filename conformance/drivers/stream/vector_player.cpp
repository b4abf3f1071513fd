#include "conformance/drivers/stream/vector_player.hpp"

#include <algorithm>

#include "conformance/drivers/stream/cutting.hpp"
#include "conformance/engine/replay.hpp"

namespace hallmark::conformance {
namespace {

using vectors::Close;
using vectors::Pause;
using vectors::Send;
using vectors::Step;
using vectors::Vector;

/// The operations that only read or change records: they leave a connection as they found it.
constexpr protocol::MessageName leaves_no_trace[] = {
    "INSERT", "QUERY", "UPDATE", "PURGE", "SET", "GET", "LIST", "STAT", "STATS", "CHANNEL"};

bool can_reuse_connections(const Vector& vector) {
  return std::ranges::all_of(vector.steps, [](const Step& step) {
    if (std::holds_alternative<Close>(step.action)) return false;
    const Send* const send = std::get_if<Send>(&step.action);
    return send == nullptr ||
           std::ranges::find(leaves_no_trace, protocol::MessageName::unchecked(send->operation)) !=
               std::ranges::end(leaves_no_trace);
  });
}

bool has_substitutions(const Vector& vector) {
  return std::ranges::any_of(vector.steps, [](const Step& step) {
    const Send* const send = std::get_if<Send>(&step.action);
    return send != nullptr && !send->substitutions.empty();
  });
}

bool has_pauses(const Vector& vector) {
  return std::ranges::any_of(
      vector.steps, [](const Step& step) { return std::holds_alternative<Pause>(step.action); });
}

bool one_connection(const Vector& vector) {
  return std::ranges::all_of(vector.steps, [&](const Step& step) {
    return step.connection == vector.steps.front().connection &&
           !std::holds_alternative<Close>(step.action);
  });
}

/// A request of one byte cannot.
bool can_be_cut(const Vector& vector) {
  return std::ranges::any_of(vector.steps, [](const Step& step) {
    const Send* const send = std::get_if<Send>(&step.action);
    return send != nullptr && send->bytes.size() > 1;
  });
}

std::size_t sends_in(const Vector& vector) {
  return static_cast<std::size_t>(std::ranges::count_if(
      vector.steps, [](const Step& step) { return std::holds_alternative<Send>(step.action); }));
}

bool got_no_reply(const CaseEnded& ended) {
  const auto& code = ended.judgement().code;
  return code && (code->kind == Code::Kind::silent || code->kind == Code::Kind::closed);
}

/// A target that makes others wait for the rest of a request does with the vector as it should,
/// and is played without others beside it from then on. One that hangs, or has died, does not.
template <typename Play>
void play_cut(Stage& stage, const Vector& vector, const Play& play) {
  Replay beside_others(stage, vector);
  const auto waits = [&] {
    return beside_others.held_up_others() && stage.bystander().is_answered_again();
  };
  try {
    play(beside_others);
    if (waits()) stage.context().note_waiting();
    return;
  } catch (const CaseEnded& ended) {
    if (got_no_reply(ended) || !waits()) throw;
  }
  stage.context().note_waiting();
  stage.restart();
  Replay by_itself(stage, vector);
  play(by_itself);
}

void play_once(Stage& stage, const Vector& vector, const Cutting& cutting) {
  stage.restart();
  play_cut(stage, vector, [&](Replay& replay) { replay.one_by_one(cutting); });
  stage.require_quiet();
}

void play_pipelined(Stage& stage, const Vector& vector) {
  stage.restart();
  Replay(stage, vector).pipelined();
  stage.require_quiet();
}

/// One connection brings the requests in their order, whatever the others do.
bool can_run_ahead(const WireFormat& format, const Vector& vector) {
  return sends_in(vector) > 1 && one_connection(vector) && !has_substitutions(vector) &&
         !has_pauses(vector) && !format.reads({"reply-order", "any-order"});
}

/// One replay for every offset; every request that is longer is cut there, so that a vector of
/// several requests needs no more replays than its longest one has places.
std::vector<Cutting> cuttings_by_offset(const WireFormat& format, const Vector& vector) {
  std::set<std::size_t> offsets;
  std::set<std::size_t> edges;
  for (const Step& step : vector.steps) {
    const Send* const send = std::get_if<Send>(&step.action);
    if (send == nullptr) continue;
    for (const std::size_t cut : cuts_of(format, *send)) offsets.insert(cut);
    edges.merge(edges_of(format, *send));
  }
  const bool ahead = can_run_ahead(format, vector);
  std::vector<Cutting> cuttings;
  for (const std::size_t offset : offsets) {
    const bool chained = ahead && offset >= cut_alone_below && !edges.contains(offset);
    cuttings.push_back({chained ? Cuts::chained : Cuts::at_offset, offset, 0});
  }
  return cuttings;
}

/// Makes the cuttings for vectors of many requests, such as those that fill a listing: requests
/// that resemble each other share the places among them.
std::vector<Cutting> cuttings_by_rank(const WireFormat& format, const Vector& vector) {
  const std::vector<Rank> ranks = ranks_of(vector);
  std::size_t rounds = 0;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    const Send* const send = std::get_if<Send>(&vector.steps[i].action);
    if (send == nullptr) continue;
    rounds = std::max(rounds, (cuts_of(format, *send).size() + ranks[i].of - 1) / ranks[i].of);
  }
  std::vector<Cutting> cuttings;
  for (std::size_t round = 0; round < rounds; ++round)
    cuttings.push_back({Cuts::by_rank, 0, round});
  return cuttings;
}

void play_splits(Stage& stage, const Vector& vector) {
  constexpr std::size_t many = 16;
  const auto cuttings = sends_in(vector) > many ? cuttings_by_rank(stage.format(), vector)
                                                : cuttings_by_offset(stage.format(), vector);
  const bool reuse = stage.context().serves_several && can_reuse_connections(vector);
  stage.restart();
  for (const Cutting& cutting : cuttings) {
    play_cut(stage, vector, [&](Replay& replay) {
      cutting.cuts == Cuts::chained ? replay.chained(cutting.offset) : replay.one_by_one(cutting);
    });
    if (reuse) {
      stage.forget_evidence();
      continue;
    }
    stage.require_quiet();
    stage.restart();
  }
  stage.require_quiet();
}

}  // namespace

std::string_view suffix_of(Delivery delivery) {
  switch (delivery) {
    case Delivery::whole: return "";
    case Delivery::bytewise: return "#bytewise";
    case Delivery::split: return "#split";
    case Delivery::pipelined: return "#pipelined";
  }
  return "";
}

bool can_deliver(const WireFormat& format, const Vector& vector, Delivery delivery) {
  const bool alone = !vector.preconditions.empty() || has_pauses(vector);
  switch (delivery) {
    case Delivery::whole: return true;
    case Delivery::bytewise:
    case Delivery::split: return !alone && can_be_cut(vector);
    case Delivery::pipelined: return can_run_ahead(format, vector);
  }
  return false;
}

void play(Stage& stage, const Vector& vector, Delivery delivery) {
  stage.adopt(vector.keys);
  switch (delivery) {
    case Delivery::whole: play_once(stage, vector, {}); break;
    case Delivery::bytewise: play_once(stage, vector, {Cuts::everywhere, 0, 0}); break;
    case Delivery::split: play_splits(stage, vector); break;
    case Delivery::pipelined: play_pipelined(stage, vector); break;
  }
  stage.clean();
}

}  // namespace hallmark::conformance
