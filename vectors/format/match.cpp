#include "vectors/format/match.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "reference/protocol/annotate.hpp"

namespace hallmark::vectors {
namespace {

using protocol::FieldValue;
using protocol::Kind;
using protocol::MessageView;

std::string text_of(const Value& value) {
  if (const auto* number = std::get_if<std::uint64_t>(&value)) return fmt::format("{}", *number);
  if (const auto* bytes = std::get_if<Bytes>(&value)) return protocol::printable(*bytes);
  return fmt::format("{} records", std::get<std::vector<Record>>(value).size());
}

protocol::ByteView without_padding(const protocol::Field& field, protocol::ByteView bytes) {
  if (field.kind != Kind::text) return bytes;
  while (!bytes.empty() && bytes.back() == 0) bytes = bytes.first(bytes.size() - 1);
  return bytes;
}

/// The value of a decoded field; of a number field the number, of any other its bytes.
Value value_in(const MessageView& message, const FieldValue& field) {
  if (field.field->numeric()) return field.number;
  const protocol::ByteView bytes = without_padding(*field.field, message.bytes_of(field));
  return Bytes(bytes.begin(), bytes.end());
}

/// Compares the fields of one record or message. `Source` finds a field by its name.
class FieldMatcher {
 public:
  FieldMatcher(const MessageView& message, const Context& context)
      : message_(message), context_(context) {}

  /// What was expected, when the field is not that; nothing when it is.
  std::optional<std::string> disagreement(const FieldPattern& pattern,
                                          const FieldValue& field) const {
    const Value received = value_in(message_, field);
    const auto* const number = std::get_if<std::uint64_t>(&received);
    switch (pattern.match) {
      case Match::equals:
        return received == pattern.value ? std::nullopt : std::optional(text_of(pattern.value));
      case Match::range:
        if (number != nullptr && *number >= pattern.min && *number <= pattern.max)
          return std::nullopt;
        return fmt::format("{} to {}", pattern.min, pattern.max);
      case Match::one_of:
        if (number != nullptr &&
            std::ranges::find(pattern.choices, *number) != pattern.choices.end())
          return std::nullopt;
        return fmt::format("one of {}", fmt::join(pattern.choices, ", "));
      case Match::remaining: return remaining(pattern, number);
      case Match::captured: return captured(pattern, received);
      case Match::any:
      case Match::capture:
      case Match::set_of: return std::nullopt;
    }
    return std::nullopt;
  }

 private:
  std::optional<std::string> remaining(const FieldPattern& pattern,
                                       const std::uint64_t* number) const {
    const auto bounds =
        remaining_of(pattern.lifetime, context_.elapsed_since(pattern.lifetime.since));
    if (!bounds) return std::string("gone: its time was over");
    if (number != nullptr && *number >= bounds->least && *number <= bounds->most)
      return std::nullopt;
    return fmt::format("{} to {}, what is left of {}", bounds->least, bounds->most,
                       pattern.lifetime.full);
  }

  std::optional<std::string> captured(const FieldPattern& pattern, const Value& received) const {
    const auto found = context_.captures->find(pattern.capture);
    if (found == context_.captures->end())
      return fmt::format("the value of {}, which no step captured", pattern.capture);
    return found->second == received ? std::nullopt : std::optional(text_of(found->second));
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
    const FieldValue* const field = message_.find(pattern.field);
    if (field == nullptr) {
      // A failure status takes the fields behind it away: the status mismatch says so already.
      if (mismatches_.empty())
        add({pattern.field, message_.bytes().size(), 0, "a value", "nothing"});
      return;
    }
    if (const auto expected = fields_.disagreement(pattern, *field)) {
      add({pattern.field, field->offset, field->length, *expected,
           text_of(value_in(message_, *field))});
    }
  }

  bool entry_matches(const EntryPattern& pattern, const MessageView::Entry& entry) const {
    return std::ranges::all_of(pattern.fields, [&](const FieldPattern& field) {
      const FieldValue* const value = entry.find(field.field);
      return value != nullptr && !fields_.disagreement(field, *value);
    });
  }

  void compare_set(const FieldPattern& pattern) {
    std::vector<std::size_t> found(pattern.entries.size(), 0);
    std::size_t others = 0;
    message_.for_each(pattern.field, [&](const MessageView::Entry& entry) {
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
      const bool derived = value.field->kind == Kind::opcode || value.field->kind == Kind::size ||
                           value.field->kind == Kind::count;
      if (value.field->kind == Kind::group) break;
      if (derived) continue;
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
        pattern.match == Match::capture ? message.find(pattern.field) : nullptr;
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
  const Wide full = Wide{lifetime.full} * lifetime.unit_ns;
  if (full <= elapsed.least) return std::nullopt;
  const Wide most = (full - elapsed.least) / lifetime.unit_ns;
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
    const auto* const operation =
        protocol::find_operation(dialect, std::string_view(expected.message));
    if (operation == nullptr) return std::nullopt;
    return protocol::Layout::reply(*operation, width, readings);
  }
  for (const protocol::Push& push : dialect.pushes) {
    if (push.name == expected.message) return protocol::Layout::push(push, width, readings);
  }
  return std::nullopt;
}

}  // namespace hallmark::vectors
