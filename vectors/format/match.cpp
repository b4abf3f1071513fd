#include "vectors/format/match.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/hex.hpp"
#include "protocol/annotate.hpp"
#include "protocol/text/text.hpp"

namespace hallmark::vectors {
namespace {

using protocol::FieldValue;
using protocol::MessageView;

std::string text_of(const Value& value) {
  if (const auto* number = std::get_if<std::uint64_t>(&value)) return fmt::format("{}", *number);
  if (const auto* bytes = std::get_if<Bytes>(&value)) return protocol::printable(*bytes);
  return fmt::format("{} records", std::get<std::vector<Record>>(value).size());
}

/// A number as its field writes it: of a decimal with its digits behind the point.
std::string text_of(const protocol::Field& field, std::uint64_t number) {
  const auto* const decimal = field.as<protocol::kinds::Decimal>();
  if (decimal == nullptr) return fmt::format("{}", number);
  char digits[protocol::text::most_decimal_bytes];
  return {digits, protocol::text::write_decimal(digits, number, decimal->decimals)};
}

std::string text_of(const protocol::Field& field, const Value& value) {
  const auto* const number = std::get_if<std::uint64_t>(&value);
  return number == nullptr ? text_of(value) : text_of(field, *number);
}

base::ByteView without_padding(const protocol::Field& field, base::ByteView bytes) {
  if (!field.is<protocol::kinds::Text>()) return bytes;
  while (!bytes.empty() && bytes.back() == 0) bytes = bytes.first(bytes.size() - 1);
  return bytes;
}

/// The value of a decoded field; of a number field the number, of any other its bytes.
Value value_in(const MessageView& message, const FieldValue& field) {
  if (field.field->numeric()) return field.number;
  const base::ByteView bytes = without_padding(*field.field, message.bytes_of(field));
  return Bytes(bytes.begin(), bytes.end());
}

bool holds(const MessageView& message, const FieldValue& field, const Value& value) {
  if (const auto* const number = std::get_if<std::uint64_t>(&value))
    return field.field->numeric() && field.number == *number;
  const auto* const bytes = std::get_if<Bytes>(&value);
  return bytes != nullptr && !field.field->numeric() &&
         std::ranges::equal(without_padding(*field.field, message.bytes_of(field)), *bytes);
}

/// Bytes as the digits that stand for them; a number stays as it is.
Value hex_of(const Value& value) {
  const auto* const bytes = std::get_if<Bytes>(&value);
  return bytes == nullptr ? value : Value(base::to_bytes(base::to_hex(*bytes)));
}

/// Compares the fields of one record or message.
class FieldMatcher {
 public:
  FieldMatcher(const MessageView& message, const Context& context)
      : message_(message), context_(context) {}

  bool agrees(const FieldPattern& pattern, const FieldValue& field) const {
    const bool numeric = field.field->numeric();
    switch (pattern.match) {
      case Match::equals: return holds(message_, field, pattern.value);
      case Match::range:
        return numeric && field.number >= pattern.min && field.number <= pattern.max;
      case Match::one_of:
        return numeric && std::ranges::find(pattern.choices, field.number) != pattern.choices.end();
      case Match::remaining: {
        const auto bounds = bounds_of(pattern);
        return numeric && bounds && field.number >= bounds->least && field.number <= bounds->most;
      }
      case Match::captured:
      case Match::captured_hex: {
        const auto value = captured(pattern);
        return value && holds(message_, field, *value);
      }
      case Match::any:
      case Match::capture:
      case Match::set_of: break;
    }
    return true;
  }

  /// Returns, in words, the value that a field should have had.
  std::string expected(const FieldPattern& pattern, const protocol::Field& field) const {
    switch (pattern.match) {
      case Match::equals: return text_of(field, pattern.value);
      case Match::range:
        return fmt::format("{} to {}", text_of(field, pattern.min), text_of(field, pattern.max));
      case Match::one_of: return fmt::format("one of {}", fmt::join(pattern.choices, ", "));
      case Match::remaining: {
        const auto bounds = bounds_of(pattern);
        return bounds ? fmt::format("{} to {}, what is left of {}", bounds->least, bounds->most,
                                    pattern.lifetime.full)
                      : "gone: its time was over";
      }
      case Match::captured:
      case Match::captured_hex: {
        const auto value = captured(pattern);
        return value ? text_of(*value)
                     : fmt::format("the value of {}, which no step captured", pattern.capture);
      }
      case Match::any:
      case Match::capture:
      case Match::set_of: break;
    }
    return "";
  }

 private:
  std::optional<Remaining> bounds_of(const FieldPattern& pattern) const {
    return remaining_of(pattern.lifetime, context_.elapsed_since(pattern.lifetime.since));
  }

  /// Returns the captured value, or nothing if no step captured it.
  std::optional<Value> captured(const FieldPattern& pattern) const {
    const auto found = context_.captures->find(pattern.capture);
    if (found == context_.captures->end()) return std::nullopt;
    return pattern.match == Match::captured_hex ? hex_of(found->second) : found->second;
  }

  const MessageView& message_;
  const Context& context_;
};

class MessageMatcher {
 public:
  MessageMatcher(const Expected& expected, const MessageView& message, const Context& context)
      : expected_(expected), message_(message), fields_(message, context) {}

  std::vector<Mismatch> run() {
    for (const FieldPattern& pattern : expected_.fields) {
      pattern.match == Match::set_of ? compare_set(pattern) : compare_field(pattern);
    }
    refuse_surplus();
    return std::move(mismatches_);
  }

