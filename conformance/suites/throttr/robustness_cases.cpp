#include "conformance/suites/throttr/cases.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "conformance/isolation/trials.hpp"
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

/// "41"
Input numbered(const Series& series, std::uint8_t byte) {
  return {series, fmt::format("{:02x}", byte), byte};
}

void unknown_opcodes(Stage& stage) {
  const Series opcodes{"opcode", "opcodes", "opcode"};
  const std::string key = stage.key("canary");
  End expected = End::closed;
  if (stage.reads({"opcode-unknown", "ignored"})) expected = End::recovered;
  if (stage.reads({"opcode-unknown", "refused"})) expected = End::refused;
  Trials trials(stage);
  for (unsigned byte = 0; byte < 256; ++byte) {
    const auto opcode = static_cast<std::uint8_t>(byte);
    if (defined_somewhere(opcode)) continue;
    trials.attempt(numbered(opcodes, opcode), [=, &stage] {
      require_end(stage, send_wrong(stage, undefined(opcode), key), {expected});
    });
  }
  trials.conclude();
}

/// A request with a field that has no code of its list.
struct Unlisted {
  Request request;
  protocol::FieldName field;
};

/// If the framing is not in doubt, a target must not lose its place. One field is wrong at a time.
/// A record that an accepted request made is removed before the next.
void try_unlisted(Stage& stage, Trials& trials, const Unlisted& unlisted, End expected) {
  const auto& [request, field] = unlisted;
  const std::string canary = stage.key("canary");
  const protocol::Operation& operation = stage.format().operation(request.operation);
  const protocol::Record name{{"key", *request.values.find("key")}};
  const bool makes = request.operation != "UPDATE";
  const Series codes{fmt::format("{} with the {}", operation.name, field),
                     fmt::format("{}s with the {}", operation.name, field),
                     std::string(operation.name)};
  for (const Mutation& mutation : mutations_of(stage, request, "unlisted")) {
    if (mutation.field != field) continue;
    const std::uint8_t code = mutation.bytes[mutation.offset];
    trials.attempt(numbered(codes, code), [=, &stage, &operation] {
      const Wrong wrong = misunderstood(stage.format(), operation, mutation.bytes);
      const End end = send_wrong(stage, wrong, canary);
      if (makes) stage.bystander().purge({&name, 1});
      require_end(stage, end, {expected});
    });
  }
}

/// Returns the end that the reading about an unlisted code demands; refusal if neither answer
/// holds.
End end_by(Stage& stage, Chosen closes, Chosen accepts) {
  if (stage.reads(closes)) return End::closed;
  return stage.reads(accepts) ? End::accepted : End::refused;
}

void unlisted_ttl_types(Stage& stage) {
  const End end = end_by(stage, {"ttl-type-unknown", "closed"}, {"ttl-type-unknown", "accepted"});
  Trials trials(stage);
  try_unlisted(stage, trials, {insert(stage.key("counter"), 5), "ttl_type"}, end);
  if (stage.format().has("SET"))
    try_unlisted(stage, trials, {set(stage.key("buffer"), "value"), "ttl_type"}, end);
  trials.conclude();
}

void unlisted_in_update(Stage& stage, protocol::FieldName field, End expected) {
  const std::string counter = stage.key("counter");
  Trials trials(stage, [&] { stage.connection("c1").ask(insert(counter, 5), success()); });
  try_unlisted(stage, trials, {update(counter, Attribute::quota, Change::increase, 1), field},
               expected);
  trials.conclude();
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
  const Series alone{"byte", "bytes", "byte"};
  const Series with_numbers{"ff behind the byte", "ff behind the bytes", "byte"};
  const std::string key = stage.key("canary");
  Trials trials(stage);
  for (const std::size_t behind : {0U, 8U}) {
    for (unsigned byte = 0; byte < 256; ++byte) {
      Bytes bytes(behind + 1, 0xff);
      bytes[0] = static_cast<std::uint8_t>(byte);
      trials.attempt(numbered(behind == 0 ? alone : with_numbers, bytes[0]), [=, &stage] {
        try_wrong(stage, bytes, key);
        require_bystander(stage);
      });
    }
  }
  trials.conclude();
}

