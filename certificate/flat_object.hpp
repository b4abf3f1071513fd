#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "reports/error.hpp"

namespace hallmark::certificate {

/// A JSON object of texts and whole numbers from 0 only, as a line of a transcript is. What nests
/// or repeats a key is refused while it is read: no line takes more memory than its text.
class FlatObject {
 public:
  static constexpr std::size_t most_members = 8;

  /// Errors: one line that says what is wrong.
  static reports::Result<FlatObject> parse(std::string_view json);

  /// The first key; what kind of line it is.
  const std::string& kind() const { return members_.front().first; }
  bool has(std::string_view key) const;
  /// Takes the value out. Nothing: there is none, or one of the other kind.
  std::optional<std::uint64_t> take_number(std::string_view key);
  std::optional<std::string> take_text(std::string_view key);
  /// Whether all was taken.
  bool empty() const { return members_.empty(); }

 private:
  using Value = std::variant<std::uint64_t, std::string>;
  friend struct FlatReader;

  template <class T>
  std::optional<T> take(std::string_view key);

  std::vector<std::pair<std::string, Value>> members_;
};

}  // namespace hallmark::certificate
