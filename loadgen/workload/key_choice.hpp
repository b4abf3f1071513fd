#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "loadgen/arrivals/random_stream.hpp"

namespace hallmark::loadgen {

/// The distribution by which requests choose their keys, over key numbers.
struct KeyChoice {
  enum class Kind : std::uint8_t {
    uniform,     ///< each as often
    zipf,        ///< the one of rank k as often as 1 / k^exponent
    hotspot,     ///< a share of the keys gets a share of the requests; uniform within both
    sequential,  ///< one after the other, over and over again
  };
  Kind kind = Kind::uniform;
  double exponent = 0;      ///< of zipf, above 0 and at most 10
  double hot_keys = 0;      ///< of hotspot: share of the keys, above 0 and below 1 …
  double hot_requests = 0;  ///< … and of the requests that they get, in [0, 1]

  /// Reads `uniform`, `sequential`, `zipf:0.99`, `hotspot:1%=90%`. Errors: one line.
  static base::Result<KeyChoice> parse(std::string_view text);

  /// The choice in the form that `parse` reads.
  std::string text() const;
};

/// Keys that a file names.
struct NamedKeys {
  std::vector<std::string> names;    ///< each once, in the order of the file
  std::vector<std::uint32_t> lines;  ///< of each line, which of them
};

/// Reads a key a line; empty lines and those that start with # are skipped. Errors: one line.
base::Result<NamedKeys> read_named_keys(const std::string& path);

/// Keys of which each is as often chosen: small enough to be kept in registers.
class UniformKeys {
 public:
  /// `keys` is at least 1.
  UniformKeys(base::CounterRandom random, std::uint32_t keys) : random_(random), keys_(keys) {}

  /// A key number in [0, keys).
  std::uint32_t pick(std::uint64_t index) const noexcept {
    return static_cast<std::uint32_t>(random_.below_at(index, keys_));
  }

 private:
  base::CounterRandom random_;
  std::uint32_t keys_;
};

/// The key of each request: a function of seed, choice, number of keys and request index.
class KeyPicker {
 public:
  /// `keys` is at least 1. `listed`: the lines of a file instead of the choice; may be null.
  KeyPicker(const KeyChoice& choice, std::uint32_t keys, std::uint64_t seed,
            std::shared_ptr<const NamedKeys> listed = {});

  /// A key number in [0, keys).
  std::uint32_t pick(std::uint64_t index) const noexcept {
    if (is_uniform_) [[likely]]
      return uniform_.pick(index);
    return pick_otherwise(index);
  }
  /// Picks the same keys where each is as often chosen; null where not.
  const UniformKeys* uniform() const noexcept { return is_uniform_ ? &uniform_ : nullptr; }

 private:
  std::uint32_t pick_otherwise(std::uint64_t index) const noexcept;
  std::uint32_t zipf(std::uint64_t index) const noexcept;
  std::uint32_t hotspot(std::uint64_t index) const noexcept;
  /// The area below 1 / x^exponent, up to a constant, and its inverse.
  double area(double x) const noexcept;
  double place(double area) const noexcept;

  bool is_uniform_;
  std::uint32_t keys_;
  base::CounterRandom random_;
  UniformKeys uniform_;
  KeyChoice::Kind kind_;
  std::shared_ptr<const NamedKeys> listed_;
  double exponent_ = 0;
  double low_ = 0, high_ = 0;  ///< areas between which a point is drawn
  double shortcut_ = 0;        ///< a point so close below its rank needs no second look
  std::uint32_t hot_keys_ = 0;
  double hot_requests_ = 0;
};

}  // namespace hallmark::loadgen