 private:
  void compare_field(const FieldPattern& pattern) {
    const FieldValue* const field = message_.find(protocol::FieldName::unchecked(pattern.field));
    if (field == nullptr) {
      // A failure status takes the fields behind it away: the status mismatch says so already.
      if (mismatches_.empty())
        add({pattern.field, message_.bytes().size(), 0, "a value", "nothing"});
      return;
    }
    if (fields_.agrees(pattern, *field)) return;
    add({pattern.field, field->offset, field->length, fields_.expected(pattern, *field->field),
         text_of(*field->field, value_in(message_, *field))});
  }

  bool entry_matches(const EntryPattern& pattern, const MessageView::Entry& entry) const {
    return std::ranges::all_of(pattern.fields, [&](const FieldPattern& field) {
      const FieldValue* const value = entry.find(protocol::FieldName::unchecked(field.field));
      return value != nullptr && fields_.agrees(field, *value);
    });
  }

  void compare_set(const FieldPattern& pattern) {
    std::vector<std::size_t> found(pattern.entries.size(), 0);
    std::size_t others = 0;
    message_.for_each(protocol::FieldName::unchecked(pattern.field),
                      [&](const MessageView::Entry& entry) {
                        bool known = false;
                        for (std::size_t i = 0; i < pattern.entries.size(); ++i) {
                          if (!entry_matches(pattern.entries[i], entry)) continue;
                          ++found[i];
                          known = true;
                        }
                        if (!known) ++others;
                      });
    report_set(pattern, found, others);
  }

  void report_set(const FieldPattern& pattern, const std::vector<std::size_t>& found,
                  std::size_t others) {
    const std::size_t offset = pattern.offset < message_.bytes().size() ? pattern.offset : 0;
    const std::size_t length = message_.bytes().size() - offset;
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (found[i] == 1) continue;
      add({pattern.field, offset, length, fmt::format("once {}", text_of_entry(pattern.entries[i])),
           fmt::format("{} times", found[i])});
    }
    if (pattern.exactly && others != 0) {
      add({pattern.field, offset, length, fmt::format("{} records and no others", found.size()),
           fmt::format("{} others", others)});
    }
  }

  static std::string text_of_entry(const EntryPattern& entry) {
    std::string text = "{";
    for (const FieldPattern& field : entry.fields) {
      if (field.match != Match::equals) continue;
      text +=
          fmt::format("{}{}: {}", text.size() > 1 ? ", " : "", field.field, text_of(field.value));
    }
    return text + "}";
  }

  /// A reply that carries fields nobody expected, e.g. a success where a failure was due.
  void refuse_surplus() {
    for (const FieldValue& value : message_.fields()) {
      if (value.field->is<protocol::kinds::Group>()) break;
      if (value.field->derived() || value.absent()) continue;
      const bool named = std::ranges::any_of(
          expected_.fields, [&](const FieldPattern& p) { return p.field == value.field->name; });
      if (!named && mismatches_.empty()) {
        add({std::string(value.field->name), value.offset, value.length, "nothing",
             text_of(value_in(message_, value))});
      }
    }
  }

  void add(Mismatch mismatch) { mismatches_.push_back(std::move(mismatch)); }

  const Expected& expected_;
  const MessageView& message_;
  FieldMatcher fields_;
  std::vector<Mismatch> mismatches_;
};

void remember_captures(const Expected& expected, const MessageView& message, Context& context) {
  for (const FieldPattern& pattern : expected.fields) {
    const FieldValue* const field =
        pattern.match == Match::capture
            ? message.find(protocol::FieldName::unchecked(pattern.field))
            : nullptr;
    if (field != nullptr) (*context.captures)[pattern.capture] = value_in(message, *field);
  }
}

__extension__ typedef unsigned __int128 Wide;

}  // namespace

std::vector<Mismatch> match(const Expected& expected, const MessageView& message,
                            Context& context) {
  std::vector<Mismatch> mismatches = MessageMatcher(expected, message, context).run();
  if (expected.only_after &&
      !may_be_over(*expected.only_after, context.elapsed_since(expected.only_after->since))) {
    mismatches.push_back(
        {"", 0, message.bytes().size(), "a record whose time is not over", "as if it were gone"});
  }
  if (mismatches.empty() && context.captures != nullptr)
    remember_captures(expected, message, context);
  return mismatches;
}

std::optional<Remaining> remaining_of(const Lifetime& lifetime, const Elapsed& elapsed) {
  // A unit that is shorter than a second counts once it has passed as a whole: how a part of one is
  // rounded shows by chance only.
  constexpr std::uint64_t second = 1'000'000'000;
  const Wide full = Wide{lifetime.full} * lifetime.unit_ns;
  if (full <= elapsed.least) return std::nullopt;
  std::uint64_t passed = elapsed.least;
  if (lifetime.unit_ns < second) passed -= passed % lifetime.unit_ns;
  const Wide most = (full - passed) / lifetime.unit_ns;
  const Wide least = full > elapsed.most ? (full - elapsed.most) / lifetime.unit_ns : 0;
  return Remaining{static_cast<std::uint64_t>(least), static_cast<std::uint64_t>(most)};
}

bool may_be_over(const Lifetime& lifetime, const Elapsed& elapsed) {
  return Wide{lifetime.full} * lifetime.unit_ns <= elapsed.most;
}

std::optional<protocol::Layout> layout_of(const Expected& expected, protocol::Width width,
                                          const protocol::Readings& readings) {
  const protocol::Dialect& dialect = readings.dialect();
  if (!expected.push) {
    const auto* const operation = protocol::find_operation_called(dialect, expected.message);
    if (operation == nullptr) return std::nullopt;
    return protocol::Layout::reply(*operation, width, readings);
  }
  for (const protocol::Push& push : dialect.pushes) {
    if (push.name == expected.message) return protocol::Layout::push(push, width, readings);
  }
  return std::nullopt;
}

}  // namespace hallmark::vectors