/// The way in which a connection ends behind a request that is not whole.
enum class Leaving : std::uint8_t { finish, close, reset };

std::string_view in_words(Leaving how) {
  switch (how) {
    case Leaving::finish: return "half-closed";
    case Leaving::close: return "closed";
    case Leaving::reset: return "reset";
  }
  return "";
}

void leave(Stage& stage, Leaving how, protocol::MessageName operation) {
  Conversation& connection = stage.connection("wrong");
  if (how == Leaving::reset) connection.reset();
  if (how == Leaving::finish && !connection.finish(Patience::For::farewells).bytes.empty())
    stage.fail({.kind = Code::Kind::surplus, .message = std::string(operation)},
               "is answered, nothing was expected");
  stage.close("wrong");
}

/// Requests that end too soon, at every byte, and then the connection does too.
void try_truncated(Stage& stage, Trials& trials, const Request& request, Leaving how) {
  const Bytes whole = encoded(stage.format(), request).bytes;
  const std::string name(request.operation);
  const Series cut{fmt::format("{} {} behind byte", name, in_words(how)),
                   fmt::format("{}s {} behind bytes", name, in_words(how)), name};
  for (std::size_t size = 1; size < whole.size(); ++size) {
    trials.attempt({cut, fmt::format("{}", size), size}, [=, &stage] {
      stage.connection("wrong").send_raw(base::ByteView(whole).first(size));
      leave(stage, how, request.operation);
      require_bystander(stage);
    });
  }
}

void truncated(Stage& stage) {
  Trials trials(stage);
  for (const Request& request : typical_requests(stage)) {
    for (const Leaving how : {Leaving::finish, Leaving::close, Leaving::reset})
      try_truncated(stage, trials, request, how);
  }
  trials.conclude();
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
  Trials trials(stage);
  for (const Request& request : typical_requests(stage)) {
    const protocol::Operation& operation = stage.format().operation(request.operation);
    const std::string name(operation.name);
    const Series series{name + " with", name + "s with", name};
    for (const Mutation& mutation : mutations_of(stage, request, "size")) {
      if (names_nothing(stage, operation, mutation.bytes)) continue;
      trials.attempt({series, mutation.id}, [=, &stage] {
        try_wrong(stage, mutation.bytes, key);
        require_bystander(stage);
      });
    }
  }
  trials.conclude();
}

constexpr std::size_t most_of_two_bytes = 65'535;

/// A value that is unlikely to fit in one buffer.
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
       unknown_opcodes,
       {.alone = true}},
      {"robustness/unlisted-ttl-types",
       "an unlisted TTL type keeps to one answer and leaves the framing alone",
       "INSERT",
       Level::may,
       {"silence.ttl-type-unknown"},
       unlisted_ttl_types,
       {.alone = true}},
      {"robustness/unlisted-attributes",
       "an unlisted attribute keeps to one answer and leaves the framing alone",
       "UPDATE",
       Level::may,
       {"silence.attribute-unknown"},
       unlisted_attributes,
       {.alone = true}},
      {"robustness/unlisted-changes",
       "an unlisted change keeps to one answer and leaves the framing alone",
       "UPDATE",
       Level::may,
       {"silence.change-unknown"},
       unlisted_changes,
       {.alone = true}},
      {"robustness/truncated",
       "a request that ends too soon is not answered and harms nobody",
       "INSERT",
       Level::must,
       {"stream.framing", "silence.neighbours"},
       truncated,
       {.alone = true},
       Danger::malformed},
      {"robustness/wrong-sizes",
       "a size that measures something else harms no other connection",
       "INSERT",
       Level::may,
       {"stream.framing", "silence.neighbours"},
       wrong_sizes,
       {.alone = true},
       Danger::malformed},
      {"robustness/every-first-byte",
       "whatever byte comes first, and however large what follows says it is, nobody is harmed",
       "INSERT",
       Level::should,
       {"silence.neighbours", "silence.opcode-unknown"},
       every_first_byte,
       {.alone = true},
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
