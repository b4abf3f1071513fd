#pragma once

#include <bit>
#include <cmath>
#include <random>

#include "protocol/by_kind.hpp"
#include "protocol/codec/layout.hpp"
#include "protocol/little_endian.hpp"
#include "protocol/record.hpp"

namespace hallmark::protocol::test {

/// Random but legal values for every field that a layout has.
class RandomRecord {
 public:
  explicit RandomRecord(std::uint64_t seed) : random_(seed) {}

  Record of(const Layout& layout, bool success) {
    Record record;
    fill(layout, layout.message().fields, record, success);
    const bool has_status = layout.status() != nullptr;
    if (success || !has_status) fill(layout, layout.message().on_success, record, success);
    return record;
  }

  std::uint64_t below(std::uint64_t n) { return random_() % n; }

 private:
  base::Bytes bytes(std::size_t n) {
    base::Bytes result(n);
    for (auto& byte : result) byte = static_cast<std::uint8_t>(random_());
    return result;
  }

  std::uint64_t number(const Layout& layout, const Field& field) {
    const std::uint64_t most = max_of_width(layout.width_of(field));
    switch (below(4)) {
      case 0: return 0;
      case 1: return most;
      default: return random_() & most;
    }
  }

  /// Length of the longest value that the size field in `fields` can announce, within reason.
  std::size_t length_for(const Layout& layout, std::span<const Field> fields,
                         std::string_view name) {
    for (const Field& field : fields) {
      if (field.measured() == name && layout.present(field)) {
        return below(std::min<std::uint64_t>(max_of_width(layout.width_of(field)), 300) + 1);
      }
    }
    return below(256);
  }

  /// The bits of a finite number.
  std::uint64_t real() {
    std::uint64_t bits = 0;
    do {
      bits = random_();
    } while (!std::isfinite(std::bit_cast<double>(bits)));
    return bits;
  }

  std::vector<Record> records(const Layout& layout, const kinds::Group& group) {
    const bool at_rest = layout.readings().dialect().transport == Transport::at_rest;
    std::vector<Record> result(at_rest ? 1 + below(8) : below(4));
    for (Record& record : result) {
      fill(layout, group.head, record, true);
      for (const Field& field : group.tail)
        record.set(field.name, bytes(length_for(layout, group.head, field.name)));
    }
    return result;
  }

  void fill(const Layout& layout, std::span<const Field> fields, Record& record, bool success) {
    for (const Field& field : fields) {
      if (!layout.present(field)) continue;
      if (field.derived() || (field.is<kinds::Tag>() && below(3) == 0)) continue;
      record.set(field.name, value_of(layout, fields, field, success));
    }
  }

  Value value_of(const Layout& layout, std::span<const Field> fields, const Field& field,
                 bool success) {
    using namespace kinds;
    return by_kind(
        field.kind,
        Overloaded{
            [&](const Status&) -> Value { return std::uint64_t{success ? 1U : 0U}; },
            [&](const Integer&) -> Value { return number(layout, field); },
            [&](const ChoiceOf& kind) -> Value {
              return kind.choices[below(kind.choices.size())].code;
            },
            [&](const kinds::Bytes&) -> Value {
              return bytes(length_for(layout, fields, field.name));
            },
            [&](const Opaque& kind) -> Value { return bytes(kind.width); },
            [&](const Text& kind) -> Value { return base::Bytes(below(kind.width + 1U), 'x'); },
            [&](const Group& kind) -> Value { return records(layout, kind); },
            [&](const among<Decimal, SignedDecimal> auto&) -> Value { return random_(); },
            [&](const Real&) -> Value { return real(); },
            [&](const State&) -> Value { return base::to_bytes("12|1|1"); },
            [&](const Tag&) -> Value { return base::Bytes(1 + below(30), '7'); },
            [&](const Word&) -> Value { return base::Bytes(1 + below(9), 'w'); },
            [&](const Line&) -> Value { return base::Bytes(below(40), ' '); },
            [&](const among<Opcode, Size, Count, Literal, DecimalCount> auto&) -> Value {
              return std::uint64_t{0};
            },
        });
  }

  std::mt19937_64 random_;
};

}  // namespace hallmark::protocol::test
