#pragma once
#include <string>
#include <string_view>

namespace hallmark::base {

/// A pattern as fnmatch(3) reads it without flags, and Redis nearly so: `*` is any number of
/// characters, `/` and a leading point among them, `?` one, `[ab-d]` one of these, `[^ab]` one of
/// the others; a backslash takes what follows literally. A character is a byte.
class Glob {
 public:
  explicit Glob(std::string pattern);

  /// True if all of `text` matches. A byte 0 in it is a character like others. Not for several
  /// threads at a time: keeps the memory in which fnmatch gets its terminator.
  bool matches(std::string_view text);

  /// The text with which every match begins.
  std::string_view literal_prefix() const;

 private:
  std::string pattern_;
  std::string text_;
  char zero_;  ///< stands for a byte 0 in `text_`
};

/// The same as Glob(pattern).matches(text).
bool glob_matches(std::string_view pattern, std::string_view text);

}  // namespace hallmark::base
