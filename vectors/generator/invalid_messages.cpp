#include "vectors/generator/invalid_messages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "protocol/by_kind.hpp"
#include "protocol/codec/encode.hpp"
#include "protocol/codec/refusal.hpp"
#include "protocol/little_endian.hpp"
#include "protocol/mutate.hpp"
#include "vectors/generator/sample_record.hpp"

namespace hallmark::vectors::generator {
namespace {

using base::Bytes;
using base::Error;
using base::Result;
using protocol::Dialect;
using protocol::Field;
using protocol::FieldValue;
using protocol::Layout;
using protocol::Record;
using protocol::Value;
using protocol::Width;

/// Returns the fault of a mutation, by the first word of its id.
Illegal kind_of(const protocol::Mutation& mutation) {
  if (mutation.id.starts_with("cut")) return Illegal::truncated;
  if (mutation.id.starts_with("size")) return Illegal::size;
  if (mutation.id.starts_with("unlisted")) return Illegal::unlisted;
  return Illegal::constant;
}

/// Collects what the codec refuses of one message.
class Collector {
 public:
  Collector(const Layout& layout, InvalidMessage& message) : layout_(layout), message_(message) {}

  void add_bytes() {
    for (const auto& mutation : protocol::mutations(layout_, message_.valid))
      offer(mutation.id, kind_of(mutation), mutation.bytes);
    Bytes longer = message_.valid;
    longer.push_back(0);
    offer("surplus", Illegal::surplus, std::move(longer));
    add_failure_with_more();
    add_spellings();
  }

  void add_values() {
    add_values_of(layout_.message().fields);
    add_values_of(layout_.message().on_success);
  }

 private:
  /// Takes the bytes, unless they are legal, too, or an earlier record had the same done to it.
  void offer(std::string id, Illegal kind, Bytes bytes) {
    const auto why = protocol::refusal(layout_, bytes);
    if (!why || !ids_.insert(id).second) return;
    message_.invalid.push_back({std::move(id), kind, why->field, std::move(bytes), {}});
  }

  void offer_value(const Field& field, Illegal kind, Value value) {
    Record values = message_.fields;
    values.set(field.name, value);
    const auto bytes = protocol::encode(layout_, values);
    if (bytes) return;
    InvalidVector vector{fmt::format("beyond:{}", field.name), kind, bytes.error().field, {}, {}};
    vector.change.set(field.name, std::move(value));
    if (ids_.insert(vector.id).second) message_.invalid.push_back(std::move(vector));
  }

  /// A failure is its status and nothing else.
  void add_failure_with_more() {
    const Field* const status = layout_.status();
    if (status == nullptr || layout_.message().on_success.empty()) return;
    Bytes bytes = message_.valid;
    bytes[layout_.offset_of(*status)] = protocol::kinds::Status::failure;
    offer("failure-with-more", Illegal::surplus, std::move(bytes));
  }

  void add_spellings() {
    protocol::Decoder decoder(layout_);
    decoder.resume(message_.valid);
    for (const FieldValue& value : decoder.fields()) add_spellings_of(value);
  }

  void add_spellings_of(const FieldValue& value) {
    using namespace protocol::kinds;
    const Field& field = *value.field;
    if (field.is<Decimal, DecimalCount, SignedDecimal, Real>()) {
      respell("letter", value, Illegal::number, "x");
      respell("empty", value, Illegal::number, "");
      respell("zero-before", value, Illegal::number, "0" + text_of(value));
      respell("beyond", value, Illegal::beyond_width, too_large(field));
    } else if (field.is<Word, State>()) {
      respell("empty", value, Illegal::constant, "");
    } else if (field.is<Literal>()) {
      respell("other", value, Illegal::constant, std::string(value.length, '~'));
    }
  }

  static std::string too_large(const Field& field) {
    using namespace protocol::kinds;
    if (field.is<Real>()) return "1e999";
    if (field.is<SignedDecimal>()) return "9223372036854775808";
    const auto* const decimal = field.as<Decimal>();
    const std::size_t digits = decimal == nullptr ? 0 : decimal->decimals;
    return "18446744073709551616" + (digits == 0 ? "" : "." + std::string(digits, '0'));
  }

  std::string text_of(const FieldValue& value) const {
    const base::ByteView valid = message_.valid;
    return std::string(base::as_text(valid.subspan(value.offset, value.length)));
  }

