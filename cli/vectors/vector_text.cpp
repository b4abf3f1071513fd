#include "cli/vectors/vector_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <sstream>

#include "base/quantity.hpp"
#include "base/text.hpp"
#include "protocol/annotate.hpp"
#include "vectors/format/match.hpp"

namespace hallmark::cli {
namespace {

using reports::Colour;
using vectors::Expected;
using vectors::FieldPattern;
using vectors::Match;
using vectors::Send;
using vectors::Value;

constexpr std::size_t longest_list_of_keys = 4;

std::string indented(const std::string& text, std::size_t columns) {
  std::istringstream lines(text);
  std::string line, result;
  while (std::getline(lines, line)) result += std::string(columns, ' ') + line + "\n";
  return result;
}

std::string text_of(const Value& value) {
  if (const auto* number = std::get_if<std::uint64_t>(&value)) return fmt::format("{}", *number);
  if (const auto* bytes = std::get_if<vectors::Bytes>(&value)) return protocol::printable(*bytes);
  return base::counted(std::get<std::vector<vectors::Record>>(value).size(), "record", "records");
}

/// The text of the key in a PURGE.
std::string text_of(const vectors::Record& key) {
  std::string text;
  for (const auto& [name, value] : key.fields()) {
    text += fmt::format("{}{}", text.empty() ? "" : " and ", text_of(value));
  }
  return text;
}

std::string text_of(const vectors::Lifetime& lifetime) {
  return fmt::format("{} times {}, set in step {}", lifetime.full,
                     base::human_duration(std::chrono::nanoseconds(lifetime.unit_ns)),
                     lifetime.since + 1);
}

std::string text_of(const vectors::EntryPattern& entry);

std::string text_of(const FieldPattern& pattern) {
  switch (pattern.match) {
    case Match::equals: return text_of(pattern.value);
    case Match::any: return "any value";
    case Match::range: return fmt::format("{} to {}", pattern.min, pattern.max);
    case Match::one_of: return fmt::format("one of {}", fmt::join(pattern.choices, ", "));
    case Match::remaining: return "what is left of " + text_of(pattern.lifetime);
    case Match::capture: return fmt::format("any value, remembered as {}", pattern.capture);
    case Match::captured: return fmt::format("the value remembered as {}", pattern.capture);
    case Match::captured_hex:
      return fmt::format("the value remembered as {}, in hexadecimal digits", pattern.capture);
    case Match::set_of: break;
  }
  std::string text = pattern.exactly ? "in any order, and no others:" : "in any order:";
  if (pattern.entries.empty()) return pattern.exactly ? "no records" : "any records";
  for (const auto& entry : pattern.entries) text += "\n  " + text_of(entry);
  return text;
}

std::string text_of(const vectors::EntryPattern& entry) {
  std::string text;
  for (const auto& field : entry.fields) {
    if (field.match == Match::any) continue;
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", field.field, text_of(field));
  }
  return text.empty() ? "any record" : text;
}

/// Lists the fields that a server may choose: their value in the example is not the only right one.
std::string choices_of(const Expected& expected) {
  std::string text;
  for (const auto& pattern : expected.fields) {
    if (pattern.match == Match::equals) continue;
    text += fmt::format("{} (offset {}): {}\n", pattern.field, pattern.offset, text_of(pattern));
  }
  if (expected.only_after) {
    text += fmt::format("only once this can be over: {}\n", text_of(*expected.only_after));
  }
  return text;
}

class Description {
 public:
  Description(const vectors::Vector& vector, const vectors::VectorFile& file,
              const protocol::Dialect& dialect, const reports::TerminalStyle& style)
      : vector_(vector),
        file_(file),
        dialect_(dialect),
        style_(style),
        readings_(vectors::readings_of(file, vector)) {}

  std::string run() {
    head();
    for (std::size_t i = 0; i < vector_.steps.size(); ++i) step(i);
    return std::move(text_);
  }

