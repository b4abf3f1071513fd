#include "conformance/tests/fault_prediction.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>

#include "base/quantity.hpp"
#include "base/text.hpp"
#include "conformance/tests/rounds_tried.hpp"
#include "protocol/annotate.hpp"

namespace hallmark::conformance::testing {
namespace {

using base::Bytes;
using reports::Verdict;

bool names(const Bytes& request, std::string_view key) {
  return base::as_text(request).find(key) != std::string_view::npos;
}

bool is_fence(const Bytes& request) { return names(request, "hallmark:fence:"); }
/// The request that only shows that the target still answers.
bool is_barrier(const Bytes& request) { return names(request, "hallmark:absent:"); }

std::string awaited(const Operation& received) {
  const auto reply = std::ranges::find_if(
      received.messages, [](const Arrived& message) { return !message.operation.empty(); });
  return reply == received.messages.end() ? "a delivery" : "the reply to " + reply->operation;
}

/// Returns the offset of the message among the bytes that were received with it.
std::size_t offset_of(const Operation& received, std::size_t message) {
  std::size_t offset = 0;
  for (std::size_t i = 0; i < message; ++i) offset += received.messages[i].size;
  return offset;
}

std::optional<std::size_t> first_reply(const Operation& received, std::size_t from) {
  for (std::size_t i = from; i < received.messages.size(); ++i) {
    if (!received.messages[i].operation.empty()) return i;
  }
  return std::nullopt;
}

std::uint64_t id_in(const protocol::Layout& layout, base::ByteView message) {
  protocol::Decoder decoder(layout);
  decoder.resume(message);
  return protocol::MessageView(decoder, message).number_or("request_id", 0);
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const Ending& ending) {
  return out << reports::name_of(ending.verdict) << ": " << ending.reason;
}

/// The operations from the fault on, up to the first that goes another way. Of all faults but
/// garbage, which changes what is read and not what happens.
class FaultPrediction::Course {
 public:
  Course(const FaultPrediction& prediction, Fault fault) : of_(prediction), fault_(fault) {
    const bool ends = fault.kind != FaultKind::stall;
    if (ends) dead_ = of_.history_[fault.at].connection;
  }

  Ending ending() {
    for (std::size_t at = fault_.at; at < of_.end_; ++at) {
      if (wrong_end_ && !comes_before_verdict_on_wrong(at)) break;
      if (auto ending = ending_at(at)) return lasts() ? lost_at(at) : std::move(*ending);
    }
    if (!wrong_end_) return {};
    return lasts() ? lost_at(wrong_ended_at_) : *wrong_end_;
  }

 private:
  bool stalled() const { return fault_.kind == FaultKind::stall; }

  /// The case finds out that the target is lost, and tries no further input.
  bool lasts() const {
    return !of_.scenario_.inputs.empty() && (stalled() || fault_.kind == FaultKind::refuse);
  }
  Ending lost_at(std::size_t at) const {
    return of_.lost_at(of_.input_at(at), stalled() ? Loss::hangs : Loss::gone);
  }

  /// The case first sees the connection to its end, and may remove what the wrong request made.
  bool comes_before_verdict_on_wrong(std::size_t at) const {
    const Operation& operation = of_.history_[at];
    const Role& role = of_.roles_.at(operation.connection);
    if (!role.tidies) return role.wrong.has_value() && operation.kind != OperationKind::connect;
    const Operation* const request = of_.last_send_on(operation.connection, at + 1);
    return request != nullptr && !is_barrier(request->bytes);
  }

  std::optional<Ending> ending_at(std::size_t at) {
    const Operation& operation = of_.history_[at];
    switch (operation.kind) {
      case OperationKind::connect: return connecting(operation, at);
      case OperationKind::send: return sending(operation, at);
      case OperationKind::receive: return receiving(operation, at);
      case OperationKind::finish:
      case OperationKind::reset: return std::nullopt;
    }
    return std::nullopt;
  }

  std::optional<Ending> connecting(const Operation& operation, std::size_t at) const {
    if (stalled())
      return of_.found_on(operation.connection, at, Verdict::error, "no answer in time");
    if (fault_.kind != FaultKind::refuse) return std::nullopt;
    return of_.found_on(operation.connection, at, Verdict::error, "Connection refused");
  }

