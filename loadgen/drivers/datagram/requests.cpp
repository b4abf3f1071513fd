#include "loadgen/drivers/datagram/requests.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "loadgen/drivers/datagram/id_ring.hpp"
#include "loadgen/drivers/stream/frame.hpp"
#include "protocol/codec/encode.hpp"
#include "protocol/codec/fast_text.hpp"
#include "protocol/dialects/ratelimit_udp.hpp"

namespace hallmark::loadgen::datagram {
namespace {

using base::Error;
using base::Result;
using protocol::fast::operation_index;
using protocol::tables::ratelimit_udp;
using OverLimit =
    protocol::fast_text::Reply<ratelimit_udp, operation_index(ratelimit_udp, "over_limit")>;
using GetStats =
    protocol::fast_text::Reply<ratelimit_udp, operation_index(ratelimit_udp, "get_stats")>;
using GetSize =
    protocol::fast_text::Reply<ratelimit_udp, operation_index(ratelimit_udp, "get_size")>;
using Ping = protocol::fast_text::Reply<ratelimit_udp, operation_index(ratelimit_udp, "ping")>;

constexpr std::uint8_t over_limit = operation_index(ratelimit_udp, "over_limit");
constexpr std::uint8_t get_stats = operation_index(ratelimit_udp, "get_stats");
constexpr std::uint8_t get_size = operation_index(ratelimit_udp, "get_size");

const protocol::Field* find(const protocol::Layout& layout, protocol::FieldName name) {
  return layout.find(layout.message().fields, name);
}

std::string id_text(std::uint64_t id) { return std::to_string(id); }

Result<base::Bytes> encoded(const protocol::Operation& operation,
                            const protocol::Readings& readings, const std::string& id,
                            std::string_view key) {
  const auto layout = protocol::Layout::request(operation, protocol::Width::none, readings);
  protocol::Record values;
  values.set("request_id", base::to_bytes(id));
  if (find(layout, "key") != nullptr) values.set("key", base::to_bytes(key));
  auto bytes = protocol::encode(layout, values);
  if (!bytes) {
    return Error{fmt::format("{} '{}': {}", bytes.error().field, key, bytes.error().reason)};
  }
  return std::move(*bytes);
}

/// The place where two encodings of one size differ, from the first byte to the last.
struct Place {
  std::size_t at = 0;
  std::size_t size = 0;
};
Place difference(const base::Bytes& a, const base::Bytes& b) {
  const auto first = std::mismatch(a.begin(), a.end(), b.begin()).first;
  if (first == a.end()) return {};
  const auto last = std::mismatch(a.rbegin(), a.rend(), b.rbegin()).first;
  return {static_cast<std::size_t>(first - a.begin()),
          static_cast<std::size_t>(last.base() - first)};
}

/// Twelve digits, six at a time.
void write_id(std::uint8_t* out, std::uint64_t id) {
  write_digits(out, 6, static_cast<std::uint32_t>(id / 1'000'000));
  write_digits(out + 6, 6, static_cast<std::uint32_t>(id % 1'000'000));
}

}  // namespace

std::vector<std::string_view> mix_names(const protocol::Dialect& dialect) {
  std::vector<std::string_view> names;
  for (const auto& operation : dialect.operations) names.push_back(operation.name);
  return names;
}

Result<Requests> Requests::make(const protocol::Readings& readings, std::string_view mix,
                                std::uint64_t seed, Keys keys) {
  if (&readings.dialect() != &ratelimit_udp) {
    return Error{fmt::format("dialect '{}' is not spoken over udp://; allowed: {}",
                             readings.dialect().name, ratelimit_udp.name)};
  }
  const auto parts = parse_mix(mix, mix_names(readings.dialect()));
  if (!parts) return parts.error();
  Requests requests{readings, *parts, seed, std::move(keys)};
  for (const MixPart& named : *parts) {
    auto part = requests.make_part(named);
    if (!part) return part.error();
    requests.parts_.push_back(std::move(*part));
  }
  return requests;
}

Requests::Requests(const protocol::Readings& readings, std::span<const MixPart> mix,
                   std::uint64_t seed, Keys keys)
    : readings_(readings), chooser_(mix, {{}, keys.size(), seed}, seed), keys_(std::move(keys)) {}

Result<Part> Requests::make_part(const MixPart& named) const {
  const auto& dialect = readings_.dialect();
  const auto& operation = *protocol::find_operation_called(dialect, named.operation);
  const auto layout = protocol::Layout::request(operation, protocol::Width::none, readings_);
  Part part{named.operation,
            static_cast<std::uint8_t>(&operation - dialect.operations.data()),
            find(layout, "key") != nullptr,
            false,
            {}};
  part.is_use = part.operation == over_limit;
  const std::size_t frames = part.has_key ? keys_.patterns().size() : 1;
  for (std::uint32_t key = 0; key < frames; ++key) {
    auto frame = make_frame(operation, key);
    if (!frame) return frame.error();
    part.frames.push_back(std::move(*frame));
  }
  return part;
}

// The places of the digits are where two encodings with other digits differ: nothing here has to
// know the layout.
Result<Part::Frame> Requests::make_frame(const protocol::Operation& operation,
                                         std::uint32_t key) const {
  const std::string zeros(IdRing::id_digits, '0');
  const std::string nines(IdRing::id_digits, '9');
  const KeyPattern& pattern = keys_.patterns()[key];
  const auto text = [&](char digit) {
    if (!pattern.varies) return pattern.before;
    return pattern.before + keys_.nonce() + std::string(keys_.digits(), digit) + pattern.after;
  };
  auto bytes = encoded(operation, readings_, zeros, text('0'));
  if (!bytes) return bytes.error();
  const Place id = difference(*bytes, *encoded(operation, readings_, nines, text('0')));
  const Place digits = difference(*bytes, *encoded(operation, readings_, zeros, text('9')));
  return Part::Frame{std::move(*bytes), id.at, digits.at, digits.size};
}

std::vector<std::string> Requests::names() const {
  std::vector<std::string> names;
  for (const Part& part : parts_) names.push_back(part.name);
  return names;
}

std::size_t Requests::append(protocol::ByteBuffer& out, std::uint8_t part, std::uint32_t key,
                             std::uint64_t id) const {
  const Part& of = parts_[part];
  const auto& frame = of.frames[of.has_key ? keys_.pattern_of(key) : 0];
  std::uint8_t* const at = out.grow(frame.bytes.size());
  std::memcpy(at, frame.bytes.data(), frame.bytes.size());
  write_id(at + frame.id_at, id);
  if (frame.key_digits != 0) {
    write_digits(at + frame.key_digits_at, frame.key_digits, keys_.number_of(key));
  }
  return frame.bytes.size();
}

std::optional<std::uint64_t> Requests::id_of(base::ByteView reply) {
  const std::string_view digits = protocol::text::tag_at_front(base::as_text(reply));
  if (digits.size() != IdRing::id_digits) return std::nullopt;
  std::uint64_t id = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), id);
  return id;
}

