#pragma once

#include <bit>
#include <cmath>
#include <random>

#include "protocol/codec/layout.hpp"
#include "protocol/little_endian.hpp"
#include "protocol/record.hpp"

namespace hallmark::protocol::testing {

/// Random but legal values for every field that a layout has.
class RandomRecord {
 public:
  explicit RandomRecord(std::uint64_t seed) : random_(seed) {}

  Record of(const Layout& layout, bool success) {
    Record record;
    fill(layout, layout.message().fields, record, success);
    const bool has_status = layout.find(layout.message().fields, "status") != nullptr;
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
      if (field.kind == Kind::size && field.of == name && layout.present(field)) {
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

  std::vector<Record> records(const Layout& layout, const Field& group) {
    const bool at_rest = layout.readings().dialect().transport == Transport::at_rest;
    std::vector<Record> result(at_rest ? 1 + below(8) : below(4));
    for (Record& record : result) {
      fill(layout, group.head, record, true);
      for (const Field& field : group.tail)
        record.set(FieldName::unchecked(field.name),
                   bytes(length_for(layout, group.head, field.name)));
    }
    return result;
  }

  void fill(const Layout& layout, std::span<const Field> fields, Record& record, bool success) {
    for (const Field& field : fields) {
      if (!layout.present(field)) continue;
      switch (field.kind) {
        case Kind::status:
          record.set(FieldName::unchecked(field.name), std::uint64_t{success ? 1U : 0U});
          break;
        case Kind::integer:
          record.set(FieldName::unchecked(field.name), number(layout, field));
          break;
        case Kind::choice:
          record.set(FieldName::unchecked(field.name),
                     field.choices[below(field.choices.size())].code);
          break;
        case Kind::bytes:
          record.set(FieldName::unchecked(field.name),
                     bytes(length_for(layout, fields, field.name)));
          break;
        case Kind::opaque: record.set(FieldName::unchecked(field.name), bytes(field.width)); break;
        case Kind::text:
          record.set(FieldName::unchecked(field.name), base::Bytes(below(field.width + 1U), 'x'));
          break;
        case Kind::group:
          record.set(FieldName::unchecked(field.name), records(layout, field));
          break;
        case Kind::decimal:
          if (field.of.empty()) record.set(FieldName::unchecked(field.name), random_());
          break;
        case Kind::signed_decimal: record.set(FieldName::unchecked(field.name), random_()); break;
        case Kind::real: record.set(FieldName::unchecked(field.name), real()); break;
        case Kind::state: record.set(FieldName::unchecked(field.name), base::to_bytes("12|1|1")); break;
        case Kind::tag:
          if (below(3) != 0)
            record.set(FieldName::unchecked(field.name), base::Bytes(1 + below(30), '7'));
          break;
        case Kind::word:
          record.set(FieldName::unchecked(field.name), base::Bytes(1 + below(9), 'w'));
          break;
        case Kind::line: record.set(FieldName::unchecked(field.name), base::Bytes(below(40), ' ')); break;
        case Kind::opcode:
        case Kind::size:
        case Kind::literal:
        case Kind::count: break;
      }
    }
  }

  std::mt19937_64 random_;
};

}  // namespace hallmark::protocol::testing