  std::optional<Ending> sending(const Operation& operation, std::size_t at) {
    if (operation.connection == dead_) lost_.insert(at);
    if (!stalled()) return std::nullopt;
    return of_.found_on(
        operation.connection, at, Verdict::fail,
        fmt::format("the target took no bytes on {}", of_.roles_.at(operation.connection).name));
  }

  std::optional<Ending> receiving(const Operation& operation, std::size_t at) {
    const bool dead = operation.connection == dead_;
    if (of_.roles_.at(operation.connection).wrong) {
      if (!wrong_end_ && (dead || stalled())) note_wrong_end(operation, at);
      return std::nullopt;
    }
    if (dead && replaces(operation.connection, at)) return std::nullopt;
    if (dead) {
      const std::string_view how = fault_.kind == FaultKind::reset ? "reset" : "closed";
      return of_.found_on(
          operation.connection, at, Verdict::fail,
          fmt::format("the target {} the connection where {} was due", how, awaited(operation)));
    }
    if (stalled()) return silent(operation, at, awaited(operation));
    // Only deliveries are caused on another connection. Where a reply is due, it still comes.
    if (first_reply(operation, 0)) return std::nullopt;
    const bool starved = std::ranges::any_of(
        operation.messages, [&](const Arrived& message) { return lost_.contains(message.cause); });
    return starved ? silent(operation, at, "a delivery") : std::nullopt;
  }

  /// Those that tidy up open another connection when theirs has ended.
  bool replaces(Connection connection, std::size_t at) {
    const bool replaced = of_.roles_.at(connection).tidies && !of_.shows_life(connection, at);
    if (replaced) dead_.reset();
    return replaced;
  }

  std::optional<Ending> silent(const Operation& operation, std::size_t at,
                               std::string_view due) const {
    return of_.found_on(operation.connection, at, Verdict::fail,
                        fmt::format("the target was silent where {} was due", due));
  }

  /// The connection ends, or says nothing more, without all that it brings otherwise.
  void note_wrong_end(const Operation& operation, std::size_t at) {
    if (stalled()) patience_.spend(patience_.allowance());
    const bool said_all = operation.bytes.empty() && of_.brought_bytes(operation.connection, at);
    if (said_all) return;
    const std::string_view answer = stalled() ? "silence" : "the end of the connection";
    if (answer == of_.scenario_.expected_answer) return;
    wrong_end_ = of_.unexpected_answer(operation.connection, answer);
    wrong_ended_at_ = at;
  }

