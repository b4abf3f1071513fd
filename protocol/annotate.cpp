#include "protocol/annotate.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>

#include "base/hex.hpp"
#include "base/text.hpp"
#include "protocol/by_kind.hpp"

namespace hallmark::protocol {
namespace {

base::ByteView unpadded(base::ByteView text) {
  while (!text.empty() && text.back() == 0) text = text.first(text.size() - 1);
  return text;
}

std::string hex_cut(base::ByteView bytes, std::size_t max_bytes) {
  if (bytes.size() <= max_bytes) return base::to_hex(bytes);
  const std::size_t half = max_bytes / 2;
  return fmt::format("{}…{}", base::to_hex(bytes.first(half)), base::to_hex(bytes.last(half)));
}

/// Every time of 64 bits has a date: from 1677 to 2262.
std::string date_of(std::int64_t nanoseconds) {
  constexpr std::int64_t second = 1'000'000'000;
  std::int64_t whole = nanoseconds / second;
  std::int64_t fraction = nanoseconds % second;
  if (fraction < 0) {
    fraction += second;
    --whole;
  }
  return fmt::format("{:%Y-%m-%d %H:%M:%S}.{:09} UTC", fmt::gmtime(whole), fraction);
}

/// Walks table and values together, so that every value gets its path.
class Annotator {
 public:
  Annotator(const Decoder& decoder, base::ByteView message, std::size_t max_records)
      : layout_(decoder.layout()),
        values_(decoder.fields()),
        message_(message),
        max_records_(max_records) {}

  std::vector<Annotation> run() {
    list(layout_.message().fields, "");
    list(layout_.message().on_success, "");
    return std::move(annotations_);
  }

 private:
  bool done() const { return next_ == values_.size(); }

  void list(std::span<const Field> fields, const std::string& prefix) {
    for (const Field& field : fields) {
      if (done()) return;
      if (layout_.present(field)) one(field, prefix);
    }
  }

  void one(const Field& field, const std::string& prefix) {
    const FieldValue& value = values_[next_++];
    if (value.absent()) return;
    const std::string path = prefix + std::string(field.name);
    if (const auto* const group = field.as<kinds::Group>()) {
      records(group->head, path, value.number);
      return records(group->tail, path, value.number);
    }
    // The space that ends a tag belongs to it.
    const std::size_t end = field.is<kinds::Tag>() ? 1 : 0;
    annotations_.push_back({path, value.offset, value.length + end, meaning(value)});
  }

  void records(std::span<const Field> fields, const std::string& path, std::uint64_t number) {
    if (fields.empty()) return;
    const std::uint64_t shown = std::min<std::uint64_t>(number, max_records_);
    for (std::uint64_t i = 0; i < shown && !done(); ++i) {
      list(fields, fmt::format("{}[{}].", path, i));
    }
    if (shown == number || done()) return;
    const std::size_t begin = values_[next_].offset;
    std::size_t end = begin;
    for (std::uint64_t i = shown; i < number && !done(); ++i) pass(fields, end);
    annotations_.push_back({fmt::format("{}[{}..{}]", path, shown, number - 1), begin, end - begin,
                            number - shown == 1
                                ? "1 record left out"
                                : fmt::format("{} records left out", number - shown)});
  }

  /// Goes past the values of a record; `end` becomes the offset behind them.
  void pass(std::span<const Field> fields, std::size_t& end) {
    for (const Field& field : fields) {
      if (done()) return;
      if (!layout_.present(field)) continue;
      const FieldValue& value = values_[next_++];
      const auto* const group = field.as<kinds::Group>();
      if (group == nullptr) {
        end = std::size_t{value.offset} + value.length;
        continue;
      }
      for (std::uint64_t i = 0; i < value.number && !done(); ++i) pass(group->head, end);
      for (std::uint64_t i = 0; i < value.number && !done(); ++i) pass(group->tail, end);
    }
  }

