// Matches arbitrary globs with arbitrary text. Every text that matches begins with what the glob
// says that it begins with; a glob without special characters matches itself and nothing else; a
// star in front and behind loses no match.
//
// The glob ends at the first zero, the rest is the text.
#include "base/glob.hpp"

#include "base/fuzz/requirement.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace hallmark;
  using fuzz::require;
  fuzz::Input input(data, size);
  const std::string pattern(input.until('\0'));
  const std::string_view text = input.text();
  base::Glob glob(pattern);
  const bool matches = glob.matches(text);
  require(matches == base::glob_matches(pattern, text), "both ways to match agree", pattern);
  if (matches) require(text.starts_with(glob.literal_prefix()), "a match has the prefix", pattern);
  if (pattern.find_first_of("*?[]\\") == std::string::npos) {
    require(matches == (text == pattern), "plain text matches itself", pattern);
    require(glob.literal_prefix() == pattern, "plain text is its own prefix", pattern);
    require(base::glob_matches("*" + pattern + "*", text) == (text.find(pattern) != text.npos),
            "stars match all around", pattern);
  }
  return 0;
}
