#pragma once
#include <string>
#include <string_view>

namespace hallmark::stores {

/// A glob as Redis reads it, for stores that have none.
class Glob {
 public:
  explicit Glob(std::string pattern) : pattern_(std::move(pattern)) {}

  bool matches(std::string_view key);
  /// What every key that matches begins with.
  std::string_view literal_prefix() const;

 private:
  std::string pattern_;
  std::string key_;  ///< fnmatch wants a terminator
};

}  // namespace hallmark::stores
