#include "conformance/cases/cases.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "conformance/cases/identity.hpp"
#include "conformance/cases/support.hpp"
#include "reference/protocol/dialects/all.hpp"
#include "reference/protocol/encode.hpp"
#include "reference/protocol/mutate.hpp"

namespace hallmark::conformance {
namespace {

using protocol::Bytes;
using protocol::Level;
using protocol::Mutation;

/// What became of a connection after bytes that are no request.
enum class End : std::uint8_t {
  recovered,       ///< the requests behind the bytes were answered, and nothing else was sent
  refused,         ///< 00, and then as `recovered`
  accepted,        ///< 01, and then as `recovered`
  closed,          ///< the target ended the connection
  desynchronised,  ///< anything else
};

std::string_view name_of(End end) {
  switch (end) {
    case End::recovered: return "recovered";
    case End::refused: return "refused and recovered";
    case End::accepted: return "accepted and recovered";
    case End::closed: return "closed";
    case End::desynchronised: return "desynchronised";
  }
  return "";
}

/// Bytes that are no request, and what refuses or accepts them.
struct Wrong {
  Bytes bytes;
  std::vector<Bytes> refusals;
  std::vector<Bytes> acceptances;
};

/// The replies of an operation that are a status and, where there are such, a request id.
Bytes reply_to(const WireFormat& format, const Outgoing& request, bool succeeds) {
  protocol::Record values{{"status", std::uint64_t{succeeds}}};
  if (const auto id = request_id(format, request)) values.set("request_id", *id);
  return protocol::encode(format.reply(*request.operation), values).value();
}

/// A request with one of its bytes changed, whose framing is not in doubt.
Wrong misunderstood(const WireFormat& format, const protocol::Operation& operation, Bytes bytes) {
  const Outgoing request{&operation, std::move(bytes)};
  return {request.bytes, {reply_to(format, request, false)}, {reply_to(format, request, true)}};
}

/// An opcode that nobody defines: what refuses it is the byte 00.
Wrong undefined(std::uint8_t opcode) { return {{opcode}, {Bytes{0x00}}, {}}; }

/// Requests whose replies are known and resemble nothing else: 00 01 01 00.
struct Canary {
  Bytes requests;
  Bytes replies;
};

Canary canary_of(Stage& stage, const std::string& key) {
  const std::vector<std::pair<Request, bool>> exchanges{
      {query(key), false}, {insert(key, 1), true}, {purge(key), true}, {query(key), false}};
  Canary canary;
  for (const auto& [request, succeeds] : exchanges) {
    const Outgoing outgoing = encoded(stage.format(), request);
    const Bytes reply = reply_to(stage.format(), outgoing, succeeds);
    canary.requests.insert(canary.requests.end(), outgoing.bytes.begin(), outgoing.bytes.end());
    canary.replies.insert(canary.replies.end(), reply.begin(), reply.end());
    // Where replies may come in any order, several would be no proof of anything.
    if (stage.reads({"reply-order", "any-order"})) break;
  }
  return canary;
}

/// What was sent besides the canary's replies; nothing when these did not come.
std::optional<Bytes> besides(const Bytes& got, const Bytes& replies) {
  if (got.size() < replies.size()) return std::nullopt;
  const auto size = static_cast<std::ptrdiff_t>(replies.size());
  if (std::equal(replies.begin(), replies.end(), got.end() - size))
    return Bytes(got.begin(), got.end() - size);
  if (std::equal(replies.begin(), replies.end(), got.begin()))
    return Bytes(got.begin() + size, got.end());
  return std::nullopt;
}

bool is_one_of(const std::vector<Bytes>& all, const Bytes& bytes) {
  return std::ranges::find(all, bytes) != all.end();
}

End end_of(const Conversation::Farewell& farewell, const Wrong& wrong, const Canary& canary) {
  if (const auto rest = besides(farewell.bytes, canary.replies)) {
    if (rest->empty()) return End::recovered;
    if (is_one_of(wrong.refusals, *rest)) return End::refused;
    return is_one_of(wrong.acceptances, *rest) ? End::accepted : End::desynchronised;
  }
  // Without the canary's replies the target heard no more of us, whatever it said before.
  const bool said_little = farewell.bytes.empty() || is_one_of(wrong.refusals, farewell.bytes);
  return said_little && farewell.end != Arrival::timed_out ? End::closed : End::desynchronised;
}

/// Sends the bytes and the canary, and then nothing more, so that no answer has to be waited for.
End send_wrong(Stage& stage, const Wrong& wrong, const std::string& key) {
  const Canary canary = canary_of(stage, key);
  Bytes all = wrong.bytes;
  all.insert(all.end(), canary.requests.begin(), canary.requests.end());
  Conversation& connection = stage.connection("wrong");
  connection.send_raw(all);
  const auto farewell = connection.finish();
  stage.close("wrong");
  return end_of(farewell, wrong, canary);
}

void expect_bystander(Stage& stage, const std::string& after) {
  if (!stage.bystander().answers())
    stage.fail(fmt::format("after {} another connection is no longer answered", after));
}

void expect_end(Stage& stage, const std::string& after, End end, End expected) {
  if (end != expected) {
    stage.fail(fmt::format("after {} the connection is {}, expected {}", after, name_of(end),
                           name_of(expected)));
  }
  expect_bystander(stage, after);
}

std::vector<Mutation> mutations_of(Stage& stage, const Request& request, std::string_view kind) {
  const Outgoing whole = encoded(stage.format(), request);
  auto all = protocol::mutations(stage.format().request(*whole.operation), whole.bytes);
  std::erase_if(all, [&](const Mutation& mutation) { return !mutation.id.starts_with(kind); });
  return all;
}

std::vector<Request> typical_requests(Stage& stage) {
  const std::string key = stage.key("k");
  const std::string name = stage.channel("ch");
  // Whatever a wrong size turns the key into, it soon expires.
  const Ttl brief{TtlUnit::milliseconds, 1};
  std::vector<Request> requests{insert(key, 5, brief),
                                query(key),
                                update(key, Attribute::quota, Change::increase, 1),
                                purge(key),
                                set(key, "value", brief),
                                get(key),
                                stat(key),
                                subscribe(name),
                                unsubscribe(name),
                                publish(name, "payload"),
                                channel(name),
                                absent_connection(stage.format())};
  std::erase_if(requests,
                [&](const Request& request) { return !stage.format().has(request.operation); });
  return requests;
}

/// A target may speak more than the dialect it is certified for.
bool defined_somewhere(std::uint8_t opcode) {
  return std::ranges::any_of(protocol::throttr_dialects, [&](const protocol::Dialect* dialect) {
    return protocol::find_operation(*dialect, opcode) != nullptr ||
           std::ranges::find(dialect->pushes, opcode, &protocol::Push::opcode) !=
               dialect->pushes.end();
  });
}

void unknown_opcodes(Stage& stage) {
  const std::string key = stage.key("canary");
  End expected = End::closed;
  if (stage.reads({"opcode-unknown", "ignored"})) expected = End::recovered;
  if (stage.reads({"opcode-unknown", "refused"})) expected = End::refused;
  for (const std::uint8_t opcode : protocol::unknown_opcodes(stage.format().dialect())) {
    if (defined_somewhere(opcode)) continue;
    const End end = send_wrong(stage, undefined(opcode), key);
    expect_end(stage, fmt::format("the opcode {:02x}", opcode), end, expected);
  }
}

/// Where the framing is not in doubt, a target must not lose its place. One field is wrong at a
/// time. What an accepted request made is removed before the next.
void unlisted(Stage& stage, const Request& request, std::string_view field, End expected) {
  const std::string canary = stage.key("canary");
  const protocol::Operation& operation = stage.format().operation(request.operation);
  const protocol::Record name{{"key", *request.values.find("key")}};
  for (const Mutation& mutation : mutations_of(stage, request, "unlisted")) {
    if (mutation.field != field) continue;
    const Wrong wrong = misunderstood(stage.format(), operation, mutation.bytes);
    const End end = send_wrong(stage, wrong, canary);
    if (request.operation != "UPDATE") stage.bystander().purge({&name, 1});
    expect_end(stage, mutation.id, end, expected);
  }
}

/// What the reading about an unlisted code says; it is refused where neither holds.
End end_by(Stage& stage, Chosen closes, Chosen accepts) {
  if (stage.reads(closes)) return End::closed;
  return stage.reads(accepts) ? End::accepted : End::refused;
}

void unlisted_ttl_types(Stage& stage) {
  const End end = end_by(stage, {"ttl-type-unknown", "closed"}, {"ttl-type-unknown", "accepted"});
  unlisted(stage, insert(stage.key("counter"), 5), "ttl_type", end);
  if (stage.format().has("SET"))
    unlisted(stage, set(stage.key("buffer"), "value"), "ttl_type", end);
}

void unlisted_in_update(Stage& stage, std::string_view field, End expected) {
  const std::string counter = stage.key("counter");
  stage.connection("c1").ask(insert(counter, 5), success());
  unlisted(stage, update(counter, Attribute::quota, Change::increase, 1), field, expected);
}

void unlisted_attributes(Stage& stage) {
  unlisted_in_update(
      stage, "attribute",
      end_by(stage, {"attribute-unknown", "closed"}, {"attribute-unknown", "accepted"}));
}

void unlisted_changes(Stage& stage) {
  unlisted_in_update(stage, "change",
                     end_by(stage, {"change-unknown", "closed"}, {"change-unknown", "accepted"}));
}

/// Requests that end in the middle, and then the connection does too.
void truncated(Stage& stage) {
  for (const Request& request : typical_requests(stage)) {
    for (const Mutation& mutation : mutations_of(stage, request, "cut")) {
      Conversation& connection = stage.connection("wrong");
      connection.send_raw(mutation.bytes);
      const auto farewell = connection.finish();
      stage.close("wrong");
      if (!farewell.bytes.empty()) {
        stage.fail(
            fmt::format("{} was answered although it was {}", request.operation, mutation.id));
      }
      expect_bystander(stage, fmt::format("{} of {}", mutation.id, request.operation));
    }
  }
}

/// What a request may make that was read as it is, to be removed in the end.
void adopt_named(Stage& stage, const protocol::Operation& operation, const Bytes& request) {
  protocol::Decoder decoder(stage.format().request(operation), {.refuse_unlisted = false});
  if (decoder.resume(request) != protocol::Decoder::State::complete) return;
  const protocol::Record values = protocol::MessageView(decoder, request).record();
  protocol::Record name;
  for (const protocol::Field& field : stage.format().operation("PURGE").request.fields) {
    const protocol::Value* const value = values.find(field.name);
    if (field.kind == protocol::Kind::bytes && value != nullptr) name.set(field.name, *value);
  }
  if (!name.fields().empty()) stage.adopt({&name, 1});
}

/// Sizes that do not measure what follows: the connection may end in any way, others may not.
void wrong_sizes(Stage& stage) {
  const std::string key = stage.key("canary");
  for (const Request& request : typical_requests(stage)) {
    for (const Mutation& mutation : mutations_of(stage, request, "size")) {
      adopt_named(stage, stage.format().operation(request.operation), mutation.bytes);
      send_wrong(stage, {mutation.bytes, {}, {}}, key);
      expect_bystander(stage, fmt::format("{} of {}", mutation.id, request.operation));
    }
  }
}

void connect_and_leave(Stage& stage) {
  for (int i = 0; i < 20; ++i) {
    stage.connection("brief");
    stage.close("brief");
  }
  expect_bystander(stage, "connections that said nothing");
}

void reply_unread(Stage& stage) {
  const Request request = stage.format().has("INFO") ? bare("INFO") : query(stage.key("k"));
  for (int i = 0; i < 20; ++i) {
    for (int sent = 0; sent < 20; ++sent) stage.connection("brief").send(request);
    stage.close("brief");
  }
  expect_bystander(stage, "connections that closed with replies unread");
}

}  // namespace

BehaviourCases robustness_cases() {
  return {
      {"robustness/unknown-opcodes",
       "an opcode that nobody defines has one end and harms no other connection",
       "INSERT",
       Level::may,
       {"silence.opcode-unknown"},
       unknown_opcodes},
      {"robustness/unlisted-ttl-types",
       "an unlisted TTL type keeps to one answer and leaves the framing alone",
       "INSERT",
       Level::may,
       {"silence.ttl-type-unknown"},
       unlisted_ttl_types},
      {"robustness/unlisted-attributes",
       "an unlisted attribute keeps to one answer and leaves the framing alone",
       "UPDATE",
       Level::may,
       {"silence.attribute-unknown"},
       unlisted_attributes},
      {"robustness/unlisted-changes",
       "an unlisted change keeps to one answer and leaves the framing alone",
       "UPDATE",
       Level::may,
       {"silence.change-unknown"},
       unlisted_changes},
      {"robustness/truncated",
       "a request that ends too soon is not answered and harms nobody",
       "INSERT",
       Level::must,
       {"stream.framing"},
       truncated},
      {"robustness/wrong-sizes",
       "a size that measures something else harms no other connection",
       "INSERT",
       Level::may,
       {"stream.framing"},
       wrong_sizes},
      {"robustness/connect-and-leave",
       "connections that say nothing harm nobody",
       "INSERT",
       Level::must,
       {"stream.framing"},
       connect_and_leave},
      {"robustness/replies-unread",
       "connections that close with replies unread harm nobody",
       "QUERY",
       Level::must,
       {"stream.framing"},
       reply_unread},
  };
}

}  // namespace hallmark::conformance