  const FaultPrediction& of_;
  Fault fault_;
  Patience patience_{test_deadline};
  std::optional<Connection> dead_;
  std::set<std::size_t> lost_;  ///< sends that the target never got
  std::optional<Ending> wrong_end_;
  std::size_t wrong_ended_at_ = 0;
};

FaultPrediction::FaultPrediction(const FaultScenario& scenario,
                                 const std::vector<Operation>& history, std::size_t begin,
                                 std::size_t end)
    : scenario_(scenario), history_(history), begin_(begin), end_(end) {
  std::size_t opened = 0;
  std::size_t wrong = 0;
  for (std::size_t at = begin; at < end; ++at) {
    const Connection connection = history[at].connection;
    if (!roles_.contains(connection)) roles_[connection] = role_of(connection, opened, wrong);
  }
}

FaultPrediction::Role FaultPrediction::role_of(Connection connection, std::size_t& opened,
                                               std::size_t& wrong) const {
  if (is_tidying(connection)) return {"bystander", true};
  const auto& names = scenario_.connections;
  const std::string& name = names[opened++ % names.size()];
  if (name != "wrong") return {name};
  return {name, false, wrong++};
}

bool FaultPrediction::is_tidying(Connection connection) const {
  const auto first = next_on(connection, begin_, OperationKind::send);
  if (!first) return false;
  const Bytes& request = history_[*first].bytes;
  const bool purges = request.front() == scenario_.format.operation("PURGE").opcode;
  return is_barrier(request) || (purges && !names(request, "hallmark:sanity:"));
}

std::optional<std::size_t> FaultPrediction::next_on(Connection connection, std::size_t from,
                                                    std::optional<OperationKind> kind) const {
  for (std::size_t at = from; at < end_; ++at) {
    const Operation& operation = history_[at];
    if (operation.connection == connection && (!kind || operation.kind == *kind)) return at;
  }
  return std::nullopt;
}

const Operation* FaultPrediction::last_send_on(Connection connection, std::size_t before) const {
  for (std::size_t at = before; at-- > begin_;) {
    const Operation& operation = history_[at];
    if (operation.connection == connection && operation.kind == OperationKind::send)
      return &operation;
  }
  return nullptr;
}

bool FaultPrediction::brought_bytes(Connection connection, std::size_t before) const {
  for (std::size_t at = begin_; at < before; ++at) {
    const Operation& operation = history_[at];
    if (operation.connection == connection && operation.kind == OperationKind::receive &&
        !operation.bytes.empty())
      return true;
  }
  return false;
}

Ending FaultPrediction::of(Fault fault) const {
  return fault.kind == FaultKind::garbage ? after_garbage(fault.at) : Course(*this, fault).ending();
}

bool FaultPrediction::is_certain(Fault fault) const {
  const bool lasts = fault.kind == FaultKind::refuse || fault.kind == FaultKind::stall;
  return !lasts || !roles_.at(history_[fault.at].connection).tidies;
}

/// The garbage comes behind what the target wrote until then, with the next receive.
Ending FaultPrediction::after_garbage(std::size_t at) const {
  const Connection connection = history_[at].connection;
  const auto received = next_on(connection, at, OperationKind::receive);
  if (!received) return {};
  if (roles_.at(connection).wrong)
    return unexpected_answer(connection, "bytes that belong to no request");
  const Operation& operation = history_[*received];
  const auto before = static_cast<std::size_t>(std::ranges::count_if(
      operation.messages, [&](const Arrived& message) { return message.cause < at; }));
  Bytes unread(std::begin(garbage), std::end(garbage));
  unread.insert(unread.end(),
                operation.bytes.begin() + static_cast<std::ptrdiff_t>(offset_of(operation, before)),
                operation.bytes.end());
  if (const auto due = first_reply(operation, before)) return misread(*received, *due, unread);
  return after_unread(connection, *received, std::move(unread));
}

/// Bytes are left that no request asked for yet: the next look at the connection finds them.
Ending FaultPrediction::after_unread(Connection connection, std::size_t received,
                                     Bytes unread) const {
  const bool looks_at_once =
      roles_.at(connection).tidies || is_fence(last_send_on(connection, received)->bytes);
  if (looks_at_once) return surplus(connection, received, unread);
  for (auto at = next_on(connection, received + 1); at; at = next_on(connection, *at + 1)) {
    const Operation& operation = history_[*at];
    if (operation.kind == OperationKind::send && is_fence(operation.bytes)) break;
    if (operation.kind != OperationKind::receive) continue;
    const auto due = first_reply(operation, 0);
    if (!due) break;
    unread.insert(unread.end(), operation.bytes.begin(), operation.bytes.end());
    return misread(*at, *due, unread);
  }
  const bool looked_at = next_on(connection, received + 1).has_value();
  return looked_at ? surplus(connection, received, unread) : Ending();
}

Ending FaultPrediction::misread(std::size_t received, std::size_t due, const Bytes& unread) const {
  const Operation& operation = history_[received];
  const std::string& name = operation.messages[due].operation;
  const protocol::Layout layout =
      scenario_.format.reply(scenario_.format.operation(protocol::MessageName::unchecked(name)));
  const auto found = [&](std::string reason) {
    return found_on(operation.connection, received, Verdict::fail, std::move(reason))
        .value_or(Ending());
  };
  protocol::Decoder decoder(layout);
  switch (decoder.resume(unread)) {
    case protocol::Decoder::State::malformed:
      return found(fmt::format("the reply to {} is malformed: {} at byte {}: {}", name,
                               decoder.error().field, decoder.error().offset,
                               decoder.error().reason));
    case protocol::Decoder::State::need_more:
      return found(
          fmt::format("the target was silent after {} bytes of it where the reply to {} "
                      "was due",
                      unread.size(), name));
    case protocol::Decoder::State::complete: break;
  }
  const auto own = base::ByteView(operation.bytes).subspan(offset_of(operation, due));
  return found(fmt::format("{}: request_id is {}, expected {}", name, id_in(layout, unread),
                           id_in(layout, own)));
}

Ending FaultPrediction::surplus(Connection connection, std::size_t at, const Bytes& unread) const {
  return found_on(connection, at, Verdict::fail,
                  fmt::format("the target sent bytes that no request asked for on {}: {}",
                              roles_.at(connection).name, protocol::printable(unread, 16)))
      .value_or(Ending());
}

Ending FaultPrediction::unexpected_answer(Connection wrong, std::string_view answer) const {
  TrialLog log;
  log.note(scenario_.inputs.at(*roles_.at(wrong).wrong),
           {.code = {},
            .reason = fmt::format("is answered with {}, {} was expected", answer,
                                  scenario_.expected_answer)});
  return {Verdict::fail, log.reason({})};
}

Ending FaultPrediction::lost_at(std::size_t input, Loss loss) const {
  TrialLog log;
  const auto harm = loss == Loss::hangs ? Deviation::Harm::hangs : Deviation::Harm::kills;
  log.note(scenario_.inputs.at(input), {harm, {}, {}});
  for (std::size_t i = input + 1; i < scenario_.inputs.size(); ++i)
    log.note_untried(scenario_.inputs[i]);
  return {Verdict::fail, log.reason(in_words(loss))};
}

std::size_t FaultPrediction::input_at(std::size_t at) const {
  std::size_t last = 0;
  for (std::size_t i = begin_; i <= at; ++i)
    last = std::max(last, roles_.at(history_[i].connection).wrong.value_or(0));
  return last;
}

bool FaultPrediction::shows_life(Connection connection, std::size_t at) const {
  const Operation* const request = last_send_on(connection, at + 1);
  return !scenario_.inputs.empty() && request != nullptr && is_barrier(request->bytes);
}

std::optional<Ending> FaultPrediction::found_on(Connection connection, std::size_t at,
                                                Verdict verdict, std::string reason) const {
  if (!roles_.at(connection).tidies) return Ending{verdict, std::move(reason)};
  if (!shows_life(connection, at)) return std::nullopt;
  TrialLog log;
  log.note(scenario_.inputs.at(input_at(at)),
           {Deviation::Harm::silences, {}, "another connection is no longer answered"});
  return Ending{Verdict::fail, log.reason({})};
}

void expect_predicted(const Unit& unit, const FaultScenario& scenario, FaultKind kind) {
  Simulation healthy(Bug::none, scenario.format, scenario.format);
  const auto passed = healthy.play(unit);
  ASSERT_EQ(passed.size(), 1U);
  ASSERT_EQ(passed.front().verdict, Verdict::pass) << passed.front().reason;
  const auto& history = healthy.network.history();
  const FaultPrediction prediction(scenario, history, 0, history.size());
  for (std::size_t at = 0; at < history.size(); ++at) {
    if (!is_tried(at)) continue;
    Simulation simulation(Bug::none, scenario.format, scenario.format);
    simulation.network.inject({kind, at});
    const Time started = simulation.network.now();
    const auto result = simulation.play(unit).front();
    if (!prediction.is_certain({kind, at})) continue;
    EXPECT_EQ((Ending{result.verdict, result.reason}), prediction.of({kind, at})) << "at " << at;
    const Time healthy_time = healthy.network.now() - started;
    EXPECT_LE(simulation.network.now() - started,
              healthy_time + Patience::budget(test_deadline) + test_deadline)
        << "at " << at;
  }
}

std::string name_of(FaultKind kind) {
  switch (kind) {
    case FaultKind::close: return "close";
    case FaultKind::reset: return "reset";
    case FaultKind::stall: return "stall";
    case FaultKind::garbage: return "garbage";
    case FaultKind::refuse: return "refuse";
  }
  return "";
}

}  // namespace hallmark::conformance::testing
