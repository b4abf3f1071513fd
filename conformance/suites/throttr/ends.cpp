#include "conformance/suites/throttr/ends.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "conformance/suites/throttr/identity.hpp"
#include "protocol/codec/decode.hpp"
#include "protocol/codec/encode.hpp"

namespace hallmark::conformance {
namespace {

using base::Bytes;

std::string_view name_of(End end) {
  switch (end) {
    case End::recovered: return "recovered";
    case End::refused: return "refused and recovered";
    case End::accepted: return "accepted and recovered";
    case End::closed: return "closed";
    case End::silenced: return "silent";
    case End::desynchronised: return "desynchronised";
  }
  return "";
}

/// Words the end as the answer to an input.
std::string_view answer_of(End end) {
  switch (end) {
    case End::recovered: return "nothing";
    case End::refused: return "00";
    case End::accepted: return "01";
    case End::closed: return "the end of the connection";
    case End::silenced: return "silence";
    case End::desynchronised: return "bytes that belong to no request";
  }
  return "";
}

/// "00 or nothing"
std::string any_of(Ends ends, std::string_view (*name)(End)) {
  std::vector<std::string_view> names;
  for (const End one : ends) names.push_back(name(one));
  return fmt::format("{}", fmt::join(names, " or "));
}

Code::Kind kind_of(End end) {
  switch (end) {
    case End::closed: return Code::Kind::closed;
    case End::silenced: return Code::Kind::silent;
    case End::desynchronised: return Code::Kind::desynchronised;
    default: return Code::Kind::broken_promise;
  }
}

/// Requests whose replies are known and resemble nothing else: 00 01 01 00.
struct Afterword {
  Bytes requests;
  Bytes replies;
};

Afterword afterword_of(Stage& stage, const std::string& key) {
  const std::vector<std::pair<Request, bool>> exchanges{
      {query(key), false}, {insert(key, 1), true}, {purge(key), true}, {query(key), false}};
  Afterword afterword;
  for (const auto& [request, succeeds] : exchanges) {
    const Outgoing outgoing = encoded(stage.format(), request);
    const Bytes reply = reply_to(stage.format(), outgoing, succeeds);
    afterword.requests.insert(afterword.requests.end(), outgoing.bytes.begin(),
                              outgoing.bytes.end());
    afterword.replies.insert(afterword.replies.end(), reply.begin(), reply.end());
    // If replies may come in any order, several of them would prove nothing.
    if (stage.reads({"reply-order", "any-order"})) break;
  }
  return afterword;
}

/// The bytes that came besides the afterword's replies; nothing when these did not come.
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

/// The input of a code: what was done before, without the article, and without what it was done to.
std::string input_of(std::string_view after) {
  after = after.substr(0, after.find(','));
  for (const std::string_view article : {"the ", "a "}) {
    if (after.starts_with(article)) return std::string(after.substr(article.size()));
  }
  return std::string(after);
}

Code code_of(End end, const std::string& expected, const std::string& after) {
  Code code{.kind = kind_of(end), .input = input_of(after)};
  if (code.kind == Code::Kind::broken_promise)
    code.promise = fmt::format("the connection is {}, expected {}", name_of(end), expected);
  return code;
}

End end_of(const Conversation::Farewell& farewell, const Wrong& wrong, const Afterword& afterword) {
  if (const auto rest = besides(farewell.bytes, afterword.replies)) {
    if (rest->empty()) return End::recovered;
    if (is_one_of(wrong.refusals, *rest)) return End::refused;
    return is_one_of(wrong.acceptances, *rest) ? End::accepted : End::desynchronised;
  }
  // If the afterword's replies are missing, the target heard no more of us, whatever it said
  // before.
  const bool said_little = farewell.bytes.empty() || is_one_of(wrong.refusals, farewell.bytes);
  if (!said_little) return End::desynchronised;
  return farewell.end == Arrival::timed_out ? End::silenced : End::closed;
}

/// Removes in the end what the bytes store if they are read as a request, whose name may reach into
/// what follows the wrong part. A record without a name may be somebody else's.
void adopt_stored(Stage& stage, const Bytes& bytes) {
  const auto* const operation = protocol::operation_of(stage.format().dialect(), bytes);
  if (operation == nullptr || (operation->name != "INSERT" && operation->name != "SET")) return;
  protocol::Decoder decoder(stage.format().request(*operation), {.refuse_unlisted = false});
  if (decoder.resume(bytes) != protocol::Decoder::State::complete) return;
  const protocol::Record values =
      protocol::MessageView(decoder, base::ByteView(bytes).first(decoder.size())).record();
  protocol::Record name;
  bool empty = true;
  for (const protocol::Field& field : stage.format().operation("PURGE").request.fields) {
    const protocol::Value* const value = values.find(field.name);
    if (!field.is<protocol::kinds::Bytes>() || value == nullptr) continue;
    empty = empty && std::get<Bytes>(*value).empty();
    name.set(field.name, *value);
  }
  if (!empty) stage.adopt({&name, 1});
}

End end_behind(Stage& stage, const Wrong& wrong, const std::string& key, Patience::For budget) {
  const Afterword afterword = afterword_of(stage, key);
  Bytes all = wrong.bytes;
  all.insert(all.end(), afterword.requests.begin(), afterword.requests.end());
  adopt_stored(stage, all);
  Conversation& connection = stage.connection("wrong");
  connection.send_raw(all);
  const auto farewell = connection.finish(budget);
  stage.close("wrong");
  return end_of(farewell, wrong, afterword);
}

}  // namespace

Bytes reply_to(const WireFormat& format, const Outgoing& request, bool succeeds) {
  protocol::Record values{{"status", std::uint64_t{succeeds}}};
  if (const auto id = request_id(format, request)) values.set("request_id", *id);
  return protocol::encode(format.reply(*request.operation), values).value();
}

End send_wrong(Stage& stage, const Wrong& wrong, const std::string& key) {
  return end_behind(stage, wrong, key, Patience::For::replies);
}

void try_wrong(Stage& stage, const Bytes& bytes, const std::string& key) {
  static_cast<void>(end_behind(stage, {bytes}, key, Patience::For::farewells));
}

void expect_bystander(Stage& stage, const std::string& after) {
  if (!stage.bystander().answers())
    stage.fail({.kind = Code::Kind::silent,
                .input = input_of(after),
                .promise = "another connection is answered"},
               fmt::format("after {} another connection is no longer answered", after));
}

void require_bystander(Stage& stage) {
  if (!stage.bystander().answers())
    stage.fail({.kind = Code::Kind::silent, .promise = "another connection is answered"},
               "another connection is no longer answered");
}

void require_end(Stage& stage, End end, Ends allowed) {
  if (std::ranges::find(allowed, end) != allowed.end()) return require_bystander(stage);
  const std::string reason = fmt::format("is answered with {}, {} was expected", answer_of(end),
                                         any_of(allowed, answer_of));
  Code code{.kind = kind_of(end)};
  if (code.kind == Code::Kind::broken_promise) code.promise = reason;
  stage.fail(std::move(code), reason);
}

void expect_end(Stage& stage, const std::string& after, End end, Ends allowed) {
  if (std::ranges::find(allowed, end) == allowed.end()) {
    const std::string expected = any_of(allowed, name_of);
    stage.fail(
        code_of(end, expected, after),
        fmt::format("after {} the connection is {}, expected {}", after, name_of(end), expected));
  }
  expect_bystander(stage, after);
}

std::vector<Request> typical_requests(Stage& stage) {
  // Names of their own, also without their last letter: no wrong request finds what a wrong one
  // before it left.
  const auto key = [&](const char* operation) { return stage.key(operation); };
  const std::string name = stage.channel("ch");
  // Whatever a wrong size turns the key into, it soon expires.
  const Ttl brief{TtlUnit::milliseconds, 1};
  std::vector<Request> requests{insert(key("insert"), 5, brief),
                                query(key("query")),
                                update(key("update"), Attribute::quota, Change::increase, 1),
                                purge(key("purge")),
                                set(key("set"), "value", brief),
                                get(key("get")),
                                stat(key("stat")),
                                subscribe(name),
                                unsubscribe(name),
                                publish(name, "payload"),
                                channel(name),
                                absent_connection(stage.format())};
  std::erase_if(requests,
                [&](const Request& request) { return !stage.format().has(request.operation); });
  return requests;
}

}  // namespace hallmark::conformance
