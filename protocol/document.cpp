#include "protocol/document.hpp"

#include <fmt/format.h>

#include "protocol/by_kind.hpp"

namespace hallmark::protocol {
namespace {

std::string width_text(std::uint8_t width) {
  return width == kinds::value_width ? "N" : fmt::format("{}", width);
}

std::string width_text(const Field& field) {
  using namespace kinds;
  return by_kind(field.kind,
                 Overloaded{
                     [](const Number auto& kind) { return width_text(kind.width); },
                     [](const FixedBytes auto& kind) { return width_text(kind.width); },
                     [](const kinds::Bytes&) { return std::string("by its size"); },
                     [](const Group&) { return std::string("by its count"); },
                     [](const Literal& kind) { return fmt::format("{}", kind.spelling.size()); },
                     [](const Textual auto&) { return std::string("as long as it is"); },
                 });
}

std::string code_text(const Choice& choice, bool of_text) {
  return of_text ? std::string(1, static_cast<char>(choice.code))
                 : fmt::format("{:02x}", choice.code);
}

/// A bar would end the column of a table.
std::string in_column(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    if (c == '|') safe += '\\';
    safe += c;
  }
  return safe;
}

std::string bounds(const kinds::DecimalCount& count) {
  const bool any = count.most == std::numeric_limits<std::uint64_t>::max();
  return any ? "" : fmt::format(", {} to {}", count.least, count.most);
}

std::string listed(std::span<const Choice> choices, bool of_text) {
  std::string text;
  for (const Choice& choice : choices) {
    text +=
        fmt::format("{}`{}` {}", text.empty() ? "" : ", ", code_text(choice, of_text), choice.name);
  }
  return text;
}

std::string meaning(const kinds::Decimal& decimal) {
  return fmt::format("{}{}{}", decimal.unit, decimal.unit.empty() ? "" : ", ",
                     decimal.decimals == 0
                         ? "decimal"
                         : fmt::format("decimal, {} digit behind a point", decimal.decimals));
}

std::string meaning(const kinds::Word& word) {
  return word.until == ' ' ? "no spaces"
                           : fmt::format("not empty, without `{}`", in_column({&word.until, 1}));
}

std::string meaning(const kinds::State& state) {
  if (state.until == kinds::State::no_end) return "a state, up to the end";
  return fmt::format("a state, up to the {} `{}`", state.until_last ? "last" : "first",
                     state.until);
}

std::string meaning(const Field& field, std::uint8_t opcode, bool of_text) {
  using namespace kinds;
  return by_kind(
      field.kind,
      Overloaded{
          [&](const Opcode&) { return fmt::format("`{:02x}`", opcode); },
          [&](const among<Status, ChoiceOf> auto& kind) { return listed(kind.choices, of_text); },
          [](const Integer& kind) { return std::string(kind.unit); },
          [](const Size& kind) { return fmt::format("size of `{}`", kind.of); },
          [](const Count& kind) { return fmt::format("number of `{}`", kind.of); },
          [](const kinds::Bytes&) { return std::string(); },
          [](const Opaque&) { return std::string("opaque"); },
          [](const Text&) { return std::string("text, padded with zeros"); },
          [](const Group&) { return std::string("records, each:"); },
          [](const Literal& kind) { return fmt::format("`\"{}\"`", in_column(kind.spelling)); },
          [](const Tag&) { return std::string("decimal digits and a space, or nothing"); },
          [](const DecimalCount& kind) {
            return fmt::format("number of `{}`, decimal{}", kind.of, bounds(kind));
          },
          [](const Line&) { return std::string("everything up to the end; no newline"); },
          [](const SignedDecimal& kind) {
            return fmt::format("{}, decimal, may be below 0", kind.unit);
          },
          [](const Real& kind) { return fmt::format("{}, float64", kind.unit); },
          [](const among<Decimal, Word, State> auto& kind) { return meaning(kind); },
      });
}

std::string condition(const When& when) {
  return when.reading.empty() ? "" : fmt::format("{} = {}", when.reading, when.answer);
}

class Page {
 public:
  explicit Page(const Dialect& dialect) : dialect_(dialect) {}

