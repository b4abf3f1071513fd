#include "vectors/generator/sample_record.hpp"

#include <algorithm>
#include <bit>

#include "protocol/by_kind.hpp"

namespace hallmark::vectors::generator {
namespace {

using base::Bytes;
using protocol::Field;
using protocol::Layout;
using protocol::Record;
using protocol::Value;

using SampledFields = std::span<const Field>;

class Sampler {
 public:
  explicit Sampler(const Layout& layout) : layout_(layout) {}

  Record run() {
    Record record;
    fill(layout_.message().fields, record);
    fill(layout_.message().on_success, record);
    return record;
  }

 private:
  void fill(SampledFields fields, Record& record) {
    for (const Field& field : fields) {
      if (layout_.present(field) && !field.derived()) record.set(field.name, value_of(field));
    }
  }

  Value value_of(const Field& field) {
    using namespace protocol::kinds;
    return protocol::by_kind(
        field.kind,
        protocol::Overloaded{
            [](const Status&) -> Value { return std::uint64_t{Status::success}; },
            [](const ChoiceOf& kind) -> Value { return kind.choices.front().code; },
            [&](const protocol::among<Integer, Decimal, SignedDecimal> auto&) -> Value {
              return next_++;
            },
            [](const Real&) -> Value { return std::bit_cast<std::uint64_t>(1.5); },
            [](const Tag&) -> Value { return base::to_bytes("7"); },
            [](const State&) -> Value { return base::to_bytes("42|1"); },
            [](const Opaque& kind) -> Value { return Bytes(kind.width, 'o'); },
            [&](const protocol::among<protocol::kinds::Bytes, Text, Word, Line> auto&) -> Value {
              return base::to_bytes(field.name);
            },
            [&](const Group& kind) -> Value { return records(kind); },
            [](const protocol::among<Opcode, Size, Count, Literal, DecimalCount> auto&) -> Value {
              return std::uint64_t{0};  // derived: not asked for
            },
        });
  }

  std::vector<Record> records(const protocol::kinds::Group& group) {
    const bool holds_groups = std::ranges::any_of(
        group.head, [](const Field& field) { return field.is<protocol::kinds::Group>(); });
    std::vector<Record> all(holds_groups ? 1 : 2);
    for (Record& record : all) fill(group.head, record);
    for (Record& record : all) fill(group.tail, record);
    return all;
  }

  const Layout& layout_;
  std::uint64_t next_ = 1;
};

}  // namespace

Record sample_record(const Layout& layout) { return Sampler(layout).run(); }

}  // namespace hallmark::vectors::generator