  std::string meaning(const FieldValue& value) const {
    const base::ByteView bytes = message_.subspan(value.offset, value.length);
    const std::uint64_t number = value.number;
    using namespace kinds;
    return by_kind(
        value.field->kind,
        Overloaded{
            [&](const Opcode&) { return std::string(layout_.name()); },
            [&](const among<Status, ChoiceOf> auto& kind) { return chosen(kind.choices, number); },
            [&](const Integer& kind) { return with_unit(fmt::to_string(number), kind.unit); },
            [&](const Size& kind) { return fmt::format("{} = size of {}", number, kind.of); },
            [&](const among<Count, DecimalCount> auto& kind) {
              return fmt::format("{} = number of {}", number, kind.of);
            },
            [&](const SignedDecimal& kind) {
              return kind.unit == unix_nanoseconds ? date_of(static_cast<std::int64_t>(number))
                                                   : with_unit(base::as_text(bytes), kind.unit);
            },
            [&](const among<Decimal, Real> auto& kind) {
              return with_unit(base::as_text(bytes), kind.unit);
            },
            [&](const Text&) { return printable(unpadded(bytes)); },
            [&](const among<kinds::Bytes, Opaque, Group, Literal, Tag, Word, Line, State> auto&) {
              return printable(bytes);
            },
        });
  }

  static std::string chosen(std::span<const Choice> choices, std::uint64_t code) {
    const Choice* const choice = find_choice(choices, code);
    return choice == nullptr ? fmt::format("{} is not listed", code) : std::string(choice->name);
  }

  static std::string with_unit(std::string_view digits, std::string_view unit) {
    return unit.empty() ? std::string(digits) : fmt::format("{} {}", digits, unit);
  }

  const Layout& layout_;
  std::span<const FieldValue> values_;
  base::ByteView message_;
  std::size_t max_records_;
  std::size_t next_ = 0;
  std::vector<Annotation> annotations_;
};

}  // namespace

std::string printable(base::ByteView bytes, std::size_t max_bytes) {
  if (!base::is_quotable(base::as_text(bytes))) return hex_cut(bytes, max_bytes);
  if (bytes.size() <= max_bytes) return fmt::format("\"{}\"", base::as_text(bytes));
  const std::size_t half = max_bytes / 2;
  return fmt::format("\"{}…{}\" ({} bytes)", base::as_text(bytes.first(half)),
                     base::as_text(bytes.last(half)), bytes.size());
}

std::vector<Annotation> annotate(const Decoder& decoder, base::ByteView message,
                                 std::size_t max_records) {
  std::vector<Annotation> annotations = Annotator(decoder, message, max_records).run();
  if (decoder.state() == Decoder::State::complete || decoder.size() > message.size())
    return annotations;
  const std::string why =
      decoder.state() == Decoder::State::malformed
          ? decoder.error().reason
          : fmt::format("ends here; at least {} bytes were expected", decoder.needed());
  annotations.push_back(
      {decoder.error().field, decoder.size(), message.size() - decoder.size(), why});
  return annotations;
}

std::string dump(const std::vector<Annotation>& annotations, base::ByteView message,
                 std::size_t max_bytes) {
  std::size_t hex_width = 0;
  std::size_t path_width = 0;
  for (const Annotation& a : annotations) {
    hex_width =
        std::max(hex_width, 2 * std::min(a.length, max_bytes) + (a.length > max_bytes ? 1 : 0));
    path_width = std::max(path_width, a.path.size());
  }
  std::string text;
  for (const Annotation& a : annotations) {
    const std::string hex = hex_cut(message.subspan(a.offset, a.length), max_bytes);
    text += fmt::format("{:>6}  {:<{}}  {:<{}}  {}\n", a.offset, hex, hex_width, a.path, path_width,
                        a.meaning);
  }
  return text;
}

}  // namespace hallmark::protocol
