#pragma once

#include <optional>
#include <string_view>

namespace hallmark::protocol {
namespace name_detail {

// Lists are such as "the fields are: key, quota, ttl" or "the readings are:
// fragments=from-1|from-0, whoami=index|id": a heading and names in the order of the alphabet,
// perhaps with their answers.

/// The place of the first name.
constexpr std::size_t first_in(const char* all) {
  std::size_t at = 0;
  while (all[at] != ':') ++at;
  return at + 2;
}

/// The place of the separator behind the entry that has a character at `at`.
constexpr std::size_t end_of_entry(const char* all, std::size_t at) {
  while (all[at] != ',' && all[at] != '\0') ++at;
  return at;
}

/// True if that character of a list ends a name.
constexpr bool ends_name(char c) { return c == ',' || c == '=' || c == '\0'; }

/// The place of a name, 0 where the list does not have it. Halves the list, as compilers are slow.
constexpr std::size_t place_of(const char* all, const char* name) {
  const std::size_t size = __builtin_strlen(name);
  std::size_t low = first_in(all);
  std::size_t high = __builtin_strlen(all);
  while (low < high) {
    std::size_t at = low + (high - low) / 2;
    while (at > low && !(all[at - 1] == ' ' && all[at - 2] == ',')) --at;
    const int order = __builtin_strncmp(all + at, name, size);
    if (order == 0 && ends_name(all[at + size])) return at;
    if (order < 0) {
      low = end_of_entry(all, at) + 2;
    } else {
      high = at;
    }
  }
  return 0;
}

/// True if `answer` is one of the answers from place `at` on and before `end`.
constexpr bool has_answer(const char* all, std::size_t at, std::size_t end, const char* answer) {
  const std::size_t size = __builtin_strlen(answer);
  for (; at + size < end; ++at) {
    if (all[at] != '=' && all[at] != '|') continue;
    const char behind = all[at + 1 + size];
    if (__builtin_strncmp(all + at + 1, answer, size) == 0 && (behind == '|' || ends_name(behind)))
      return true;
  }
  return false;
}

/// Not constexpr on purpose: reaching it is the error.
inline void there_is_no_such_name(const char* /*name*/, const char* /*there_is*/) {}

/// Takes the list of a vocabulary. Compilers show how it was called: with the list.
template <class Vocabulary>
struct RequireListed {
  const char* name;

  constexpr void operator()(const char* there_is) const {
    if (!Vocabulary::lists(there_is, name)) there_is_no_such_name(name, there_is);
  }
};

}  // namespace name_detail

/// A name out of a vocabulary (protocol/names.hpp). A string literal converts to it when the
/// vocabulary has that name, and does not compile otherwise.
template <class Vocabulary>
class Name : public std::string_view {
 public:
  /// Empty: nothing is called so.
  constexpr Name() = default;

  // NOLINTNEXTLINE(google-explicit-constructor): a string literal is the name.
  consteval Name(const char* literal) : std::string_view(literal) {
    Vocabulary::pass_to(name_detail::RequireListed<Vocabulary>{literal});
  }

  /// A name as a dialect table spells it, or a file or a person who is answered with an error where
  /// a message does not have it. Refers to its characters.
  static constexpr Name unchecked(std::string_view name) { return Name(name, Unchecked{}); }

  /// The empty name.
  static constexpr Name none() { return {}; }

  /// A name that is not known before run time; nothing where the vocabulary does not have it.
  static std::optional<Name> find(std::string_view name) {
    std::optional<Name> found;
    for_each([&](Name each) {
      if (std::string_view(each) == name) found = each;
    });
    return found;
  }

  /// True if the vocabulary has the name, which ends with a zero.
  static constexpr bool exists(const char* name) {
    return Vocabulary::pass_to([name](const char* all) { return Vocabulary::lists(all, name); });
  }

  /// Calls `visit` with every name of the vocabulary, in the order of the alphabet.
  template <class Visit>
  static void for_each(Visit visit) {
    const char* const all = Vocabulary::pass_to([](const char* names) { return names; });
    std::string_view rest(all + name_detail::first_in(all));
    while (!rest.empty()) {
      const std::string_view next = rest.substr(0, rest.find(", "));
      visit(unchecked(next.substr(0, next.find('='))));
      rest.remove_prefix(next.size());
      if (!rest.empty()) rest.remove_prefix(2);
    }
  }

  /// Asked by every lookup: what tells most names apart comes before a call. Addresses are not
  /// compared: where they were, Clang 19 took two literals for one in an `if constexpr` of a
  /// template.
  friend constexpr bool operator==(Name a, Name b) {
    if (a.size() != b.size()) return false;
    return a.empty() || (a.front() == b.front() && std::string_view(a) == std::string_view(b));
  }

 private:
  struct Unchecked {};

  constexpr Name(std::string_view name, Unchecked /*unchecked*/) : std::string_view(name) {}
};

}  // namespace hallmark::protocol
