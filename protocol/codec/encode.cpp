#include "protocol/codec/encode.hpp"

#include <fmt/format.h>

#include <bit>
#include <cmath>

#include "protocol/by_kind.hpp"
#include "protocol/little_endian.hpp"
#include "protocol/text/text.hpp"

namespace hallmark::protocol {
namespace {

using Records = std::vector<Record>;

/// Encodes one message. The first error stops it: once that is set, the rest of the walk does
/// nothing.
class Encoder {
 public:
  explicit Encoder(const Layout& layout) : layout_(layout) {}

  base::Expected<base::Bytes, EncodeError> run(const Record& values) {
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
    return layout_.status() == nullptr || values.number_or("status", 0) != 0;
  }

  void fail(std::string_view field, std::string reason) {
    if (!error_) error_ = EncodeError{std::string(field), std::move(reason)};
  }

  void number(const Field& field, std::uint8_t wire_width, std::uint64_t value) {
    const std::size_t width = kinds::width_in(wire_width, layout_.width());
    if (value > max_of_width(width)) {
      return fail(field.name, fmt::format("{} does not fit {} byte(s)", value, width));
    }
    out_.resize(out_.size() + width);
    store_little_endian(out_.data() + out_.size() - width, value, width);
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

  /// The value that a size or a count measures, which may stand in the list that follows; null
  /// where there is none or one of another type.
  template <class T>
  const T* measured(FieldName name, const Record& values) {
    const Value* const value = values.find(name);
    if (value == nullptr) fail(name, "has no value");
    return value == nullptr ? nullptr : std::get_if<T>(value);
  }

  void write(const Field& field, const kinds::Opcode& kind, const Record& /*values*/) {
    number(field, kind.width, layout_.opcode());
  }

  template <class K>
  requires among<K, kinds::Status, kinds::Integer, kinds::ChoiceOf>
  void write(const Field& field, const K& kind, const Record& values) {
    if (const auto* value = value_of<std::uint64_t>(field, values))
      number(field, kind.width, *value);
  }

  void write(const Field& field, const kinds::Size& kind, const Record& values) {
    if (const auto* bytes = measured<base::Bytes>(kind.of, values))
      number(field, kind.width, bytes->size());
  }

  void write(const Field& field, const kinds::Count& kind, const Record& values) {
    if (const auto* records = measured<Records>(kind.of, values))
      number(field, kind.width, records->size());
  }

  void write(const Field& field, const kinds::Bytes& /*kind*/, const Record& values) {
    if (const auto* value = value_of<base::Bytes>(field, values))
      out_.insert(out_.end(), value->begin(), value->end());
  }

  void write(const Field& field, const kinds::Opaque& kind, const Record& values) {
    const auto* const value = value_of<base::Bytes>(field, values);
    if (value == nullptr) return;
    if (value->size() != kind.width) return no_fill(field, *value, kind.width);
    out_.insert(out_.end(), value->begin(), value->end());
  }

  void write(const Field& field, const kinds::Text& kind, const Record& values) {
    const auto* const value = value_of<base::Bytes>(field, values);
    if (value == nullptr) return;
    if (value->size() > kind.width) return no_fill(field, *value, kind.width);
    out_.insert(out_.end(), value->begin(), value->end());
    out_.resize(out_.size() + kind.width - value->size());
  }

  void no_fill(const Field& field, const base::Bytes& value, std::size_t width) {
    fail(field.name, fmt::format("{} bytes do not fill {}", value.size(), width));
  }

  void write(const Field& field, const kinds::Group& kind, const Record& values) {
    const auto* const records = value_of<Records>(field, values);
    if (records == nullptr) return;
    for (const Record& record : *records) {
      fields(kind.head, record);
      refuse_unknown(record, kind.head, kind.tail);
    }
    for (const Record& record : *records) fields(kind.tail, record);
  }

  void write(const Field& /*field*/, const kinds::Literal& kind, const Record& /*values*/) {
    append(kind.spelling);
  }

  void write(const Field& field, const kinds::Tag& /*kind*/, const Record& values) {
    if (values.find(field.name) == nullptr) return;
    spelled(field, values, text::is_tag, "is no row of decimal digits");
    append(" ");
  }

  void write(const Field& field, const kinds::Decimal& kind, const Record& values) {
    if (const auto* value = value_of<std::uint64_t>(field, values)) {
      char digits[text::most_decimal_bytes];
      append({digits, text::write_decimal(digits, *value, kind.decimals)});
    }
  }

  void write(const Field& field, const kinds::DecimalCount& kind, const Record& values) {
    const auto* const records = measured<Records>(kind.of, values);
    if (records == nullptr) return;
    if (records->size() < kind.least || records->size() > kind.most) {
      return fail(field.name,
                  fmt::format("{} is not {} to {}", records->size(), kind.least, kind.most));
    }
    append(std::to_string(records->size()));
  }

  void write(const Field& field, const kinds::Word& kind, const Record& values) {
    const auto* const value = value_of<base::Bytes>(field, values);
    if (value == nullptr) return;
    if (!text::is_word(base::as_text(*value), kind.until)) {
      return fail(field.name, value->empty()      ? "is empty"
                              : kind.until == ' ' ? std::string("holds a space")
                                                  : fmt::format("holds a '{}'", kind.until));
    }
    append(base::as_text(*value));
  }

  void write(const Field& field, const kinds::Line& /*kind*/, const Record& values) {
    spelled(field, values, text::is_line, "holds a newline");
  }

  void write(const Field& field, const kinds::SignedDecimal& /*kind*/, const Record& values) {
    if (const auto* value = value_of<std::uint64_t>(field, values)) {
      char digits[text::most_signed_bytes];
      append({digits, text::write_signed(digits, static_cast<std::int64_t>(*value))});
    }
  }

  void write(const Field& field, const kinds::Real& /*kind*/, const Record& values) {
    const auto* const value = value_of<std::uint64_t>(field, values);
    if (value == nullptr) return;
    const auto number = std::bit_cast<double>(*value);
    if (!std::isfinite(number)) return fail(field.name, "is not finite");
    char digits[text::most_real_bytes];
    append({digits, text::write_real(digits, number)});
  }

  /// Refuses a state that would read back as another one.
  void write(const Field& field, const kinds::State& kind, const Record& values) {
    const auto* const value = value_of<base::Bytes>(field, values);
    if (value == nullptr) return;
    if (value->empty()) return fail(field.name, "is empty");
    const bool holds_end = kind.until != kinds::State::no_end &&
                           base::as_text(*value).find(kind.until) != std::string_view::npos;
    if (holds_end && !kind.until_last)
      return fail(field.name, fmt::format("holds a '{}', which would end it", kind.until));
    append(base::as_text(*value));
  }

  void append(std::string_view text) { out_.insert(out_.end(), text.begin(), text.end()); }

  void spelled(const Field& field, const Record& values, bool (*allowed)(std::string_view),
               std::string_view otherwise) {
    const auto* const value = value_of<base::Bytes>(field, values);
    if (value == nullptr) return;
    if (!allowed(base::as_text(*value))) return fail(field.name, std::string(otherwise));
    append(base::as_text(*value));
  }

  void fields(std::span<const Field> list, const Record& values) {
    for (const Field& field : list) {
      if (error_ || !layout_.present(field)) continue;
      by_kind(field.kind, [&](const auto& kind) { write(field, kind, values); });
    }
  }

  void refuse_unknown(const Record& values, std::span<const Field> first,
                      std::span<const Field> second) {
    for (const auto& [name, value] : values.fields()) {
      const Field* field = layout_.find(first, FieldName::unchecked(name));
      if (field == nullptr) field = layout_.find(second, FieldName::unchecked(name));
      if (field == nullptr)
        fail(name, fmt::format("is no field of {}", layout_.name()));
      else if (field->derived())
        fail(name, "follows from the other values and cannot be given");
    }
  }

  const Layout& layout_;
  base::Bytes out_;
  std::optional<EncodeError> error_;
};

}  // namespace

base::Expected<base::Bytes, EncodeError> encode(const Layout& layout, const Record& values) {
  return Encoder(layout).run(values);
}

}  // namespace hallmark::protocol