  std::string write() {
    heading();
    for (const Operation& operation : dialect_.operations) {
      add("\n## {}{}\n", operation.name,
          is_text() ? "" : fmt::format(" `{:02x}`", operation.opcode));
      message("Request", operation.request, operation.opcode);
      message("Reply", operation.reply, operation.opcode);
    }
    for (const Format& format : dialect_.formats) {
      add("\n## {}\n\nVersion {} of {}, {}.\n", format.name, format.version, format.strategy,
          format.current ? "as it is written today" : "no longer written");
      message("State", format.message, 0);
    }
    for (const Push& push : dialect_.pushes) {
      add("\n## {} `{:02x}`, sent by the server\n", push.name, push.opcode);
      message("Message", push.message, push.opcode);
    }
    readings();
    clauses();
    return std::move(text_);
  }

 private:
  template <class... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
  }

  bool is_text() const { return dialect_.transport != Transport::stream; }

  void heading() {
    if (is_text()) {
      add("# {}\n\n{}. Text; {}.\n"
          "This page is written from the table that Hallmark runs on.\n",
          dialect_.name, dialect_.document,
          dialect_.transport == Transport::datagram ? "each message is one datagram"
                                                    : "each state is one string");
      return;
    }
    add("# {}\n\n{}. Numbers are little-endian; N is the value width of the server: ",
        dialect_.name, dialect_.document);
    for (const Width& width : dialect_.widths) {
      add("{}{} ({})", &width == &dialect_.widths.front() ? "" : ", ", name_of(width),
          bytes_of(width));
    }
    add(" bytes.\nThis page is written from the table that Hallmark runs on.\n");
  }

  void message(std::string_view title, const Message& message, std::uint8_t opcode) {
    add("\n{}{}:\n\n| field | bytes | meaning | only where |\n|---|---|---|---|\n", title,
        message.when.reading.empty() ? ""
                                     : fmt::format(" (only where {})", condition(message.when)));
    fields(message.fields, opcode, "", "");
    fields(message.on_success, opcode, "", "on success");
  }

  void fields(std::span<const Field> list, std::uint8_t opcode, const std::string& indent,
              std::string_view unless) {
    for (const Field& field : list) {
      const std::string when = condition(field.when);
      add("| {}`{}` | {} | {} | {} |\n", indent, in_column(field.name), width_text(field),
          meaning(field, opcode, is_text()), when.empty() ? std::string(unless) : when);
      const auto* const group = field.as<kinds::Group>();
      if (group == nullptr) continue;
      fields(group->head, opcode, indent + "· ", "");
      fields(group->tail, opcode, indent + "· ", "behind all records of the group");
    }
  }

  void readings() {
    add("\n## Readings\n\nWhere the document leaves a choice. Bold is what released servers ({}) "
        "give, "
        "*italic* what the text favours.\n\n"
        "| id | question | answers | clause |\n|---|---|---|---|\n",
        dialect_.servers);
    for (const Reading& reading : dialect_.readings) {
      add("| {} | {} | ", reading.id, in_column(reading.question));
      for (const Answer& answer : reading.answers) {
        const std::string_view mark = answer.id == reading.released   ? "**"
                                      : answer.id == reading.favoured ? "*"
                                                                      : "";
        add("{}{}{}{}: {}", &answer == reading.answers.data() ? "" : " · ", mark, answer.id, mark,
            in_column(answer.meaning));
      }
      add(" | {} |\n", reading.clause);
    }
  }

  void clauses() {
    add("\n## Clauses\n\n| id | level | section | |\n|---|---|---|---|\n");
    for (const Clause& clause : dialect_.clauses) {
      add("| {} | {} | {} | {} |\n", clause.id, name_of(clause.level), clause.section,
          in_column(clause.text));
    }
  }

  const Dialect& dialect_;
  std::string text_;
};

}  // namespace

std::string document(const Dialect& dialect) { return Page(dialect).write(); }

}  // namespace hallmark::protocol
