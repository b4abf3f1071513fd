#include "distributed/message.hpp"

#include <array>

#include "base/byte_stream.hpp"

namespace hallmark::distributed {
namespace {

using base::ByteReader;
using base::ByteWriter;

/// Writes the members of a message, or reads them, in the same order.
struct Writing {
  ByteWriter& out;
  void member(std::int64_t value) { out.signed_number(value); }
  void member(std::uint64_t value) { out.number(value); }
  void member(const std::string& value) { out.text(value); }
  void member(const base::Bytes& value) { out.bytes(value); }
  void member(const std::vector<std::string>& values) {
    out.number(values.size());
    for (const std::string& value : values) out.text(value);
  }
};

struct Reading {
  ByteReader& in;
  void member(std::int64_t& value) { value = in.signed_number(); }
  void member(std::uint64_t& value) { value = in.number(); }
  void member(std::string& value) { value = in.text(); }
  void member(base::Bytes& value) {
    const auto bytes = in.bytes();
    value.assign(bytes.begin(), bytes.end());
  }
  void member(std::vector<std::string>& values) {
    for (std::uint64_t left = in.number(); left != 0 && in.ok(); --left)
      values.push_back(in.text());
  }
};

void members(auto& to, auto& of) {
  using Of = std::remove_cvref_t<decltype(of)>;
  if constexpr (std::is_same_v<Of, Hello>) {
    to.member(of.host), to.member(of.options), to.member(of.options_hash), to.member(of.refusal);
  } else if constexpr (std::is_same_v<Of, Pong>) {
    to.member(of.steady_ns), to.member(of.system_ns);
  } else if constexpr (std::is_same_v<Of, Second>) {
    to.member(of.second), to.member(of.length_ns), to.member(of.tally);
  } else if constexpr (std::is_same_v<Of, Moved>) {
    to.member(of.counters);
  } else if constexpr (std::is_same_v<Of, Finished>) {
    to.member(of.result);
  } else if constexpr (std::is_same_v<Of, Begin>) {
    to.member(of.steady_ns), to.member(of.bound_ns), to.member(of.system_ns);
  } else if constexpr (std::is_same_v<Of, Prepare>) {
    to.member(of.run), to.member(of.nonce);
  } else if constexpr (std::is_same_v<Of, Observed>) {
    to.member(of.complete_ns), to.member(of.observations);
  } else if constexpr (std::is_same_v<Of, Stop>) {
    to.member(of.lost);
  } else if constexpr (std::is_same_v<Of, Leave>) {
    to.member(of.exit_code);
  }
}

template <std::size_t... Kinds>
Message empty_message(std::size_t kind, std::index_sequence<Kinds...>) {
  Message message;
  static_cast<void>(((kind == Kinds && (message.emplace<Kinds>(), true)) || ...));
  return message;
}

}  // namespace

base::Bytes encode(const Message& message) {
  ByteWriter out;
  out.number(message.index());
  Writing writing{out};
  std::visit([&](const auto& one) { members(writing, one); }, message);
  return std::move(out).take();
}

base::Result<Message> decode(base::ByteView bytes) {
  ByteReader in(bytes);
  const std::uint64_t kind = in.number();
  constexpr std::size_t kinds = std::variant_size_v<Message>;
  if (!in.ok() || kind >= kinds) return base::Error{"a message of another version of Hallmark"};
  Message message = empty_message(kind, std::make_index_sequence<kinds>());
  Reading reading{in};
  std::visit([&](auto& one) { members(reading, one); }, message);
  if (!in.ok() || !in.at_end()) return base::Error{"a message of another version of Hallmark"};
  return message;
}

}  // namespace hallmark::distributed