 private:
  void head() {
    text_ += reports::paint(style_, Colour::bold, vector_.id) + "\n  " + vector_.title + "\n";
    text_ += fmt::format("  {}, {}\n", vector_.operation, protocol::name_of(vector_.level));
    for (const auto& id : vector_.clauses) {
      const auto* clause = protocol::find_clause(dialect_, id);
      text_ += fmt::format("  clause {}: {}\n", id, clause == nullptr ? "unknown" : clause->text);
    }
    for (const auto& flag : vector_.flags) {
      const auto meaning = file_.flags.find(flag);
      text_ += fmt::format("  {}: {}\n", flag,
                           meaning == file_.flags.end() ? "not explained" : meaning->second);
    }
    text_ += fmt::format("  right for every server{}\n", answers());
    for (const auto precondition : vector_.preconditions) {
      text_ += precondition == vectors::Precondition::empty
                   ? "  needs a server without keys and subscriptions\n"
                   : "  needs a server that nobody else uses meanwhile\n";
    }
    keys();
  }

  /// The answers on which the vector depends.
  std::string answers() const {
    std::vector<std::string> named;
    for (const auto& [reading, answer] : vector_.readings) {
      named.push_back(fmt::format("{}={}", reading, answer));
    }
    return named.empty() ? "" : fmt::format(" that gives {}", fmt::join(named, ", "));
  }

  void keys() {
    if (vector_.keys.empty()) return;
    std::vector<std::string> names;
    for (const auto& key : vector_.keys) names.push_back(text_of(key));
    const auto shown = std::min(names.size(), longest_list_of_keys);
    const auto rest = names.size() - shown;
    names.resize(shown);
    text_ += fmt::format("  purged before and after: {}{}\n", fmt::join(names, ", "),
                         rest == 0 ? "" : fmt::format(" and {} more", rest));
  }

  void step(std::size_t position) {
    const std::string& connection = vector_.steps[position].connection;
    const auto& action = vector_.steps[position].action;
    const auto title = [&](std::string_view what) {
      text_ += "\n" +
               reports::paint(style_, Colour::cyan,
                              fmt::format("{}. {} {}", position + 1, connection, what)) +
               "\n";
    };
    if (const auto* send = std::get_if<Send>(&action)) {
      title(fmt::format("sends {}, {}", send->operation,
                        base::counted(send->bytes.size(), "byte", "bytes")));
      request(*send);
    } else if (const auto* expect = std::get_if<vectors::Expect>(&action)) {
      title(expect->any_of.size() == 1 ? "receives" : "receives one of these");
      for (const auto& expected : expect->any_of) reply(expected);
    } else if (std::holds_alternative<vectors::Silence>(action)) {
      title("receives nothing in reply");
    } else if (const auto* pause = std::get_if<vectors::Pause>(&action)) {
      title(fmt::format("waits for {} ms", pause->milliseconds));
    } else {
      title("is closed by the client");
    }
  }

  void request(const Send& send) {
    if (const auto* operation = protocol::find_operation_called(dialect_, send.operation)) {
      dump(protocol::Layout::request(*operation, file_.width, readings_), send.bytes);
    }
    for (const auto& substitution : send.substitutions) {
      text_ += fmt::format("     {} (offset {}): the value remembered as {}\n", substitution.field,
                           substitution.offset, substitution.capture);
    }
  }

  void reply(const Expected& expected) {
    text_ += fmt::format("   {} {}, for example {}:\n", expected.message,
                         expected.push ? "on its own" : "reply",
                         base::counted(expected.example.size(), "byte", "bytes"));
    if (const auto layout = vectors::layout_of(expected, file_.width, readings_)) {
      dump(*layout, expected.example);
    }
    text_ += indented(choices_of(expected), 5);
  }

  void dump(const protocol::Layout& layout, const vectors::Bytes& bytes) {
    protocol::Decoder decoder(layout, {.refuse_unlisted = false});
    decoder.resume(bytes);
    text_ += indented(protocol::dump(protocol::annotate(decoder, bytes), bytes), 2);
  }

  const vectors::Vector& vector_;
  const vectors::VectorFile& file_;
  const protocol::Dialect& dialect_;
  const reports::TerminalStyle& style_;
  protocol::Readings readings_;
  std::string text_;
};

}  // namespace

std::string describe(const vectors::Vector& vector, const vectors::VectorFile& file,
                     const protocol::Dialect& dialect, const reports::TerminalStyle& style) {
  return Description(vector, file, dialect, style).run();
}

}  // namespace hallmark::cli
