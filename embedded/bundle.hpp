#pragma once
#include <cstddef>
#include <mutex>
#include <span>
#include <string>
#include <string_view>

namespace hallmark::embedded {

/// A file within the text of its bundle.
struct Entry {
  std::string_view path;
  std::size_t offset;
  std::size_t size;
};

/// Files that are packed together (cmake/HallmarkEmbed.cmake). Threads may share it.
class Bundle {
 public:
  /// `packed`: a Zstandard frame of `size` bytes; it and the entries have to outlive the bundle.
  Bundle(std::string_view name, std::span<const unsigned char> packed, std::size_t size,
         std::span<const Entry> entries)
      : name_(name), packed_(packed), size_(size), entries_(entries) {}

  std::span<const Entry> entries() const { return entries_; }
  /// The text of one of the entries. The first call decompresses the bundle, which keeps its text.
  /// Throws std::logic_error if the program was built with a damaged frame.
  std::string_view text_of(const Entry& entry);

 private:
  void decompress();

  std::string_view name_;
  std::span<const unsigned char> packed_;
  std::size_t size_;
  std::span<const Entry> entries_;
  std::once_flag once_;
  std::string text_;
};

/// All bundles of the program.
std::span<Bundle* const> bundles();

}  // namespace hallmark::embedded
