#pragma once
#include <filesystem>
#include <string>

#include "audit/finding.hpp"
#include "base/output_file.hpp"

namespace hallmark::audit {

/// A finding as one line of JSON: kind, key, field, offset, length, reason, value, and
/// where in the whole value its excerpt begins. Bytes that are
/// no text stand as \xNN; where the key has some, `key_hex` has all of it.
std::string json_line(std::string_view key, std::string_view text, const Finding& finding);

/// All findings in a file, a line each; written whole or not at all.
class Listing {
 public:
  static base::Result<Listing> create(const std::filesystem::path& path);

  void add(std::string_view key, std::string_view text, const Finding& finding);
  /// Called once, and last. Error: the first that writing met with.
  base::Result<void> commit();

 private:
  explicit Listing(base::OutputFile file) : file_(std::move(file)) {}
  void flush();

  base::OutputFile file_;
  std::string buffer_;
  base::Result<void> state_{};
};

}  // namespace hallmark::audit
