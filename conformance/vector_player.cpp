#include "conformance/vector_player.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "conformance/diagnosis.hpp"
#include "reference/protocol/encode.hpp"

namespace hallmark::conformance {
namespace {

using protocol::Bytes;
using vectors::Close;
using vectors::Expect;
using vectors::Expected;
using vectors::Mismatch;
using vectors::Pause;
using vectors::Send;
using vectors::Step;
using vectors::Vector;

/// What only reads or changes records leaves a connection as it found it.
constexpr std::string_view leaves_no_trace[] = {"INSERT", "QUERY", "UPDATE", "PURGE", "SET",
                                                "GET",    "LIST",  "STAT",   "STATS"};

bool can_reuse_connections(const Vector& vector) {
  return std::ranges::all_of(vector.steps, [](const Step& step) {
    if (std::holds_alternative<Close>(step.action)) return false;
    const Send* const send = std::get_if<Send>(&step.action);
    return send == nullptr ||
           std::ranges::find(leaves_no_trace, send->operation) != std::ranges::end(leaves_no_trace);
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

std::size_t sends_in(const Vector& vector) {
  return static_cast<std::size_t>(std::ranges::count_if(
      vector.steps, [](const Step& step) { return std::holds_alternative<Send>(step.action); }));
}

/// Which of how many requests of one operation and length on one connection a step sends.
struct Rank {
  std::size_t rank = 0;
  std::size_t of = 0;
};

/// Where the requests of one replay are cut.
struct Cutting {
  bool everywhere = false;
  /// Every request that is longer is cut here.
  std::optional<std::size_t> at;
  /// Requests that resemble each other are each cut at another place; the next round goes on.
  const std::vector<Rank>* ranks = nullptr;
  std::size_t round = 0;
};

std::vector<Rank> ranks_of(const Vector& vector) {
  std::map<std::tuple<std::string, std::string, std::size_t>, std::size_t> counts;
  const auto count_of = [&](const Step& step, const Send& send) -> std::size_t& {
    return counts[{step.connection, send.operation, send.bytes.size()}];
  };
  std::vector<Rank> ranks(vector.steps.size());
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    const Send* const send = std::get_if<Send>(&vector.steps[i].action);
    if (send != nullptr) ranks[i].rank = count_of(vector.steps[i], *send)++;
  }
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    const Send* const send = std::get_if<Send>(&vector.steps[i].action);
    if (send != nullptr) ranks[i].of = count_of(vector.steps[i], *send);
  }
  return ranks;
}

/// One pass over the steps of a vector.
class Replay {
 public:
  Replay(Stage& stage, const Vector& vector)
      : stage_(stage), vector_(vector), windows_(vector.steps.size()) {
    context_.captures = &captures_;
    context_.elapsed_since = [this](std::size_t since) {
      return elapsed_between(windows_.at(since), now_);
    };
  }

  void one_by_one(const Cutting& cutting) {
    for (std::size_t i = 0; i < vector_.steps.size(); ++i) {
      const Step& step = vector_.steps[i];
      if (const Send* const send = std::get_if<Send>(&step.action)) {
        this->send(i, *send, cutting);
      } else if (const Expect* const expect = std::get_if<Expect>(&step.action)) {
        this->expect(step.connection, *expect);
      } else if (const Pause* const pause = std::get_if<Pause>(&step.action)) {
        stage_.wait_until(stage_.now() + pause->milliseconds * length_of(TtlUnit::milliseconds));
      } else {
        stage_.close(step.connection);
      }
    }
  }

  void pipelined() {
    std::vector<Outgoing> requests;
    for (const Step& step : vector_.steps) {
      if (const Send* const send = std::get_if<Send>(&step.action)) {
        requests.push_back({&stage_.format().operation(send->operation), send->bytes});
      }
    }
    const std::string& connection = vector_.steps.front().connection;
    stage_.connection(connection).send_together(requests);
    for (std::size_t i = 0; i < vector_.steps.size(); ++i) {
      if (std::holds_alternative<Send>(vector_.steps[i].action)) sent(i, connection);
    }
    for (const Step& step : vector_.steps) {
      if (const Expect* const expect = std::get_if<Expect>(&step.action))
        this->expect(connection, *expect);
    }
  }

 private:
  void send(std::size_t index, const Send& send, const Cutting& cutting) {
    const std::string& name = vector_.steps[index].connection;
    Conversation& connection = stage_.connection(name);
    const Outgoing request{&stage_.format().operation(send.operation), substituted(send)};
    const auto cuts = cuts_for(index, send, cutting);
    cuts.empty() ? connection.send_together({&request, 1})
                 : connection.send_cut(request, cuts, [&] { stage_.bystander().barrier(); });
    sent(index, name);
  }

  std::vector<std::size_t> cuts_for(std::size_t index, const Send& send,
                                    const Cutting& cutting) const {
    if (cutting.everywhere) return cuts_of(stage_.format(), send);
    if (cutting.at && *cutting.at < send.bytes.size()) return {*cutting.at};
    if (cutting.ranks == nullptr) return {};
    const auto cuts = cuts_of(stage_.format(), send);
    const auto [rank, of] = cutting.ranks->at(index);
    const std::size_t chosen = rank + cutting.round * of;
    if (chosen < cuts.size()) return {cuts[chosen]};
    return {};
  }

  void sent(std::size_t index, const std::string& connection) {
    // Until the reply is there, nothing bounds when the request was handled.
    windows_[index] = {stage_.connection(connection).last_sent(), stage_.now()};
    const auto& send = std::get<Send>(vector_.steps[index].action);
    if (stage_.format().reply(stage_.format().operation(send.operation)).sent()) {
      unanswered_[connection].push_back(index);
    }
  }

  Bytes substituted(const Send& send) const {
    if (send.substitutions.empty()) return send.bytes;
    protocol::Record values = send.fields;
    for (const auto& substitution : send.substitutions) {
      const auto found = captures_.find(substitution.capture);
      if (found == captures_.end()) {
        end_case(reports::Verdict::error,
                 fmt::format("the vector uses {}, which no step captured", substitution.capture));
      }
      values.set(substitution.field, found->second);
    }
    const auto& operation = stage_.format().operation(send.operation);
    auto bytes = protocol::encode(stage_.format().request(operation), values);
    if (!bytes) {
      end_case(reports::Verdict::error, fmt::format("cannot put what was captured into {}: {}",
                                                    send.operation, bytes.error().reason));
    }
    return std::move(*bytes);
  }

  void expect(const std::string& name, const Expect& expect) {
    Conversation& connection = stage_.connection(name);
    const bool push = expect.any_of.front().push;
    const Message message = received(connection, expect, push);
    now_ = message.window();
    if (!push) {
      auto& unanswered = unanswered_[name];
      if (!unanswered.empty()) {
        windows_[unanswered.front()] = now_;
        unanswered.pop_front();
      }
    }
    judge(connection, message, expect);
  }

  /// What comes next; where that is no whole message, the evidence shows what should have come.
  Message received(Conversation& connection, const Expect& expect, bool push) {
    try {
      return push ? connection.delivery() : connection.reply();
    } catch (const CaseEnded&) {
      stage_.evidence().expect_instead(expect.any_of.front().example);
      throw;
    }
  }

  void judge(Conversation& connection, const Message& message, const Expect& expect) {
    std::vector<Mismatch> fewest;
    const Expected* nearest = nullptr;
    for (const Expected& expected : expect.any_of) {
      if (expected.message != message.layout().name()) continue;
      auto mismatches = vectors::match(expected, message.view(), context_);
      if (mismatches.empty()) return;
      if (nearest == nullptr || mismatches.size() < fewest.size()) {
        nearest = &expected;
        fewest = std::move(mismatches);
      }
    }
    if (nearest == nullptr) {
      fewest = {{"", 0, message.bytes().size(), expect.any_of.front().message,
                 std::string(message.layout().name())}};
    }
    connection.refuse(message, std::move(fewest),
                      nearest == nullptr ? std::nullopt : filled(message, *nearest));
  }

  /// What was expected, with all that the target is free to choose as it chose.
  std::optional<Bytes> filled(const Message& message, const Expected& expected) const {
    protocol::Record record = message.view().record();
    for (const vectors::FieldPattern& pattern : expected.fields) {
      if (pattern.match == vectors::Match::set_of) return std::nullopt;
      if (pattern.match == vectors::Match::equals) record.set(pattern.field, pattern.value);
    }
    auto bytes = protocol::encode(message.layout(), record);
    return bytes ? std::move(*bytes) : expected.example;
  }

  Stage& stage_;
  const Vector& vector_;
  std::vector<Window> windows_;
  Window now_;
  std::map<std::string, std::deque<std::size_t>> unanswered_;
  std::map<std::string, vectors::Value> captures_;
  vectors::Context context_;
};

void prepare(Stage& stage, const Vector& vector) { stage.bystander().purge(vector.keys); }

void play_once(Stage& stage, const Vector& vector, const Cutting& cutting) {
  stage.restart();
  prepare(stage, vector);
  Replay(stage, vector).one_by_one(cutting);
  stage.require_quiet();
}

void play_pipelined(Stage& stage, const Vector& vector) {
  stage.restart();
  prepare(stage, vector);
  Replay(stage, vector).pipelined();
  stage.require_quiet();
}

/// One replay for every offset; every request that is longer is cut there, so that a vector of
/// several requests needs no more replays than its longest one has places.
std::vector<Cutting> cuttings_by_offset(const WireFormat& format, const Vector& vector) {
  std::set<std::size_t> offsets;
  for (const Step& step : vector.steps) {
    const Send* const send = std::get_if<Send>(&step.action);
    if (send == nullptr) continue;
    for (const std::size_t cut : cuts_of(format, *send)) offsets.insert(cut);
  }
  std::vector<Cutting> cuttings;
  for (const std::size_t offset : offsets) {
    cuttings.push_back({.everywhere = false, .at = offset, .ranks = nullptr, .round = 0});
  }
  return cuttings;
}

/// For vectors of many requests, such as those that fill a listing: requests that resemble each
/// other share the places among them.
std::vector<Cutting> cuttings_by_rank(const WireFormat& format, const Vector& vector,
                                      const std::vector<Rank>& ranks) {
  std::size_t rounds = 0;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    const Send* const send = std::get_if<Send>(&vector.steps[i].action);
    if (send == nullptr) continue;
    rounds = std::max(rounds, (cuts_of(format, *send).size() + ranks[i].of - 1) / ranks[i].of);
  }
  std::vector<Cutting> cuttings;
  for (std::size_t round = 0; round < rounds; ++round) {
    cuttings.push_back({.everywhere = false, .at = {}, .ranks = &ranks, .round = round});
  }
  return cuttings;
}

void play_splits(Stage& stage, const Vector& vector) {
  constexpr std::size_t many = 16;
  const std::vector<Rank> ranks = ranks_of(vector);
  const auto cuttings = sends_in(vector) > many ? cuttings_by_rank(stage.format(), vector, ranks)
                                                : cuttings_by_offset(stage.format(), vector);
  const bool reuse = can_reuse_connections(vector);
  stage.restart();
  for (const Cutting& cutting : cuttings) {
    prepare(stage, vector);
    Replay(stage, vector).one_by_one(cutting);
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
    case Delivery::split: return !alone && sends_in(vector) > 0;
    case Delivery::pipelined:
      return sends_in(vector) > 1 && one_connection(vector) && !has_substitutions(vector) &&
             !has_pauses(vector) && !format.reads({"reply-order", "any-order"});
  }
  return false;
}

std::vector<std::size_t> cuts_of(const WireFormat& format, const Send& send) {
  std::set<std::size_t> cuts;
  const std::size_t size = send.bytes.size();
  for (std::size_t at = 1; at < std::min(size, cut_everywhere_below); ++at) cuts.insert(at);
  protocol::Decoder decoder(format.request(format.operation(send.operation)),
                            {.refuse_unlisted = false});
  decoder.resume(send.bytes);
  for (const protocol::FieldValue& field : decoder.fields()) {
    for (const std::size_t edge :
         {std::size_t{field.offset}, std::size_t{field.offset} + field.length}) {
      for (const std::size_t at : {edge - std::min(edge, std::size_t{1}), edge, edge + 1}) {
        if (at > 0 && at < size) cuts.insert(at);
      }
    }
  }
  return {cuts.begin(), cuts.end()};
}

void play(Stage& stage, const Vector& vector, Delivery delivery) {
  stage.adopt(vector.keys);
  switch (delivery) {
    case Delivery::whole: play_once(stage, vector, {}); break;
    case Delivery::bytewise:
      play_once(stage, vector, {.everywhere = true, .at = {}, .ranks = nullptr, .round = 0});
      break;
    case Delivery::split: play_splits(stage, vector); break;
    case Delivery::pipelined: play_pipelined(stage, vector); break;
  }
  stage.clean();
}

}  // namespace hallmark::conformance
