#include "reference/model/states/strategy_state.hpp"

#include <bit>

#include "protocol/codec/fast_text.hpp"
#include "protocol/dialects/ratelimit_state.hpp"

namespace hallmark::model {
namespace {

namespace fast_text = protocol::fast_text;
using protocol::Malformed;
using protocol::operator""_f;

constexpr protocol::Readings as_released(protocol::tables::ratelimit_state,
                                         protocol::Profile::deployed);

template <std::size_t index>
using Current = fast_text::State<protocol::tables::ratelimit_state, index>;

using TokenBucketText =
    Current<fast_text::format_index(protocol::tables::ratelimit_state, "token-bucket/12")>;
using LeakyBucketText =
    Current<fast_text::format_index(protocol::tables::ratelimit_state, "leaky-bucket/32")>;
using GcraText = Current<fast_text::format_index(protocol::tables::ratelimit_state, "gcra/42")>;
using CompositeText =
    Current<fast_text::format_index(protocol::tables::ratelimit_state, "composite/51")>;

/// Any other format of the strategy.
StateRead<protocol::Record> read_any(std::string_view text, const protocol::state::Taken& taken) {
  const auto parsed = protocol::state::parse(text, as_released, taken);
  if (!parsed) return parsed.error();
  return parsed->values();
}

std::int64_t signed_number(const protocol::Record& record, protocol::FieldName field) {
  return static_cast<std::int64_t>(record.number(field));
}

template <class Text, class Values>
std::string written(const Values& values) {
  return fast_text::written<Text>(as_released, values);
}

std::string as_string(const protocol::Value& value) {
  return std::string(base::as_text(std::get<base::Bytes>(value)));
}

}  // namespace

StateRead<TokenBucketState> read_token_bucket(std::string_view text) {
  TokenBucketText::View view;
  if (fast_text::decode(base::as_bytes(text), as_released, view))
    return TokenBucketState{view.real<"tokens">(), view.signed_number<"last_refill">()};
  const auto record = read_any(text, {.strategy = "token-bucket"});
  if (!record) return record.error();
  return TokenBucketState{std::bit_cast<double>(record->number("tokens")),
                          signed_number(*record, "last_refill")};
}

StateRead<LeakyBucketState> read_leaky_bucket(std::string_view text) {
  LeakyBucketText::View view;
  if (fast_text::decode(base::as_bytes(text), as_released, view))
    return LeakyBucketState{view.real<"requests">(), view.signed_number<"last_leak">()};
  const auto record = read_any(text, {.strategy = "leaky-bucket"});
  if (!record) return record.error();
  const protocol::FieldName requests =
      record->find("level") != nullptr ? protocol::FieldName("level") : "requests";
  return LeakyBucketState{std::bit_cast<double>(record->number(requests)),
                          signed_number(*record, "last_leak")};
}

StateRead<GcraState> read_gcra(std::string_view text) {
  GcraText::View view;
  if (fast_text::decode(base::as_bytes(text), as_released, view))
    return GcraState{view.signed_number<"tat">()};
  const auto record = read_any(text, {.strategy = "gcra"});
  if (!record) return record.error();
  return GcraState{signed_number(*record, "tat")};
}

StateRead<FixedWindowState> read_fixed_window(std::string_view text, const FixedWindow& fixed) {
  const auto record = read_any(text, {.strategy = "fixed-window"});
  if (!record) return record.error();
  FixedWindowState state;
  if (const protocol::Value* const quotas = record->find("quotas")) {
    for (const protocol::Record& one : std::get<std::vector<protocol::Record>>(*quotas)) {
      state.quotas.push_back(
          {as_string(*one.find("name")), signed_number(one, "count"), signed_number(one, "start")});
    }
    return state;
  }
  if (fixed.quotas.size() != 1)
    return Malformed{"quotas", 0, "names no quota, and the configuration has several"};
  state.quotas.push_back({fixed.quotas.front().name, signed_number(*record, "count"),
                          signed_number(*record, "start")});
  return state;
}

StateRead<CompositeState> read_composite(std::string_view text, std::string_view primary,
                                         std::string_view secondary) {
  const auto parsed = protocol::state::parse(
      text, as_released, {.strategy = "composite", .primary = primary, .secondary = secondary});
  if (!parsed) return parsed.error();
  return CompositeState{parsed->parts[0].text, parsed->parts[1].text};
}

std::string text_of(const TokenBucketState& state) {
  return written<TokenBucketText>(
      protocol::values("tokens"_f = state.tokens, "last_refill"_f = state.last_refill));
}

std::string text_of(const LeakyBucketState& state) {
  return written<LeakyBucketText>(
      protocol::values("requests"_f = state.requests, "last_leak"_f = state.last_leak));
}

std::string text_of(const GcraState& state) {
  return written<GcraText>(protocol::values("tat"_f = state.tat));
}

std::string text_of(const FixedWindowState& state) {
  std::vector<protocol::Record> quotas;
  for (const QuotaState& quota : state.quotas) {
    quotas.push_back({{"name", base::to_bytes(quota.name)},
                      {"count", static_cast<std::uint64_t>(quota.count)},
                      {"start", static_cast<std::uint64_t>(quota.start)}});
  }
  return protocol::state::write(
             *protocol::state::current_format(protocol::tables::ratelimit_state, "fixed-window"),
             {{"quotas", std::move(quotas)}}, as_released)
      .value();
}

std::string text_of(const CompositeState& state) {
  return written<CompositeText>(
      protocol::values("primary"_f = state.primary, "secondary"_f = state.secondary));
}

}  // namespace hallmark::model
