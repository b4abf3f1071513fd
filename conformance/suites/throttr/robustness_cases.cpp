#include "conformance/suites/throttr/cases.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "conformance/suites/throttr/ends.hpp"
#include "conformance/suites/throttr/support.hpp"
#include "protocol/codec/encode.hpp"
#include "protocol/dialects.hpp"
#include "protocol/mutate.hpp"

namespace hallmark::conformance {
namespace {

using base::Bytes;
using protocol::Level;
using protocol::Mutation;

/// A request with one of its bytes changed, whose framing is not in doubt.
Wrong misunderstood(const WireFormat& format, const protocol::Operation& operation, Bytes bytes) {
  const Outgoing request{&operation, std::move(bytes)};
  return {request.bytes, {reply_to(format, request, false)}, {reply_to(format, request, true)}};
}

/// An opcode that nobody defines.
Wrong undefined(std::uint8_t opcode) { return {{opcode}, {protocol::status_replies({false})}, {}}; }

std::vector<Mutation> mutations_of(Stage& stage, const Request& request, std::string_view kind) {
  const Outgoing whole = encoded(stage.format(), request);
  auto all = protocol::mutations(stage.format().request(*whole.operation), whole.bytes);
  std::erase_if(all, [&](const Mutation& mutation) { return !mutation.id.starts_with(kind); });
  return all;
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
  for (unsigned byte = 0; byte < 256; ++byte) {
    const auto opcode = static_cast<std::uint8_t>(byte);
    if (defined_somewhere(opcode)) continue;
    const End end = send_wrong(stage, undefined(opcode), key);
    expect_end(stage, fmt::format("the opcode {:02x}", opcode), end, {expected});
  }
}

/// Where the framing is not in doubt, a target must not lose its place. One field is wrong at a
/// time. What an accepted request made is removed before the next.
void unlisted(Stage& stage, const Request& request, protocol::FieldName field, End expected) {
  const std::string canary = stage.key("canary");
  const protocol::Operation& operation = stage.format().operation(request.operation);
  const protocol::Record name{{"key", *request.values.find("key")}};
  for (const Mutation& mutation : mutations_of(stage, request, "unlisted")) {
    if (mutation.field != field) continue;
    const Wrong wrong = misunderstood(stage.format(), operation, mutation.bytes);
    const End end = send_wrong(stage, wrong, canary);
    if (request.operation != "UPDATE") stage.bystander().purge({&name, 1});
    expect_end(stage, mutation.id, end, {expected});
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

void unlisted_in_update(Stage& stage, protocol::FieldName field, End expected) {
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

/// The connection may end in any way, others may not. Behind the byte come numbers that are all as
/// large as they can be, so that what they measure never comes.
void every_first_byte(Stage& stage) {
  const std::string key = stage.key("canary");
  for (unsigned byte = 0; byte < 256; ++byte) {
    for (const std::size_t behind : {0U, 8U}) {
      Bytes bytes(behind + 1, 0xff);
      bytes[0] = static_cast<std::uint8_t>(byte);
      send_wrong(stage, {bytes}, key);
      expect_bystander(stage, fmt::format("the byte {:02x} and {} of ff", byte, behind));
    }
  }
}

/// How a connection ends behind a request that is not whole.
enum class Leaving : std::uint8_t { finish, close, reset };

/// `size`: so many bytes of it were sent.
void leave(Stage& stage, Leaving how, const Request& request, std::size_t size) {
  Conversation& connection = stage.connection("wrong");
  if (how == Leaving::reset) connection.reset();
  if (how == Leaving::finish && !connection.finish().bytes.empty())
    stage.fail({.kind = Code::Kind::surplus,
                .message = std::string(request.operation),
                .input = fmt::format("cut-at-{}", size)},
               fmt::format("{} bytes of {} were answered", size, request.operation));
  stage.close("wrong");
}

/// Requests that end too soon, at every byte, and then the connection does too.
void truncated(Stage& stage) {
  for (const Request& request : typical_requests(stage)) {
    const Bytes whole = encoded(stage.format(), request).bytes;
    for (std::size_t size = 1; size < whole.size(); ++size) {
      const std::string what =
          fmt::format("{} of the {} bytes of {}", size, whole.size(), request.operation);
      for (const Leaving how : {Leaving::finish, Leaving::close, Leaving::reset}) {
        stage.connection("wrong").send_raw(base::ByteView(whole).first(size));
        leave(stage, how, request, size);
      }
      expect_bystander(stage, what);
    }
  }
}

/// A record or channel without a name is not the case's own.
bool names_nothing(Stage& stage, const protocol::Operation& operation, const Bytes& request) {
  protocol::Decoder decoder(stage.format().request(operation), {.refuse_unlisted = false});
  if (decoder.resume(request) != protocol::Decoder::State::complete) return false;
  const auto view = protocol::MessageView(decoder, request);
  return std::ranges::all_of(view.record().fields(), [&](const auto& field) {
    return !std::holds_alternative<Bytes>(field.second) || std::get<Bytes>(field.second).empty();
  });
}

/// Sizes that do not measure what follows: the connection may end in any way, others may not.
void wrong_sizes(Stage& stage) {
  const std::string key = stage.key("canary");
  for (const Request& request : typical_requests(stage)) {
    for (const Mutation& mutation : mutations_of(stage, request, "size")) {
      const protocol::Operation& operation = stage.format().operation(request.operation);
      if (names_nothing(stage, operation, mutation.bytes)) continue;
      send_wrong(stage, {mutation.bytes, {}, {}}, key);
      expect_bystander(stage, fmt::format("{} of {}", mutation.id, request.operation));
    }
  }
}

constexpr std::size_t most_of_two_bytes = 65'535;

/// What one buffer is unlikely to hold.
void large_value(Stage& stage) {
  constexpr std::size_t large = std::size_t{8} << 20;
  const std::string key = stage.key("k");
  const std::string value(std::min(longest_value(stage.format()), large), 'v');
  const Outgoing request = encoded(stage.format(), set(key, value));
  const Wrong wrong = misunderstood(stage.format(), *request.operation, request.bytes);
  const End end = send_wrong(stage, wrong, stage.key("canary"));
  const std::string what = fmt::format("a value of {} bytes", value.size());
  if (value.size() <= most_of_two_bytes) return expect_end(stage, what, end, {End::accepted});
  expect_end(stage, what, end, {End::accepted, End::refused, End::closed});
  if (end == End::accepted)
    stage.connection("c1").ask(get(key),
                               {is("status", 1), any("ttl_type"), any("ttl"), is("value", value)});
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
       {"stream.framing", "silence.neighbours"},
       truncated,
       {},
       Danger::malformed},
      {"robustness/wrong-sizes",
       "a size that measures something else harms no other connection",
       "INSERT",
       Level::may,
       {"stream.framing", "silence.neighbours"},
       wrong_sizes,
       {},
       Danger::malformed},
      {"robustness/every-first-byte",
       "whatever byte comes first, and however large what follows says it is, nobody is harmed",
       "INSERT",
       Level::should,
       {"silence.neighbours", "silence.opcode-unknown"},
       every_first_byte,
       {},
       Danger::malformed},
      {"robustness/large-value",
       "a value of 8 MiB, or the longest there is, is stored, refused, or ends its connection",
       "SET",
       Level::should,
       {"silence.neighbours", "set.adds-buffer"},
       large_value,
       {},
       Danger::resources},
  };
}

}  // namespace hallmark::conformance