bool Requests::is_reply(std::uint8_t part, std::uint32_t key, base::ByteView reply,
                        std::optional<UseSaid>& said) const {
  switch (parts_[part].operation) {
    case over_limit: {
      OverLimit::View view;
      if (!protocol::fast_text::decode<OverLimit>(reply, readings_, view)) return false;
      said = UseSaid{view.number<"over">() == 'Y', view.number<"rate">(), view.number<"limit">(),
                     view.number<"period">()};
      return true;
    }
    case get_stats: {
      GetStats::View view;
      return protocol::fast_text::decode<GetStats>(reply, readings_, view) &&
             view.text<"key">() == keys_.text_of(key);
    }
    case get_size: {
      GetSize::View view;
      return protocol::fast_text::decode<GetSize>(reply, readings_, view);
    }
    default: {
      Ping::View view;
      return protocol::fast_text::decode<Ping>(reply, readings_, view);
    }
  }
}

base::Bytes Requests::ping(std::uint64_t id) const {
  return *encoded(*protocol::find_operation(readings_.dialect(), "ping"), readings_, id_text(id),
                  {});
}

base::Bytes Requests::ask_statistics(std::string_view key, std::uint64_t id) const {
  return *encoded(*protocol::find_operation(readings_.dialect(), "get_stats"), readings_,
                  id_text(id), key);
}

std::optional<StatisticsSaid> Requests::statistics_in(base::ByteView reply) const {
  GetStats::View view;
  if (!protocol::fast_text::decode<GetStats>(reply, readings_, view)) return std::nullopt;
  return StatisticsSaid{view.number<"n_req">(), view.number<"n_over">()};
}

}  // namespace hallmark::loadgen::datagram