  /// Puts another text in the place of a field.
  void respell(std::string_view how, const FieldValue& value, Illegal kind,
               const std::string& text) {
    const auto begin = message_.valid.begin() + value.offset;
    Bytes bytes(message_.valid.begin(), begin);
    base::append(bytes, base::as_bytes(text));
    bytes.insert(bytes.end(), begin + value.length, message_.valid.end());
    offer(fmt::format("{}:{}", how, value.field->name), kind, std::move(bytes));
  }

  void add_values_of(std::span<const Field> fields) {
    for (const Field& field : fields) {
      if (layout_.present(field)) add_value_of(field, fields);
    }
  }

  /// The least value that a field cannot hold, where values can be that large and that long.
  void add_value_of(const Field& field, std::span<const Field> fields) {
    using namespace protocol::kinds;
    constexpr std::size_t longest_measured = 2;
    const std::size_t width = layout_.width_of(field);
    if (field.is<Integer>() && width < sizeof(std::uint64_t)) {
      offer_value(field, Illegal::beyond_width, protocol::max_of_width(width) + 1);
    } else if (field.is<Opaque, Text>()) {
      offer_value(field, Illegal::beyond_width, Bytes(width + 1, 'o'));
    } else if (field.is<Size>() && width <= longest_measured) {
      const Field* const measured = layout_.find(fields, field.measured());
      if (measured == nullptr) return;
      offer_value(*measured, Illegal::beyond_width, Bytes(protocol::max_of_width(width) + 1, 'k'));
    }
  }

  const Layout& layout_;
  InvalidMessage& message_;
  std::set<std::string> ids_;
};

/// All messages of one dialect and width.
class InvalidMessages {
 public:
  InvalidMessages(const Dialect& dialect, Width width)
      : readings_(dialect, protocol::Profile::deployed), width_(width) {
    file_.dialect = dialect.name;
    file_.width = width;
  }

  Result<InvalidFile> run() {
    const Dialect& dialect = readings_.dialect();
    for (const auto& operation : dialect.operations) {
      add(MessageKind::request, operation.name, Layout::request(operation, width_, readings_));
      add(MessageKind::reply, operation.name, Layout::reply(operation, width_, readings_));
    }
    for (const auto& push : dialect.pushes)
      add(MessageKind::push, push.name, Layout::push(push, width_, readings_));
    for (const auto& format : dialect.formats)
      add(MessageKind::format, format.name, Layout::format(format, readings_));
    if (!error_.empty()) return Error{error_};
    return std::move(file_);
  }

 private:
  void add(MessageKind kind, std::string_view name, const Layout& layout) {
    if (!layout.sent()) return;
    InvalidMessage message;
    message.message = name;
    message.kind = kind;
    const Record sample = sample_record(layout);
    const auto bytes = protocol::encode(layout, sample);
    if (!bytes) {
      error_ = fmt::format("{} {} of {}: {} {}", name, name_of(kind), file_.dialect,
                           bytes.error().field, bytes.error().reason);
      return;
    }
    message.valid = *bytes;
    if (kind != MessageKind::format) message.fields = sample;
    Collector collector(layout, message);
    if (kind != MessageKind::request) collector.add_bytes();
    if (kind != MessageKind::format) collector.add_values();
    const auto has_change = [](const InvalidVector& one) { return !one.change.fields().empty(); };
    if (std::ranges::none_of(message.invalid, has_change)) message.fields = {};
    if (!message.invalid.empty()) file_.messages.push_back(std::move(message));
  }

  protocol::Readings readings_;
  Width width_;
  InvalidFile file_;
  std::string error_;
};

}  // namespace

Result<std::vector<InvalidFile>> invalid_files(const Dialect& dialect) {
  std::vector<InvalidFile> files;
  for (const Width width : dialect.widths) {
    auto file = InvalidMessages(dialect, width).run();
    if (file.has_error()) return file.error();
    files.push_back(std::move(*file));
    const auto same = [](const InvalidMessage& a, const InvalidMessage& b) {
      return a.message == b.message && a.kind == b.kind;
    };
    if (!std::ranges::equal(files.front().messages, files.back().messages, same))
      return Error{fmt::format("{}: its widths have different messages", dialect.name)};
  }
  return files;
}

}  // namespace hallmark::vectors::generator
