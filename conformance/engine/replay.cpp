#include "conformance/engine/replay.hpp"

#include <fmt/format.h>

#include <utility>

#include "protocol/codec/encode.hpp"

namespace hallmark::conformance {
namespace {

using base::Bytes;
using vectors::Expect;
using vectors::Expected;
using vectors::Mismatch;
using vectors::Pause;
using vectors::Send;
using vectors::Step;
using vectors::Vector;

/// When a request is sent byte by byte, requests on another connection come between its segments:
/// between all of them as far as most requests reach, then after every so many.
constexpr std::size_t segments_between_barriers = 8;

/// ns; segments that no round trip keeps apart are sent so long after each other: a server that is
/// idle has read the one by then.
constexpr Time between_segments = 300'000;

/// Returns how many bytes of the request are sent ahead.
std::size_t beginning_of(const Outgoing& request, std::size_t offset) {
  return offset < request.bytes.size() ? offset : 0;
}

/// Returns the expected message, with the target's own values in all fields that it is free to
/// choose.
std::optional<Bytes> filled(const Message& message, const Expected& expected) {
  protocol::Record record = message.view().record();
  for (const vectors::FieldPattern& pattern : expected.fields) {
    if (pattern.match == vectors::Match::set_of) return std::nullopt;
    if (pattern.match == vectors::Match::equals)
      record.set(protocol::FieldName::unchecked(pattern.field), pattern.value);
  }
  auto bytes = protocol::encode(message.layout(), record);
  if (!bytes) return expected.example;
  return *std::move(bytes);
}

}  // namespace

Replay::Replay(Stage& stage, const Vector& vector)
    : stage_(stage), vector_(vector), windows_(vector.steps.size()) {
  context_.captures = &captures_;
  context_.elapsed_since = [this](std::size_t since) {
    return elapsed_between(windows_.at(since), now_);
  };
}

void Replay::one_by_one(const Cutting& cutting) {
  const auto ranks = ranks_of(vector_);
  for (std::size_t i = 0; i < vector_.steps.size(); ++i) {
    const Step& step = vector_.steps[i];
    if (const Send* const send = std::get_if<Send>(&step.action)) {
      this->send(i, *send, cuts_for(stage_.format(), *send, cutting, ranks[i]));
    } else if (const Expect* const expect = std::get_if<Expect>(&step.action)) {
      this->expect(step.connection, *expect);
    } else if (const Pause* const pause = std::get_if<Pause>(&step.action)) {
      stage_.wait_until(stage_.now() + pause->milliseconds * length_of(TtlUnit::milliseconds));
    } else {
      stage_.close(step.connection);
    }
  }
}

void Replay::chained(std::size_t offset) {
  Conversation& connection = this->connection(vector_.steps.front().connection);
  std::optional<Outgoing> started;
  std::optional<Counted> owed;
  std::size_t begun = 0;
  for (std::size_t i = 0; i < vector_.steps.size(); ++i) {
    const Step& step = vector_.steps[i];
    if (const Expect* const expect = std::get_if<Expect>(&step.action)) {
      this->expect(step.connection, *expect);
      continue;
    }
    if (!started) {
      const Outgoing first = request_of(std::get<Send>(step.action));
      begun = beginning_of(first, offset);
      started = connection.start(first, begun);
      owed.emplace(stage_.context().halves);
      between();
    }
    const Send* const send = send_after(i);
    if (send == nullptr) {
      connection.complete(*started, begun);
      owed.reset();
    } else {
      const Outgoing next = request_of(*send);
      const std::size_t beginning = beginning_of(next, offset);
      started = connection.complete_and_start(*started, begun, next, beginning);
      begun = beginning;
    }
    sent(i, step.connection);
  }
}

void Replay::pipelined() {
  purge();
  std::vector<Outgoing> requests;
  for (const Step& step : vector_.steps) {
    if (const Send* const send = std::get_if<Send>(&step.action)) {
      requests.push_back(
          {&stage_.format().operation(protocol::MessageName::unchecked(send->operation)),
           send->bytes});
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

void Replay::send(std::size_t index, const Send& send, const std::vector<std::size_t>& cuts) {
  const std::string& name = vector_.steps[index].connection;
  Conversation& connection = this->connection(name);
  const Outgoing request = request_of(send);
  if (cuts.empty()) {
    purge();
    connection.send_together({&request, 1});
  } else {
    std::size_t part = 0;
    connection.send_cut(request, cuts, [&] {
      const std::size_t at = cuts[part++];
      if (cuts.size() == 1 || at < cut_alone_below || part % segments_between_barriers == 0)
        between();
    });
  }
  sent(index, name);
}

bool Replay::purge() {
  return std::exchange(purged_, true) || stage_.bystander().purge(vector_.keys);
}

/// A target that serves one connection at a time takes no purge beside it.
Conversation& Replay::connection(const std::string& name) {
  if (!stage_.context().serves_beside_half_requests()) purge();
  opened_ = opened_ || !stage_.is_open(name);
  return stage_.connection(name);
}

void Replay::between() {
  if (std::exchange(opened_, false)) stage_.bystander().leave();
  if (!stage_.context().serves_beside_half_requests())
    return stage_.wait_until(stage_.now() + between_segments);
  if (held_up_others_) return;
  const Counted owed(stage_.context().halves);
  const bool goes_round = std::exchange(purged_, true) || vector_.keys.empty();
  Housekeeper& bystander = stage_.bystander();
  held_up_others_ =
      !(goes_round ? bystander.barrier() : bystander.purge_beside_half_a_request(vector_.keys));
}

Outgoing Replay::request_of(const Send& send) const {
  return {&stage_.format().operation(protocol::MessageName::unchecked(send.operation)),
          substituted(send)};
}

const Send* Replay::send_after(std::size_t index) const {
  for (std::size_t i = index + 1; i < vector_.steps.size(); ++i) {
    if (const Send* const send = std::get_if<Send>(&vector_.steps[i].action)) return send;
  }
  return nullptr;
}

void Replay::sent(std::size_t index, const std::string& connection) {
  // Until the reply is there, nothing bounds when the request was handled.
  windows_[index] = {stage_.connection(connection).last_sent(), stage_.now()};
  const auto& send = std::get<Send>(vector_.steps[index].action);
  if (stage_.format()
          .reply(stage_.format().operation(protocol::MessageName::unchecked(send.operation)))
          .sent()) {
    unanswered_[connection].push_back(index);
  }
}

Bytes Replay::substituted(const Send& send) const {
  if (send.substitutions.empty()) return send.bytes;
  protocol::Record values = send.fields;
  for (const auto& substitution : send.substitutions) {
    const auto found = captures_.find(substitution.capture);
    if (found == captures_.end()) {
      end_case(reports::Verdict::error,
               fmt::format("the vector uses {}, which no step captured", substitution.capture));
    }
    values.set(protocol::FieldName::unchecked(substitution.field), found->second);
  }
  const auto& operation =
      stage_.format().operation(protocol::MessageName::unchecked(send.operation));
  auto bytes = protocol::encode(stage_.format().request(operation), values);
  if (!bytes) {
    end_case(reports::Verdict::error, fmt::format("cannot put what was captured into {}: {}",
                                                  send.operation, bytes.error().reason));
  }
  return std::move(*bytes);
}

void Replay::expect(const std::string& name, const Expect& expect) {
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

Message Replay::received(Conversation& connection, const Expect& expect, bool push) {
  try {
    return push ? connection.delivery() : connection.reply();
  } catch (const CaseEnded&) {
    stage_.evidence().expect_instead(expect.any_of.front().example);
    throw;
  }
}

void Replay::judge(Conversation& connection, const Message& message, const Expect& expect) {
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

}  // namespace hallmark::conformance
