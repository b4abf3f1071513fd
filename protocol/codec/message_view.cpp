#include <algorithm>

#include "protocol/by_kind.hpp"
#include "protocol/codec/decode.hpp"

namespace hallmark::protocol {
namespace {

/// The number of that value, which is null where `present` lack it.
std::uint64_t number_of(const FieldValue* value, FieldName name,
                        std::initializer_list<std::span<const FieldValue>> present) {
  if (value != nullptr) return value->number;
  std::vector<std::string_view> names;
  for (const auto& fields : present) {
    for (const FieldValue& one : fields) names.push_back(one.field->name);
  }
  throw_absent(name, names);
}

const FieldValue* find_named(std::span<const FieldValue> values, FieldName name) {
  const auto found =
      std::ranges::find_if(values, [&](const FieldValue& v) { return v.field->name == name; });
  return found == values.end() ? nullptr : &*found;
}

/// Rebuilds the tree of values from the flat list, in the order of the list.
class TreeBuilder {
 public:
  explicit TreeBuilder(const MessageView& message) : message_(message), values_(message.fields()) {}

  void take(std::span<const Field> fields, Record& record) {
    for (const Field& field : fields) {
      if (message_.layout().present(field)) take(field, record);
    }
  }

  bool at_end() const { return next_ == values_.size(); }

 private:
  void take(const Field& field, Record& record) {
    const FieldValue& value = values_[next_++];
    if (value.absent()) return;
    if (field.derived()) return;
    record.set(
        field.name,
        by_kind(
            field.kind,
            Overloaded{
                [&](const kinds::Number auto& /*kind*/) -> Value { return value.number; },
                [&]<among<kinds::Decimal, kinds::DecimalCount, kinds::SignedDecimal, kinds::Real>
                        Kind>(const Kind& /*kind*/) -> Value { return value.number; },
                [&](const kinds::Text& /*kind*/) -> Value {
                  return unpadded(message_.bytes_of(value));
                },
                [&]<among<kinds::Bytes, kinds::Opaque, kinds::Literal, kinds::Tag, kinds::Word,
                          kinds::Line, kinds::State>
                        Kind>(const Kind& /*kind*/) -> Value {
                  return copy(message_.bytes_of(value));
                },
                [&](const kinds::Group& group) -> Value { return records_of(group, value); }}));
  }

  std::vector<Record> records_of(const kinds::Group& group, const FieldValue& value) {
    std::vector<Record> records(value.number);
    for (Record& record : records) take(group.head, record);
    for (Record& record : records) take(group.tail, record);
    return records;
  }

  static base::Bytes copy(base::ByteView bytes) { return {bytes.begin(), bytes.end()}; }

  static base::Bytes unpadded(base::ByteView bytes) {
    while (!bytes.empty() && bytes.back() == 0) bytes = bytes.first(bytes.size() - 1);
    return copy(bytes);
  }

  const MessageView& message_;
  std::span<const FieldValue> values_;
  std::size_t next_ = 0;
};

}  // namespace

const FieldValue* MessageView::find(FieldName name) const {
  for (const FieldValue& value : fields_) {
    if (value.field->name == name) return value.absent() ? nullptr : &value;
    if (value.field->is<kinds::Group>()) break;
  }
  return nullptr;
}

std::uint64_t MessageView::number(FieldName name) const {
  return number_of(find(name), name, {fields_});
}

std::uint64_t MessageView::number_or(FieldName name, std::uint64_t absent) const {
  const FieldValue* const value = find(name);
  return value == nullptr ? absent : value->number;
}

base::ByteView MessageView::bytes_of(FieldName name) const {
  const FieldValue* const value = find(name);
  return value == nullptr ? base::ByteView{} : bytes_of(*value);
}

Record MessageView::record() const {
  Record record;
  TreeBuilder builder(*this);
  builder.take(layout_->message().fields, record);
  if (!builder.at_end()) builder.take(layout_->message().on_success, record);
  return record;
}

const FieldValue* MessageView::Entry::find(FieldName name) const {
  const FieldValue* const value = find_named(head_, name);
  return value != nullptr ? value : find_named(tail_, name);
}

std::uint64_t MessageView::Entry::number(FieldName name) const {
  return number_of(find(name), name, {head_, tail_});
}

std::uint64_t MessageView::Entry::number_or(FieldName name, std::uint64_t absent) const {
  const FieldValue* const value = find(name);
  return value == nullptr ? absent : value->number;
}

base::ByteView MessageView::Entry::bytes_of(FieldName name) const {
  const FieldValue* const value = find(name);
  return value == nullptr ? base::ByteView{} : message_.bytes_of(*value);
}

void MessageView::for_each(FieldName group, const std::function<void(const Entry&)>& visit) const {
  const auto count_present = [&](std::span<const Field> list) {
    return static_cast<std::size_t>(
        std::ranges::count_if(list, [&](const Field& f) { return layout_->present(f); }));
  };
  for (std::size_t i = 0; i < fields_.size(); ++i) {
    const Field& field = *fields_[i].field;
    const auto* const lists = field.as<kinds::Group>();
    if (lists == nullptr || field.name != group) continue;
    const std::size_t heads = count_present(lists->head);
    const std::size_t tails = count_present(lists->tail);
    const std::size_t records = fields_[i].number;
    for (std::size_t r = 0; r < records; ++r) {
      const auto head = fields_.subspan(i + 1 + r * heads, heads);
      visit(Entry(*this, head, fields_.subspan(i + 1 + records * heads + r * tails, tails)));
    }
  }
}

}  // namespace hallmark::protocol
