#include "protocol/codec/encode.hpp"

#include <fmt/format.h>

#include <bit>
#include <cmath>

#include "protocol/little_endian.hpp"
#include "protocol/text/text.hpp"

namespace hallmark::protocol {
namespace {

/// Where the first error stops everything: once it is set, the rest of the walk does nothing.
class Encoder {
 public:
  explicit Encoder(const Layout& layout) : layout_(layout) {}

  boost::system::result<base::Bytes, EncodeError> run(const Record& values) {
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
    return status == nullptr || values.number_or("status", 0) != 0;
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
           field.kind == Kind::literal || !field.of.empty();
  }

  template <class T>
  const T* value_of(const Field& field, const Record& values) {
    const Value* const value = values.find(FieldName::unchecked(field.name));
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
    const Value* const value = values.find(FieldName::unchecked(field.of));
    if (value == nullptr) fail(field.of, "has no value");
    return value;
  }

  void fixed(const Field& field, const base::Bytes& value) {
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
          if (const auto* bytes = std::get_if<base::Bytes>(value)) number(field, bytes->size());
        }
        return;
      case Kind::count:
        if (const Value* value = measured(field, values)) {
          if (const auto* records = std::get_if<std::vector<Record>>(value))
            number(field, records->size());
        }
        return;
      case Kind::bytes:
        if (const auto* value = value_of<base::Bytes>(field, values))
          out_.insert(out_.end(), value->begin(), value->end());
        return;
      case Kind::opaque:
      case Kind::text:
        if (const auto* value = value_of<base::Bytes>(field, values)) fixed(field, *value);
        return;
      case Kind::group:
        if (const auto* value = value_of<std::vector<Record>>(field, values)) group(field, *value);
        return;
      case Kind::literal: return append(field.literal);
      case Kind::decimal:
        if (!field.of.empty()) return decimal_count(field, values);
        if (const auto* value = value_of<std::uint64_t>(field, values)) {
          char digits[text::most_decimal_bytes];
          append({digits, text::write_decimal(digits, *value, field.decimals)});
        }
        return;
      case Kind::tag:
        if (values.find(FieldName::unchecked(field.name)) == nullptr) return;
        spelled(field, values, text::is_tag, "is no row of decimal digits");
        return append(" ");
      case Kind::word: return word(field, values);
      case Kind::line: return spelled(field, values, text::is_line, "holds a newline");
      case Kind::signed_decimal:
        if (const auto* value = value_of<std::uint64_t>(field, values)) {
          char digits[text::most_signed_bytes];
          append({digits, text::write_signed(digits, static_cast<std::int64_t>(*value))});
        }
        return;
      case Kind::real:
        if (const auto* value = value_of<std::uint64_t>(field, values))
          real(field, std::bit_cast<double>(*value));
        return;
      case Kind::state: return state(field, values);
    }
  }

  void append(std::string_view text) { out_.insert(out_.end(), text.begin(), text.end()); }

  void spelled(const Field& field, const Record& values, bool (*allowed)(std::string_view),
               std::string_view otherwise) {
    const auto* const value = value_of<base::Bytes>(field, values);
    if (value == nullptr) return;
    if (!allowed(base::as_text(*value))) return fail(field.name, std::string(otherwise));
    append(base::as_text(*value));
  }

  void word(const Field& field, const Record& values) {
    const auto* const value = value_of<base::Bytes>(field, values);
    if (value == nullptr) return;
    if (!text::is_word(base::as_text(*value), field.until)) {
      return fail(field.name, value->empty()       ? "is empty"
                              : field.until == ' ' ? std::string("holds a space")
                                                   : fmt::format("holds a '{}'", field.until));
    }
    append(base::as_text(*value));
  }

  void decimal_count(const Field& field, const Record& values) {
    const Value* const value = measured(field, values);
    const auto* const records =
        value == nullptr ? nullptr : std::get_if<std::vector<Record>>(value);
    if (records == nullptr) return;
    if (records->size() < field.least || records->size() > field.most) {
      return fail(field.name,
                  fmt::format("{} is not {} to {}", records->size(), field.least, field.most));
    }
    append(std::to_string(records->size()));
  }

  void real(const Field& field, double value) {
    if (!std::isfinite(value)) return fail(field.name, "is not finite");
    char digits[text::most_real_bytes];
    append({digits, text::write_real(digits, value)});
  }

  /// What reads back as another state than it was is refused.
  void state(const Field& field, const Record& values) {
    const auto* const value = value_of<base::Bytes>(field, values);
    if (value == nullptr) return;
    if (value->empty()) return fail(field.name, "is empty");
    const bool holds_end =
        field.until != '\0' && base::as_text(*value).find(field.until) != std::string_view::npos;
    if (holds_end && !field.until_last)
      return fail(field.name, fmt::format("holds a '{}', which would end it", field.until));
    append(base::as_text(*value));
  }

  void fields(std::span<const Field> list, const Record& values) {
    for (const Field& field : list) {
      if (!error_ && layout_.present(field)) one(field, values);
    }
  }

  void refuse_unknown(const Record& values, std::span<const Field> first,
                      std::span<const Field> second) {
    for (const auto& [name, value] : values.fields()) {
      const Field* field = layout_.find(first, FieldName::unchecked(name));
      if (field == nullptr) field = layout_.find(second, FieldName::unchecked(name));
      if (field == nullptr)
        fail(name, fmt::format("is no field of {}", layout_.name()));
      else if (derived(*field))
        fail(name, "follows from the other values and cannot be given");
    }
  }

  const Layout& layout_;
  base::Bytes out_;
  std::optional<EncodeError> error_;
};

}  // namespace

boost::system::result<base::Bytes, EncodeError> encode(const Layout& layout, const Record& values) {
  return Encoder(layout).run(values);
}

}  // namespace hallmark::protocol
