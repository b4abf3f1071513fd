#pragma once

#include <gtest/gtest.h>

#include "reference/protocol/decode.hpp"
#include "reference/protocol/encode.hpp"
#include "reference/protocol/fast.hpp"
#include "reference/protocol/tests/random_record.hpp"

/// Holds the compile-time codec equal to the generic one, over random messages of every layout.
namespace hallmark::protocol::testing {

template <class Head, class Tail>
Record to_record(const fast::RecordView<Head, Tail>& view, const Readings& readings);

inline Value to_value(const Field&, std::uint64_t number, const Readings&) { return number; }

inline Value to_value(const Field& field, ByteView bytes, const Readings&) {
  if (field.kind == Kind::text) {
    while (!bytes.empty() && bytes.back() == 0) bytes = bytes.first(bytes.size() - 1);
  }
  return Bytes(bytes.begin(), bytes.end());
}

template <class Parent, std::size_t I>
Value to_value(const Field&, const fast::GroupView<Parent, I>& group, const Readings& readings) {
  std::vector<Record> records;
  for (const auto& record : group) records.push_back(to_record(record, readings));
  return records;
}

template <class List, std::size_t... I>
void add_fields(const fast::detail::Slots<List>& slots, const Readings& readings, Record& record,
                std::index_sequence<I...>) {
  [[maybe_unused]] const auto add = [&](const Field& field, const auto& slot) {
    const bool derived =
        field.kind == Kind::opcode || field.kind == Kind::size || field.kind == Kind::count;
    if (!derived && readings.holds(field.when))
      record.set(field.name, to_value(field, slot, readings));
  };
  (add(List::fields[I], std::get<fast::detail::index_of<List>(List::fields[I].name)>(slots.values)),
   ...);
}

template <class Head, class Tail>
Record to_record(const fast::RecordView<Head, Tail>& view, const Readings& readings) {
  Record record;
  add_fields<Head>(view.head, readings, record, std::make_index_sequence<Head::size>{});
  const bool failed = record.find("status") != nullptr && record.number("status") == 0;
  if (!failed)
    add_fields<Tail>(view.tail, readings, record, std::make_index_sequence<Tail::size>{});
  return record;
}

/// A copy in memory of exactly that size, for the sanitizer's sake.
inline std::vector<std::uint8_t> exactly(ByteView bytes) { return {bytes.begin(), bytes.end()}; }

inline Decoder decoded(const Layout& layout, ByteView bytes) {
  Decoder decoder(layout);
  decoder.resume(bytes);
  return decoder;
}

/// A failure ends with its status.
template <class M>
void encode_again(ByteBuffer& out, const Layout& layout, const Readings& readings, ByteView bytes,
                  const typename M::View& view) {
  if constexpr (M::status != fast::detail::none) {
    const Decoder decoder = decoded(layout, bytes);
    const FieldValue* const status = MessageView(decoder, bytes).find("status");
    if (status != nullptr && status->number == 0) {
      fast::encode_failure<M>(out, readings, view);
      return;
    }
  }
  fast::encode<M>(out, readings, view);
}

template <class M>
void check_equal(const Layout& layout, const Readings& readings, RandomRecord& random) {
  for (int i = 0; i < 12; ++i) {
    const Bytes bytes = exactly(encode(layout, random.of(layout, i % 4 != 0)).value());
    typename M::View view;
    const fast::Outcome outcome = fast::decode<M>(bytes, readings, view, true);
    ASSERT_TRUE(outcome.complete()) << layout.name() << " " << to_hex(bytes);
    ASSERT_EQ(outcome.size, bytes.size()) << layout.name();
    EXPECT_EQ(to_record(view, readings), decode(layout, bytes).value())
        << layout.name() << " " << to_hex(bytes);

    ByteBuffer again;
    encode_again<M>(again, layout, readings, bytes, view);
    EXPECT_EQ(to_hex(again.view()), to_hex(bytes)) << layout.name();
  }
}

/// Every prefix needs more, as the generic decoder says; so does no prefix ask for too much.
template <class M>
void check_prefixes(const Layout& layout, const Readings& readings, RandomRecord& random) {
  const Bytes bytes = encode(layout, random.of(layout, true)).value();
  for (std::size_t n = 0; n < bytes.size(); ++n) {
    const Bytes prefix = exactly(ByteView(bytes).first(n));
    typename M::View view;
    const fast::Outcome outcome = fast::decode<M>(prefix, readings, view);
    ASSERT_EQ(outcome.state, fast::Outcome::State::need_more) << layout.name() << " after " << n;
    ASSERT_GT(outcome.size, n) << layout.name();
    ASSERT_LE(outcome.size, bytes.size()) << layout.name() << " after " << n;
  }
}

/// Whatever bytes come: both decoders agree on complete, incomplete or malformed, and where.
template <class M>
void check_noise(const Layout& layout, const Readings& readings, RandomRecord& random) {
  for (int i = 0; i < 30; ++i) {
    Bytes bytes = encode(layout, random.of(layout, true)).value();
    if (bytes.empty()) return;
    bytes[random.below(std::min<std::size_t>(bytes.size(), 24))] =
        static_cast<std::uint8_t>(random.below(256));
    typename M::View view;
    const fast::Outcome outcome = fast::decode<M>(bytes, readings, view, true);
    Decoder decoder(layout, {.max_bytes = 0xffffffff});
    const Decoder::State state = decoder.resume(bytes);
    if (state == Decoder::State::malformed && decoder.error().reason.starts_with("announces")) {
      // The limit on sizes is the generic decoder's own.
      EXPECT_FALSE(outcome.complete()) << layout.name() << " " << to_hex(bytes);
      continue;
    }
    ASSERT_EQ(static_cast<int>(outcome.state), state == Decoder::State::complete    ? 0
                                               : state == Decoder::State::need_more ? 1
                                                                                    : 2)
        << layout.name() << " " << to_hex(bytes);
    if (outcome.complete()) {
      EXPECT_EQ(outcome.size, decoder.size());
    }
    if (state == Decoder::State::malformed) {
      EXPECT_EQ(outcome.size, decoder.error().offset) << layout.name() << " " << to_hex(bytes);
      EXPECT_EQ(outcome.field->name, decoder.error().field);
    }
  }
}

template <class M>
void check_all(const Layout& layout, const Readings& readings) {
  RandomRecord random(bytes_of(layout.width()) * 1000 + layout.opcode());
  check_equal<M>(layout, readings, random);
  check_prefixes<M>(layout, readings, random);
  check_noise<M>(layout, readings, random);
}

template <const Dialect& D, Width W, std::size_t... I>
void check_operations(const Readings& readings, std::index_sequence<I...>) {
  (check_all<fast::Request<D, I, W>>(Layout::request(D.operations[I], W, readings), readings), ...);
  (check_all<fast::Reply<D, I, W>>(Layout::reply(D.operations[I], W, readings), readings), ...);
  if constexpr (!D.pushes.empty()) {
    check_all<fast::Push<D, 0, W>>(Layout::push(D.pushes[0], W, readings), readings);
  }
}

template <const Dialect& D, Width W>
void check_width() {
  constexpr auto all = std::make_index_sequence<D.operations.size()>{};
  check_operations<D, W>(Readings(D, Profile::deployed), all);
  check_operations<D, W>(Readings(D, Profile::literal), all);
}

}  // namespace hallmark::protocol::testing
