#include "reference/protocol/encode.hpp"

#include <fmt/format.h>

#include "reference/protocol/text.hpp"

namespace hallmark::protocol {
namespace {

/// Where the first error stops everything: once it is set, the rest of the walk does nothing.
class Encoder {
 public:
  explicit Encoder(const Layout& layout) : layout_(layout) {}

  boost::system::result<Bytes, EncodeError> run(const Record& values) {
    const Message& message = layout_.message();
    fields(message.fields, values);
    if (succeeded(values)) fields(message.on_success, values);
    refuse_unknown(values, message.fields,
                   succeeded(values) ? message.on_success : std::span<const Field>{});
    if (error_) return *std::move(error_);
    return std::move(out_);
  }

 private:
  bool succeeded(const Record& values) const {
    const Field* const status = layout_.find(layout_.message().fields, "status");
    return status == nullptr || values.number("status") != 0;
  }

  void fail(std::string_view field, std::string reason) {
    if (!error_) error_ = EncodeError{std::string(field), std::move(reason)};
  }

  void number(const Field& field, std::uint64_t value) {
    const std::size_t width = layout_.width_of(field);
    if (value > max_of_width(width)) {
      return fail(field.name, fmt::format("{} does not fit {} byte(s)", value, width));
    }
    out_.resize(out_.size() + width);
    store_little_endian(out_.data() + out_.size() - width, value, width);
  }

  static bool derived(const Field& field) {
    return field.kind == Kind::opcode || field.kind == Kind::size || field.kind == Kind::count ||
           field.kind == Kind::literal;
  }

  template <class T>
  const T* value_of(const Field& field, const Record& values) {
    const Value* const value = values.find(field.name);
    if (value == nullptr) {
      fail(field.name, "has no value");
      return nullptr;
    }
    const T* const typed = std::get_if<T>(value);
    if (typed == nullptr) fail(field.name, "has a value of another type");
    return typed;
  }

  /// Value of the field that a size or a count measures; it may stand in the list that follows.
  const Value* measured(const Field& field, const Record& values) {
    const Value* const value = values.find(field.of);
    if (value == nullptr) fail(field.of, "has no value");
    return value;
  }

  void fixed(const Field& field, const Bytes& value) {
    if (value.size() > field.width || (field.kind == Kind::opaque && value.size() != field.width)) {
      return fail(field.name, fmt::format("{} bytes do not fill {}", value.size(), field.width));
    }
    out_.insert(out_.end(), value.begin(), value.end());
    out_.resize(out_.size() + field.width - value.size());
  }

  void group(const Field& field, const std::vector<Record>& records) {
    for (const Record& record : records) {
      fields(field.head, record);
      refuse_unknown(record, field.head, field.tail);
    }
    for (const Record& record : records) fields(field.tail, record);
  }

  void one(const Field& field, const Record& values) {
    switch (field.kind) {
      case Kind::opcode: return number(field, layout_.opcode());
      case Kind::status:
      case Kind::choice:
      case Kind::integer:
        if (const auto* value = value_of<std::uint64_t>(field, values)) number(field, *value);
        return;
      case Kind::size:
        if (const Value* value = measured(field, values)) {
          if (const auto* bytes = std::get_if<Bytes>(value)) number(field, bytes->size());
        }
        return;
      case Kind::count:
        if (const Value* value = measured(field, values)) {
          if (const auto* records = std::get_if<std::vector<Record>>(value))
            number(field, records->size());
        }
        return;
      case Kind::bytes:
        if (const auto* value = value_of<Bytes>(field, values))
          out_.insert(out_.end(), value->begin(), value->end());
        return;
      case Kind::opaque:
      case Kind::text:
        if (const auto* value = value_of<Bytes>(field, values)) fixed(field, *value);
        return;
      case Kind::group:
        if (const auto* value = value_of<std::vector<Record>>(field, values)) group(field, *value);
        return;
      case Kind::literal: return append(field.literal);
      case Kind::decimal:
        if (const auto* value = value_of<std::uint64_t>(field, values)) {
          char digits[text::most_decimal_bytes];
          append({digits, text::write_decimal(digits, *value, field.decimals)});
        }
        return;
      case Kind::tag:
        if (values.find(field.name) == nullptr) return;
        spelled(field, values, text::is_tag, "is no row of decimal digits");
        return append(" ");
      case Kind::word: return spelled(field, values, text::is_word, "is empty or holds a space");
      case Kind::line: return spelled(field, values, text::is_line, "holds a newline");
    }
  }

  void append(std::string_view text) { out_.insert(out_.end(), text.begin(), text.end()); }

  void spelled(const Field& field, const Record& values, bool (*allowed)(std::string_view),
               std::string_view otherwise) {
    const auto* const value = value_of<Bytes>(field, values);
    if (value == nullptr) return;
    if (!allowed(as_text(*value))) return fail(field.name, std::string(otherwise));
    append(as_text(*value));
  }

  void fields(std::span<const Field> list, const Record& values) {
    for (const Field& field : list) {
      if (!error_ && layout_.present(field)) one(field, values);
    }
  }

  void refuse_unknown(const Record& values, std::span<const Field> first,
                      std::span<const Field> second) {
    for (const auto& [name, value] : values.fields()) {
      const Field* field = layout_.find(first, name);
      if (field == nullptr) field = layout_.find(second, name);
      if (field == nullptr)
        fail(name, fmt::format("is no field of {}", layout_.name()));
      else if (derived(*field))
        fail(name, "follows from the other values and cannot be given");
    }
  }

  const Layout& layout_;
  Bytes out_;
  std::optional<EncodeError> error_;
};

}  // namespace

boost::system::result<Bytes, EncodeError> encode(const Layout& layout, const Record& values) {
  return Encoder(layout).run(values);
}

}  // namespace hallmark::protocol
