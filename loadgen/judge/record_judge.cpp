#include "loadgen/judge/record_judge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/hex.hpp"

namespace hallmark::loadgen {
namespace {

using oracle::HistoryVerdict;
using oracle::RecordAction;
using oracle::RecordHistory;
using oracle::RecordOperation;
using oracle::RecordReply;
using oracle::RecordState;

/// A scheduler that removes what has expired comes by this often.
constexpr std::int64_t removal_delay_ns = 1'000'000'000;
/// The bounds for one key. They are low: a load generator has other things to do.
constexpr oracle::SearchBounds bounds{.most_steps = 200'000, .most_bytes = std::size_t{16} << 20};
/// The most bytes of a request that are shown.
constexpr std::size_t most_shown_bytes = 256;
/// The most operations that are judged together on a key that is never at rest.
constexpr std::size_t most_at_once = 2'000;

oracle::RecordRules rules_of(const Requests& requests) {
  return oracle::RecordRules::of(requests.readings(), requests.workload().width, removal_delay_ns);
}

oracle::LinearizabilityChecker checker_of(const Requests& requests) {
  return oracle::LinearizabilityChecker(
      rules_of(requests),
      requests.any_order() ? oracle::ClientOrder::any : oracle::ClientOrder::as_sent, bounds);
}

/// The state in which the setup leaves a record. It lasts for longer than any run.
RecordState first_state(const Requests& requests, KeySpace kind) {
  switch (kind) {
    case KeySpace::counters: return {RecordState::Kind::counter, requests.first_quota()};
    case KeySpace::buffers: return {RecordState::Kind::buffer, 0};
    default: return {};
  }
}

}  // namespace

RecordJudge::RecordJudge(const Requests& requests, WatchedKeys& watched, std::uint32_t workers)
    : requests_(requests),
      watched_(watched),
      rules_(rules_of(requests)),
      ends_refuse_(rules_.below_zero == oracle::RecordRules::OutOfRange::refused &&
                   rules_.above_limit == oracle::RecordRules::OutOfRange::refused),
      checker_(checker_of(requests)),
      complete_ns_(workers, INT64_MIN) {
  for (std::size_t slot = 0; slot < watched.size(); ++slot)
    keys_.push_back({{checker_, {first_state(requests, watched.kind_of(slot))}}, {}});
}

RecordOperation RecordJudge::operation_of(const Observation& observation) const {
  const RequestPart& part = requests_.parts()[observation.part];
  RecordOperation operation;
  operation.client = observation.client;
  operation.key = observation.key;
  operation.action = *part.action;
  operation.invoked_ns = observation.sent_ns;
  operation.returned_ns = observation.received_ns;
  switch (operation.action) {
    case RecordAction::insert:
      operation.argument = requests_.number_of(observation.index);
      operation.ttl_ns = Requests::passing_ttl_ns();
      break;
    case RecordAction::patch: operation.argument = requests_.number_of(observation.index); break;
    case RecordAction::increase:
    case RecordAction::decrease: operation.argument = moved_by; break;
    case RecordAction::set: operation.argument = requests_.told_of(observation.index); break;
    default: break;
  }
  if (!operation.returned()) return operation;
  operation.reply = observation.success ? RecordReply::success : RecordReply::failure;
  const bool tells =
      operation.action == RecordAction::query || operation.action == RecordAction::get;
  if (tells && observation.success) operation.told = observation.told;
  return operation;
}

void RecordJudge::take(std::uint32_t worker, std::span<const Observation> observed,
                       std::int64_t complete_ns) {
  for (const Observation& one : observed) {
    const RequestPart& part = requests_.parts()[one.part];
    Watched& key = keys_[watched_.slot_of(part.keys, one.key)];
    if (key.stream.verdict() != HistoryVerdict::linearizable) continue;
    RecordOperation operation = operation_of(one);
    operation.label = key.next_label++;
    key.stream.add(operation);
    key.observed.push_back(one);
    key.labels.push_back(operation.label);
  }
  complete_ns_[worker] = complete_ns;
  judge(*std::ranges::min_element(complete_ns_));
}

void RecordJudge::judge(std::int64_t complete_ns) {
  for (std::size_t slot = 0; slot < keys_.size(); ++slot) {
    if (keys_[slot].stream.waiting().empty()) continue;
    const std::int64_t until = watched_.watched_until_ns(slot);
    settle(slot, keys_[slot].stream.judge(std::min(complete_ns, until)));
  }
}

void RecordJudge::finish(std::int64_t complete_ns) {
  for (std::size_t slot = 0; slot < keys_.size(); ++slot) {
    Watched& key = keys_[slot];
    const std::int64_t until = std::min(complete_ns, watched_.watched_until_ns(slot));
    settle(slot, key.stream.finish(until, most_at_once));
    if (key.next_label != 0) ++checks_.keys;
    switch (key.stream.verdict()) {
      case HistoryVerdict::linearizable:
        checks_.given_up += until != oracle::never_ns ? 1U : 0U;
        break;
      case HistoryVerdict::undecided: ++checks_.undecided; break;
      case HistoryVerdict::violated: ++checks_.violated; break;
    }
  }
}

void RecordJudge::settle(std::size_t slot, std::size_t judged) {
  Watched& key = keys_[slot];
  checks_.requests += judged;
  watched_.judged(slot, judged);
  if (key.stream.verdict() == HistoryVerdict::violated && !key.told) describe(slot);
  if (judged == 0) return;
  std::vector<std::uint64_t> labels;
  for (const auto* operations : {&key.stream.last_change(), &key.stream.waiting()})
    for (const RecordOperation& one : *operations) labels.push_back(one.label);
  std::ranges::sort(labels);
  std::vector<Observation> kept;
  for (const std::uint64_t label : labels) kept.push_back(observed(key, label));
  key.observed = std::move(kept);
  key.labels = std::move(labels);
}

const Observation& RecordJudge::observed(const Watched& key, std::uint64_t label) {
  const auto found = std::ranges::lower_bound(key.labels, label);
  return key.observed[static_cast<std::size_t>(found - key.labels.begin())];
}

oracle::HistoryNames RecordJudge::names() const {
  return {[](std::uint32_t client) { return fmt::format("c{}", client); },
          [](oracle::ValueNumber writer) {
            return writer == 0 ? std::string("\"first\"") : fmt::format("\"of {}\"", writer - 1);
          }};
}

reports::RecordExchange RecordJudge::exchange_of(const Observation& observation) const {
  protocol::ByteBuffer request;
  requests_.append(request, observation.part, observation.index);
  reports::RecordExchange exchange;
  exchange.connection = observation.client;
  exchange.request_index = observation.index;
  exchange.sent_ns = static_cast<std::uint64_t>(std::max<std::int64_t>(0, observation.sent_ns));
  if (observation.received_ns != oracle::never_ns)
    exchange.received_ns = static_cast<std::uint64_t>(observation.received_ns);
  exchange.request =
      base::to_hex(request.view().first(std::min(request.size(), most_shown_bytes)), " ");
  exchange.reply = base::to_hex(observation.reply, " ");
  return exchange;
}

void RecordJudge::describe(std::size_t slot) {
  Watched& key = keys_[slot];
  key.told = true;
  if (checks_.violations.size() == most_described) return;
  checks_.violations.push_back(violation_of(
      *key.stream.violation(),
      [&](std::uint64_t label) -> const Observation& { return observed(key, label); }));
}

reports::RecordViolation RecordJudge::violation_of(
    const oracle::SmallHistory& small,
    const std::function<const Observation&(std::uint64_t label)>& observed) const {
  reports::RecordViolation violation;
  for (const RecordOperation& operation : small.operations) {
    const Observation& one = observed(operation.label);
    if (violation.key.empty())
      violation.key = requests_.key_text(requests_.parts()[one.part], one.key);
    violation.exchanges.push_back(exchange_of(one));
  }
  violation.reason = oracle::summary(small, names());
  violation.drawing = oracle::drawn(small, names(), most_drawn);
  return violation;
}

void RecordJudge::take_inserts(const InsertLedger::Findings& findings) {
  checks_.inserts = findings.won;
  checks_.inserts_twice = findings.twice;
  for (const auto& example : findings.examples) {
    if (checks_.violations.size() == most_described) return;
    const std::array both{example.first, example.second};
    RecordHistory operations;
    for (std::size_t i = 0; i < both.size(); ++i) {
      operations.push_back(operation_of(both[i]));
      operations.back().label = i;
    }
    // Whatever was there before the first of them: what won on it is a violation, too.
    checks_.violations.push_back(
        violation_of(oracle::reduced(checker_, operations, std::array{RecordState{}}),
                     [&](std::uint64_t label) -> const Observation& { return both[label]; }));
  }
}

void RecordJudge::read_back(const CounterLedger& ledger, std::uint32_t key,
                            std::optional<std::uint64_t> quota) {
  const auto first = static_cast<std::int64_t>(requests_.first_quota());
  const auto limit = static_cast<std::int64_t>(std::min<std::uint64_t>(rules_.limit, INT64_MAX));
  if (!ends_refuse_ && ledger.may_have_met_an_end(key, first, limit)) return;
  const auto range = ledger.range_of(key, first);
  ++checks_.counters;
  const auto told = static_cast<std::int64_t>(quota.value_or(0));
  if (quota && told >= range.least && told <= range.most) return;
  ++checks_.counters_wrong;
  if (checks_.violations.size() == most_described) return;
  reports::RecordViolation violation;
  violation.key = requests_.counter_text(key);
  const std::string due = range.least == range.most
                              ? fmt::format("{}", range.least)
                              : fmt::format("from {} to {}", range.least, range.most);
  violation.reason =
      quota ? fmt::format("the counter is {}; by what was added and taken away, {}", *quota, due)
            : fmt::format("the counter is gone; by what was added and taken away, {}", due);
  checks_.violations.push_back(std::move(violation));
}

reports::RecordChecks RecordJudge::checks() const { return checks_; }

}  // namespace hallmark::loadgen
