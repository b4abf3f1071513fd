#include "reports/certify/code.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "base/text.hpp"

namespace hallmark::reports {
namespace {

using Kind = Code::Kind;

constexpr std::array<std::pair<Kind, std::string_view>, 19> kinds = {{
    {Kind::crash, "crash"},
    {Kind::hang, "hang"},
    {Kind::silent, "silent"},
    {Kind::closed, "closed"},
    {Kind::unread, "unread"},
    {Kind::refused_connection, "refused-connection"},
    {Kind::surplus, "surplus"},
    {Kind::malformed, "malformed"},
    {Kind::wrong_field, "wrong-field"},
    {Kind::wrong_order, "wrong-order"},
    {Kind::wrong_recipient, "wrong-recipient"},
    {Kind::desynchronised, "desynchronised"},
    {Kind::leak, "leak"},
    {Kind::busy, "busy"},
    {Kind::late, "late"},
    {Kind::broken_promise, "broken-promise"},
    {Kind::undecided, "undecided"},
    {Kind::unexpected_pass, "unexpected-pass"},
    {Kind::harness, "harness"},
}};

/// Stands for a message that is not known where something follows it.
constexpr std::string_view no_message = "-";
/// A quotation mark behind a blank begins the promise.
constexpr std::string_view promise_begins = " '";
/// Separates further codes.
constexpr std::string_view further_begins = " + ";
constexpr std::string_view promise_ends_before_further = "' + ";

/// The text as one word, so that blanks separate the parts of a code.
std::string word(std::string_view text) {
  std::string safe = base::printable(text);
  std::ranges::replace(safe, ' ', '-');
  std::erase(safe, '\'');
  return safe;
}

/// A message has no dot: behind the first one stands the field.
std::string subject_of(const Code& code) {
  std::string subject = word(code.message);
  std::ranges::replace(subject, '.', '-');
  const bool something_follows = !code.field.empty() || !code.input.empty();
  if (subject.empty() && something_follows) subject = no_message;
  if (!code.field.empty()) subject += '.' + word(code.field);
  return subject;
}

/// Takes the text up to the next blank, and the blank.
std::string_view take_word(std::string_view& text) {
  const std::size_t end = std::min(text.find(' '), text.size());
  const std::string_view taken = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return taken;
}

void read_subject(std::string_view subject, Code& code) {
  const std::size_t dot = std::min(subject.find('.'), subject.size());
  const std::string_view message = subject.substr(0, dot);
  if (message != no_message) code.message = message;
  if (dot < subject.size()) code.field = subject.substr(dot + 1);
}

std::string text_of_one(const Code& code) {
  std::string text(name_of(code.kind));
  if (const std::string subject = subject_of(code); !subject.empty()) text += ' ' + subject;
  if (!code.input.empty()) text += ' ' + word(code.input);
  if (!code.promise.empty()) text += " '" + base::printable(code.promise) + '\'';
  return text;
}

std::optional<Code> parse_one(std::string_view text) {
  const std::string_view whole = text;
  Code code;
  if (const std::size_t at = text.find(promise_begins);
      at != std::string_view::npos && text.ends_with('\'')) {
    const std::string_view quoted = text.substr(at + promise_begins.size());
    code.promise = quoted.substr(0, quoted.size() - std::min<std::size_t>(quoted.size(), 1));
    text = text.substr(0, at);
  }
  const std::string_view kind = take_word(text);
  const auto known = std::ranges::find(kinds, kind, &std::pair<Kind, std::string_view>::second);
  if (known == kinds.end()) return std::nullopt;
  code.kind = known->first;
  read_subject(take_word(text), code);
  code.input = take_word(text);
  // A text with something left over, or spelled otherwise than `text_of_one` writes it, is not a
  // code.
  return text_of_one(code) == whole ? std::optional(std::move(code)) : std::nullopt;
}

/// The end of the first code: in front of a further one that stands behind its promise, if it has
/// one.
std::size_t end_of_first(std::string_view text) {
  const std::size_t next = text.find(further_begins);
  const std::size_t promise = text.find(promise_begins);
  if (promise >= next) return next;
  const std::size_t behind = text.find(promise_ends_before_further, promise + 2);
  return behind == text.npos ? text.npos : behind + 1;
}

}  // namespace

std::string_view name_of(Kind kind) {
  return std::ranges::find(kinds, kind, &std::pair<Kind, std::string_view>::first)->second;
}

std::string text_of(const Code& code) {
  std::string text = text_of_one(code);
  for (const Code& one : code.further) text.append(further_begins).append(text_of_one(one));
  return text;
}

std::optional<Code> parse_code(std::string_view text) {
  const std::size_t end = std::min(end_of_first(text), text.size());
  auto code = parse_one(text.substr(0, end));
  if (!code || end == text.size()) return code;
  auto further = parse_code(text.substr(end + further_begins.size()));
  if (!further) return std::nullopt;
  std::vector<Code> rest = std::move(further->further);
  further->further.clear();
  code->further.push_back(std::move(*further));
  code->further.insert(code->further.end(), rest.begin(), rest.end());
  return code;
}

}  // namespace hallmark::reports
