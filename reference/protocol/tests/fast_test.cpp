#include "reference/protocol/fast.hpp"

#include <gtest/gtest.h>

#include "reference/protocol/decode.hpp"
#include "reference/protocol/dialects/throttr_7_1.hpp"
#include "reference/protocol/encode.hpp"
#include "reference/protocol/tests/random_record.hpp"

// Holds the compile-time codec equal to the generic one, over random messages of every layout.
namespace hallmark::protocol {
namespace {

template <class Head, class Tail>
Record to_record(const fast::RecordView<Head, Tail>& view, const Readings& readings);

Value to_value(const Field&, std::uint64_t number, const Readings&) { return number; }

Value to_value(const Field& field, ByteView bytes, const Readings&) {
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
std::vector<std::uint8_t> exactly(ByteView bytes) { return {bytes.begin(), bytes.end()}; }

/// A failure has no values but its status.
template <class M>
void encode_again(ByteBuffer& out, const Layout& layout, const Readings& readings, ByteView bytes,
                  const typename M::View& view) {
  if constexpr (M::status != fast::detail::none) {
    const bool has_status = layout.find(layout.message().fields, "status") != nullptr;
    if (has_status && bytes[0] == 0) {
      fast::encode_failure<M>(out, readings);
      return;
    }
  }
  fast::encode<M>(out, readings, view);
}

template <class M>
void check_equal(const Layout& layout, const Readings& readings, testing::RandomRecord& random) {
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
void check_prefixes(const Layout& layout, const Readings& readings, testing::RandomRecord& random) {
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
void check_noise(const Layout& layout, const Readings& readings, testing::RandomRecord& random) {
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
  testing::RandomRecord random(bytes_of(layout.width()) * 1000 + layout.opcode());
  check_equal<M>(layout, readings, random);
  check_prefixes<M>(layout, readings, random);
  check_noise<M>(layout, readings, random);
}

template <Width W, std::size_t... I>
void check_operations(const Readings& readings, std::index_sequence<I...>) {
  (check_all<fast::Request<throttr_7_1, I, W>>(
       Layout::request(throttr_7_1.operations[I], W, readings), readings),
   ...);
  (check_all<fast::Reply<throttr_7_1, I, W>>(Layout::reply(throttr_7_1.operations[I], W, readings),
                                             readings),
   ...);
  check_all<fast::Push<throttr_7_1, 0, W>>(Layout::push(throttr_7_1.pushes[0], W, readings),
                                           readings);
}

template <Width W>
void check_width() {
  constexpr auto all = std::make_index_sequence<throttr_7_1.operations.size()>{};
  check_operations<W>(Readings(throttr_7_1, Profile::deployed), all);
  check_operations<W>(Readings(throttr_7_1, Profile::literal), all);
}

TEST(FastCodec, EqualsTheGenericOneAtU8) { check_width<Width::u8>(); }
TEST(FastCodec, EqualsTheGenericOneAtU16) { check_width<Width::u16>(); }
TEST(FastCodec, EqualsTheGenericOneAtU32) { check_width<Width::u32>(); }
TEST(FastCodec, EqualsTheGenericOneAtU64) { check_width<Width::u64>(); }

TEST(FastCodec, EncodesNamedValues) {
  using Insert =
      fast::Request<throttr_7_1, fast::operation_index(throttr_7_1, "INSERT"), Width::u16>;
  const Readings readings(throttr_7_1, Profile::deployed);
  ByteBuffer out;
  fast::encode<Insert>(
      out, readings,
      values("key"_f = as_bytes("abc"), "ttl"_f = 30U, "quota"_f = 2U, "ttl_type"_f = 4U));
  EXPECT_EQ(to_hex(out.view()), "010200041e0003616263");
}

TEST(FastCodec, KnowsWhichRepliesAreSent) {
  using Publish =
      fast::Reply<throttr_7_1, fast::operation_index(throttr_7_1, "PUBLISH"), Width::u16>;
  EXPECT_FALSE(Publish::sent(Readings(throttr_7_1, Profile::deployed)));
  EXPECT_TRUE(Publish::sent(Readings(throttr_7_1, Profile::literal)));
}

}  // namespace
}  // namespace hallmark::protocol
