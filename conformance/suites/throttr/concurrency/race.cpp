#include "conformance/suites/throttr/concurrency/race.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "oracle/history_drawing.hpp"
#include "protocol/annotate.hpp"

namespace hallmark::conformance {
namespace {

using oracle::HistoryVerdict;
using oracle::RecordAction;
using oracle::RecordOperation;
using oracle::RecordReply;

oracle::LinearizabilityChecker checker_for(const Stage& stage, oracle::SearchBounds bounds) {
  const WireFormat& format = stage.format();
  return oracle::LinearizabilityChecker(
      oracle::RecordRules::of(format.readings(), format.width(),
                              static_cast<std::int64_t>(stage.patience())),
      stage.reads({"reply-order", "any-order"}) ? oracle::ClientOrder::any
                                                : oracle::ClientOrder::as_sent,
      bounds);
}

std::int64_t ns(Time time) { return static_cast<std::int64_t>(time); }

}  // namespace

Race::Race(Stage& stage, std::uint32_t clients, oracle::SearchBounds bounds)
    : stage_(stage),
      random_(fmt::format("{}/{}", stage.context().nonce, stage.channel("race"))),
      checker_(checker_for(stage, bounds)) {
  for (std::uint32_t i = 0; i < clients; ++i) {
    const std::string name = fmt::format("c{}", i + 1);
    clients_.push_back({name, next_connection(name)});
    stage_.connection(name);
  }
}

std::uint32_t Race::next_connection(const std::string& name) {
  connections_.push_back(name);
  return static_cast<std::uint32_t>(connections_.size() - 1);
}

std::uint32_t Race::key() {
  keys_.push_back(stage_.key(fmt::format("k{}", keys_.size() + 1)));
  return static_cast<std::uint32_t>(keys_.size() - 1);
}

oracle::ValueNumber Race::number_of(const std::string& value) {
  const auto [found, fresh] = numbers_.try_emplace(value, values_.size());
  if (fresh) values_.push_back(value);
  return found->second;
}

void Race::plan(std::uint32_t client, std::uint32_t key, Move move) {
  clients_[client].planned.push_back({key, std::move(move)});
}

void Race::plan_all(std::uint32_t key, const Move& move) {
  for (Client& client : clients_) client.planned.push_back({key, move});
}

Outgoing Race::request(const Planned& planned) const {
  const std::string& key = keys_[planned.key];
  const Move& move = planned.move;
  const auto of_quota = [&](Change change) {
    return encoded(stage_.format(), update(key, Attribute::quota, change, move.argument));
  };
  switch (move.action) {
    case RecordAction::insert:
      return encoded(stage_.format(), insert(key, move.argument, move.ttl));
    case RecordAction::query: return encoded(stage_.format(), query(key));
    case RecordAction::increase: return of_quota(Change::increase);
    case RecordAction::decrease: return of_quota(Change::decrease);
    case RecordAction::patch: return of_quota(Change::patch);
    case RecordAction::patch_ttl:
      return encoded(stage_.format(), update(key, Attribute::ttl, Change::patch, move.ttl.amount));
    case RecordAction::purge: return encoded(stage_.format(), purge(key));
    case RecordAction::set: return encoded(stage_.format(), set(key, move.value, move.ttl));
    case RecordAction::get: return encoded(stage_.format(), get(key));
  }
  return encoded(stage_.format(), query(key));
}

/// Notes a request that is about to be sent: until its reply comes, its fate is unknown.
void Race::note(Client& client, const Planned& planned) {
  const Move& move = planned.move;
  RecordOperation operation;
  operation.client = client.number;
  operation.key = planned.key;
  operation.action = move.action;
  operation.argument = move.action == RecordAction::set ? number_of(move.value) : move.argument;
  const bool lives = move.action == RecordAction::insert || move.action == RecordAction::set ||
                     move.action == RecordAction::patch_ttl;
  if (lives) operation.ttl_ns = ns(move.ttl.length());
  operation.invoked_ns = ns(stage_.now());
  client.waiting.push_back(history_.size());
  history_.push_back(operation);
}

void Race::send_all(Client& client) {
  std::vector<Outgoing> requests;
  for (const Planned& planned : client.planned) {
    requests.push_back(request(planned));
    note(client, planned);
  }
  client.planned.clear();
  if (!requests.empty()) connection(client).send_together(requests);
}

void Race::send_one(Client& client) {
  const Planned planned = std::move(client.planned.front());
  client.planned.pop_front();
  const Outgoing outgoing = request(planned);
  note(client, planned);
  connection(client).send_together({&outgoing, 1});
}

/// Chance decides which of the requests that race meets a silence or the end of its connection: the
/// code of such a failure names none of them.
Message Race::reply_to(Client& client) {
  try {
    return connection(client).reply();
  } catch (const CaseEnded& ended) {
    Judgement judgement = ended.judgement();
    const bool by_chance = judgement.code && (judgement.code->kind == Code::Kind::closed ||
                                              judgement.code->kind == Code::Kind::silent);
    if (by_chance) judgement.code->message.clear();
    throw CaseEnded(std::move(judgement));
  }
}

void Race::receive(Client& client) {
  const Message reply = reply_to(client);
  RecordOperation& operation = history_[client.waiting.front()];
  client.waiting.pop_front();
  operation.returned_ns = ns(reply.window().latest);
  operation.reply = reply.succeeded() ? RecordReply::success : RecordReply::failure;
  if (!reply.succeeded()) return;
  if (operation.action == RecordAction::query) operation.told = reply.number("quota");
  if (operation.action == RecordAction::get)
    operation.told = number_of(std::string(base::as_text(reply.bytes_of("value"))));
}

void Race::run(Pace pace) {
  pace == Pace::together ? run_together() : run_staggered();
  ++rounds_;
  judge();
}

void Race::run_together() {
  std::vector<Client*> order;
  for (Client& client : clients_) order.push_back(&client);
  random_.shuffle(order);
  for (Client* const client : order) send_all(*client);
  random_.shuffle(order);
  for (Client* const client : order) {
    while (!client->waiting.empty()) receive(*client);
  }
}

void Race::run_staggered() {
  for (;;) {
    std::vector<Client*> busy;
    for (Client& client : clients_) {
      if (!client.planned.empty() || !client.waiting.empty()) busy.push_back(&client);
    }
    if (busy.empty()) return;
    Client& client = *random_.one_of(busy);
    client.waiting.empty() ? send_one(client) : receive(client);
  }
}

void Race::hang_up(std::uint32_t number) {
  Client& client = clients_[number];
  send_all(client);
  stage_.close(client.name);
  client.waiting.clear();
  client.number = next_connection(client.name);
}

void Race::alone(std::uint32_t client, std::uint32_t key, Move move) {
  plan(client, key, std::move(move));
  send_all(clients_[client]);
  receive(clients_[client]);
  judge();
}

/// The keys that something was asked about since it was judged last.
void Race::judge() {
  std::vector<bool> asked(keys_.size());
  for (; judged_ < history_.size(); ++judged_) asked[history_[judged_].key] = true;
  for (std::uint32_t key = 0; key < asked.size(); ++key) {
    if (!asked[key]) continue;
    oracle::RecordHistory own;
    std::ranges::copy_if(history_, std::back_inserter(own),
                         [&](const RecordOperation& one) { return one.key == key; });
    judge(own);
  }
}

void Race::judge(const oracle::RecordHistory& operations) {
  const oracle::HistoryFinding finding = checker_.check(operations);
  if (finding.verdict == HistoryVerdict::violated) fail(operations);
  if (finding.verdict == HistoryVerdict::undecided) {
    stage_.indeterminate(
        fmt::format("it could not be decided whether some order explains {} requests on one key: "
                    "{} steps were tried, and the bound of {} was met",
                    operations.size(), finding.steps, finding.bound));
  }
}

std::string Race::value_name(oracle::ValueNumber number) const {
  constexpr std::size_t most = 12;
  return protocol::printable(base::as_bytes(values_[number]), most);
}

void Race::fail(const oracle::RecordHistory& operations) {
  const oracle::SmallHistory small = oracle::reduced(checker_, operations);
  const oracle::HistoryNames names{[&](std::uint32_t number) { return connections_[number]; },
                                   [&](oracle::ValueNumber number) { return value_name(number); }};
  Judgement judgement;
  judgement.verdict = reports::Verdict::fail;
  judgement.reason = oracle::summary(small, names);
  judgement.code = Code{.kind = Code::Kind::wrong_order,
                        .promise = "some order of the requests explains their replies"};
  judgement.drawing = oracle::drawn(small, names);
  throw CaseEnded(std::move(judgement));
}

}  // namespace hallmark::conformance
