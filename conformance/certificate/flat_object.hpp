#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/json.hpp"

namespace hallmark::certificate {

/// A JSON object of strings and whole numbers from 0 only, as a line of a transcript is. Lines with
/// more members or with other values are refused.
class FlatObject {
 public:
  static constexpr std::size_t most_members = 8;

  /// Errors: one line that says what is wrong.
  static base::Result<FlatObject> parse(std::string_view line);

  /// The first key that was not taken: of a whole line, what kind it is. Precondition: not empty.
  const std::string& kind() const;
  /// Takes the value out. Nothing: there is none, or one of the other kind.
  std::optional<std::uint64_t> take_number(std::string_view key);
  std::optional<std::string> take_text(std::string_view key);
  /// True if everything was taken.
  bool empty() const { return left_ == 0; }

 private:
  std::optional<base::Json> take(std::string_view key, bool (base::Json::*is_kind)() const);

  base::Json::Members members_;
  std::size_t left_ = 0;  ///< that were not taken
};

}  // namespace hallmark::certificate
