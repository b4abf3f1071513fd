#include "protocol/tests/fast_equality.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/hex.hpp"
#include "protocol/codec/decode.hpp"
#include "protocol/codec/encode.hpp"
#include "protocol/tests/random_record.hpp"

namespace hallmark::protocol::test {
namespace {

using State = fast::Outcome::State;

/// A copy in memory of exactly that size, for the sanitizer's sake.
base::Bytes exactly(base::ByteView bytes) { return {bytes.begin(), bytes.end()}; }

/// The others follow from what the record has.
bool is_in_records(const Field& field, const Readings& readings) {
  return !field.derived() && readings.holds(field.when);
}

void check_equal(Codec codec, const Layout& layout, const Readings& readings,
                 RandomRecord& random) {
  for (int i = 0; i < 12; ++i) {
    const base::Bytes bytes = exactly(encode(layout, random.of(layout, i % 4 != 0)).value());
    Again again;
    const fast::Outcome outcome = codec(bytes, readings, true, &again);
    ASSERT_TRUE(outcome.complete()) << layout.name() << " " << base::to_hex(bytes);
    ASSERT_EQ(outcome.size, bytes.size()) << layout.name();
    EXPECT_EQ(again.record, decode(layout, bytes).value())
        << layout.name() << " " << base::to_hex(bytes);
    EXPECT_EQ(base::to_hex(again.bytes.view()), base::to_hex(bytes)) << layout.name();
  }
}

/// Every prefix needs more, as the generic decoder says; so does no prefix ask for too much.
void check_prefixes(Codec codec, const Layout& layout, const Readings& readings,
                    RandomRecord& random) {
  const base::Bytes bytes = encode(layout, random.of(layout, true)).value();
  for (std::size_t n = 0; n < bytes.size(); ++n) {
    const fast::Outcome outcome =
        codec(exactly(base::ByteView(bytes).first(n)), readings, false, nullptr);
    ASSERT_EQ(outcome.state, State::need_more) << layout.name() << " after " << n;
    ASSERT_GT(outcome.size, n) << layout.name();
    ASSERT_LE(outcome.size, bytes.size()) << layout.name() << " after " << n;
  }
}

State same(Decoder::State state) {
  switch (state) {
    case Decoder::State::complete: return State::complete;
    case Decoder::State::need_more: return State::need_more;
    default: return State::malformed;
  }
}

/// Whatever bytes come: both decoders agree on complete, incomplete or malformed, and where.
void check_noise(Codec codec, const Layout& layout, const Readings& readings,
                 RandomRecord& random) {
  for (int i = 0; i < 30; ++i) {
    base::Bytes bytes = encode(layout, random.of(layout, true)).value();
    if (bytes.empty()) return;
    bytes[random.below(std::min<std::size_t>(bytes.size(), 24))] =
        static_cast<std::uint8_t>(random.below(256));
    const fast::Outcome outcome = codec(bytes, readings, true, nullptr);
    Decoder decoder(layout, {.max_bytes = 0xffffffff});
    const Decoder::State state = decoder.resume(bytes);
    if (state == Decoder::State::malformed && decoder.error().reason.starts_with("announces")) {
      // The limit on sizes is the generic decoder's own.
      EXPECT_FALSE(outcome.complete()) << layout.name() << " " << base::to_hex(bytes);
      continue;
    }
    ASSERT_EQ(outcome.state, same(state)) << layout.name() << " " << base::to_hex(bytes);
    if (outcome.complete()) {
      EXPECT_EQ(outcome.size, decoder.size());
    }
    if (state == Decoder::State::malformed) {
      EXPECT_EQ(outcome.size, decoder.error().offset)
          << layout.name() << " " << base::to_hex(bytes);
      EXPECT_EQ(outcome.field->name, decoder.error().field);
    }
  }
}

}  // namespace

void add(Record& record, const Field& field, std::uint64_t number, const Readings& readings) {
  if (is_in_records(field, readings)) record.set(field.name, number);
}

void add(Record& record, const Field& field, base::ByteView bytes, const Readings& readings) {
  if (!is_in_records(field, readings)) return;
  if (field.is<kinds::Text>()) {
    while (!bytes.empty() && bytes.back() == 0) bytes = bytes.first(bytes.size() - 1);
  }
  record.set(field.name, base::Bytes(bytes.begin(), bytes.end()));
}

void add(Record& record, const Field& field, std::vector<Record> group, const Readings& readings) {
  if (is_in_records(field, readings)) record.set(field.name, std::move(group));
}

void check_all(Codec codec, const Layout& layout, const Readings& readings) {
  RandomRecord random(bytes_of(layout.width()) * 1000 + layout.opcode());
  check_equal(codec, layout, readings, random);
  check_prefixes(codec, layout, readings, random);
  check_noise(codec, layout, readings, random);
}

}  // namespace hallmark::protocol::test
