#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace hallmark::audit {

/// Remembers keys by a hash of 64 bits, in 8 to 16 bytes each. That two different keys have the
/// same hash: about 3 in 100 million for a million of them.
class KeySet {
 public:
  /// `most`: so many keys are remembered; later ones pass as new ones, each time.
  explicit KeySet(std::size_t most) : most_(most) {}

  /// Room for about so many, so that it need not grow.
  void expect(std::uint64_t count);

  /// False: it was there.
  bool insert(std::string_view key);

  std::size_t size() const { return size_; }
  /// Some were not remembered.
  bool overflowed() const { return overflowed_; }

 private:
  void grow(std::size_t slots);
  bool place(std::uint64_t hash);

  std::size_t most_;
  std::size_t size_ = 0;
  bool overflowed_ = false;
  std::vector<std::uint64_t> slots_;  ///< 0: free; a power of two
};

}  // namespace hallmark::audit
