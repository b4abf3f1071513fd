#include <fmt/format.h>

#include <array>

#include "conformance/isolation/trials.hpp"
#include "conformance/suites/throttr/cases.hpp"
#include "conformance/suites/throttr/support.hpp"

/// Throttr 2.0 only: pairs of a consumer and a resource, and the ids of requests.
namespace hallmark::conformance {
namespace {

using protocol::Level;

struct Pair {
  std::string consumer;
  std::string resource;

  protocol::Record name() const {
    return {{"consumer_id", base::to_bytes(consumer)}, {"resource_id", base::to_bytes(resource)}};
  }
};

/// A request for any key, for that pair instead.
Request of(const Pair& pair, const Request& for_a_key) {
  Request request{for_a_key.operation, {}};
  for (const auto& [field, value] : for_a_key.values.fields()) {
    if (field != "key") request.values.set(protocol::FieldName::unchecked(field), value);
  }
  request.values.set("consumer_id", base::to_bytes(pair.consumer));
  request.values.set("resource_id", base::to_bytes(pair.resource));
  return request;
}

/// The request with an id of its own choice.
Request with_id(Request request, std::uint32_t id) {
  request.values.set("request_id", std::uint64_t{id});
  return request;
}

/// One that nobody else has.
Pair own_pair(Stage& stage, std::string_view consumer, std::string_view resource) {
  Pair pair{stage.channel(consumer), std::string(resource)};
  stage.own(pair.name());
  return pair;
}

void expect_quota(Stage& stage, Conversation& connection, const Pair& pair, std::uint64_t quota,
                  Window since) {
  const Message found = connection.ask(of(pair, query({})));
  connection.judge(found, counter_fields(stage.format(), quota, minute, since, found.window()));
}

/// The same bytes together, divided at another place.
void divided_elsewhere(Stage& stage) {
  Conversation& connection = stage.connection();
  const Pair one = own_pair(stage, "ab", "c");
  const Pair other = own_pair(stage, "a", "bc");
  const bool same = stage.reads({"pair-identity", "concatenation"});
  const Message made = connection.ask(of(one, insert({}, 5, minute)), success());
  if (same) {
    expect_quota(stage, connection, other, 5, made.window());
    connection.ask(of(other, purge({})), success());
    connection.ask(of(one, query({})), failure());
    return;
  }
  connection.ask(of(other, query({})), failure());
  const Message second = connection.ask(of(other, insert({}, 6, minute)), success());
  expect_quota(stage, connection, one, 5, made.window());
  expect_quota(stage, connection, other, 6, second.window());
}

/// A pair is not the same with its consumer and its resource exchanged.
void swapped(Stage& stage) {
  Conversation& connection = stage.connection();
  const std::string a = stage.channel("a");
  const std::string b = stage.channel("b");
  const std::array pairs{Pair{a, b}, Pair{b, a}, Pair{a, a}, Pair{b, b}};
  std::vector<Window> made;
  for (const Pair& pair : pairs) {
    stage.own(pair.name());
    made.push_back(
        connection.ask(of(pair, insert({}, made.size() + 1, minute)), success()).window());
  }
  for (std::size_t i = 0; i < pairs.size(); ++i)
    expect_quota(stage, connection, pairs[i], i + 1, made[i]);
}

void longest_pair(Stage& stage) {
  Conversation& connection = stage.connection();
  Pair pair{stage.channel("long"), stage.channel("long")};
  pair.consumer.resize(255, 'c');
  pair.resource.resize(255, 'r');
  Pair shorter = pair;
  shorter.resource.pop_back();
  stage.own(pair.name());
  stage.own(shorter.name());
  const Message made = connection.ask(of(pair, insert({}, 5, minute)), success());
  connection.ask(of(shorter, query({})), failure());
  expect_quota(stage, connection, pair, 5, made.window());
}

void empty_half(Stage& stage) {
  const std::string name = stage.channel("half");
  const bool valid = stage.reads({"empty-names", "valid"});
  const auto try_pair = [=, &stage](const Pair& pair) {
    Conversation& connection = stage.connection();
    stage.own(pair.name());
    const Message made = connection.ask(of(pair, insert({}, 5, minute)), status(valid));
    if (valid) expect_quota(stage, connection, pair, 5, made.window());
    if (!valid) connection.ask(of(pair, query({})), failure());
  };
  Trials trials(stage);
  trials.attempt({{"an empty resource", {}}, {}}, [=] { try_pair({name + "1", {}}); });
  trials.attempt({{"an empty consumer", {}}, {}}, [=] { try_pair({{}, name + "2"}); });
  trials.conclude();
}

void ids_repeated(Stage& stage) {
  const Series ids{"the id", "the ids"};
  const std::string key = stage.key("k");
  const std::string absent = stage.key("absent");
  Trials trials(stage, [&] { stage.connection().ask(insert(key, 1), success()); });
  for (const std::uint32_t id : {0U, 1U, 0x0403'0201U, 0x8000'0000U, 0xffff'ffffU}) {
    trials.attempt({ids, fmt::format("{:08x}", id)}, [=, &stage] {
      Conversation& connection = stage.connection();
      connection.ask(with_id(update(key, Attribute::quota, Change::patch, 1), id),
                     {is("request_id", id), is("status", 1)});
      connection.ask(with_id(query(key), id), {is("request_id", id), is("status", 1),
                                               is("quota", 1), any("ttl_type"), any("ttl")});
      connection.ask(with_id(query(absent), id), {is("request_id", id), is("status", 0)});
    });
  }
  trials.conclude();
}

/// The same id in flight twice on one connection, and on two.
void ids_doubled(Stage& stage) {
  Conversation& connection = stage.connection("c1");
  Conversation& other = stage.connection("c2");
  const std::string key = stage.key("k");
  connection.ask(insert(key, 1), success());
  const Outgoing both[] = {encoded(stage.format(), with_id(query(key), 7)),
                           encoded(stage.format(), with_id(query(key), 7))};
  connection.send_together(both);
  other.send(with_id(query(stage.key("absent")), 7));
  for (int i = 0; i < 2; ++i)
    connection.reply({is("status", 1), is("quota", 1), any("ttl_type"), any("ttl")});
  other.reply(failure());
}

/// One id on all requests of a pipeline: their order is all that tells them apart.
void ids_all_alike(Stage& stage) {
  Conversation& connection = stage.connection();
  const std::string key = stage.key("k");
  std::vector<Outgoing> requests;
  for (const Request& request : {query(key), insert(key, 1), purge(key), query(key)})
    requests.push_back(encoded(stage.format(), with_id(request, 9)));
  connection.send_together(requests);
  for (const bool succeeds : {false, true, true, false}) connection.reply(status(succeeds));
}

}  // namespace

BehaviourCases throttr_2_0_cases() {
  return {
      {"pair/divided-elsewhere",
       "pairs with the same bytes together keep to one answer",
       "INSERT",
       Level::should,
       {"silence.pair-identity"},
       divided_elsewhere},
      {"pair/swapped",
       "consumer and resource are not interchangeable",
       "INSERT",
       Level::must,
       {"key.unique"},
       swapped,
       {.field = "consumer_id"}},
      {"pair/longest",
       "consumer and resource have up to 255 bytes each",
       "INSERT",
       Level::must,
       {"insert.layout", "query.layout", "key.unique"},
       longest_pair,
       {.field = "consumer_id"}},
      {"pair/empty-half",
       "a consumer or resource of length 0 is valid or refused, as the target says",
       "INSERT",
       Level::may,
       {"silence.empty-names"},
       empty_half,
       {.field = "consumer_id"}},
      {"request-id/repeated",
       "a reply repeats the id of its request, whatever that is",
       "QUERY",
       Level::must,
       {"reply.request-id"},
       ids_repeated},
      {"request-id/doubled",
       "requests with one id have a reply each",
       "QUERY",
       Level::should,
       {"silence.duplicate-ids"},
       ids_doubled},
      {"request-id/all-alike",
       "requests with one id are answered in their order",
       "QUERY",
       Level::should,
       {"silence.duplicate-ids"},
       ids_all_alike,
       {.unless = {{"reply-order", "any-order"}}}},
  };
}

}  // namespace hallmark::conformance
