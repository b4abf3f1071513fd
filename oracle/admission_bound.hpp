#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace hallmark::oracle {

/// Any window of t seconds admits at most burst + per_second * t. That is so of a token bucket (a
/// bucket holds at most `burst` tokens before the window, and gains per_second * t within it), of a
/// leaky bucket with its capacity as burst, and of GCRA with one admission an interval.
struct RateBound {
  double burst = 0;
  double per_second = 0;
};

/// A window begins with the first admission that no window holds, and lasts `window_ns`: it admits
/// at most `limit`.
struct WindowBound {
  std::int64_t limit = 0;
  std::int64_t window_ns = 1;
};

struct Bound {
  std::string name;  ///< for people: "token-bucket", "quota hourly"
  std::variant<RateBound, WindowBound> rule;
};

/// More was admitted than a bound allows.
struct Exceeded {
  std::size_t bound = 0;  ///< position among the bounds
  std::int64_t from_ns = 0;
  std::int64_t to_ns = 0;
  std::uint64_t admitted = 0;
  std::uint64_t allowed = 0;
};

/// Holds the admissions of one key to one bound, over all windows: constant time and memory.
class BoundWatch {
 public:
  /// An admission that was decided by `at_ns`; called in the order of time.
  std::optional<Exceeded> admitted(const Bound& bound, std::int64_t at_ns);

 private:
  std::optional<Exceeded> within(const RateBound& bound, std::int64_t at_ns);
  std::optional<Exceeded> within(const WindowBound& bound, std::int64_t at_ns);

  std::int64_t from_ns_ = 0;
  std::uint64_t count_ = 0;
};

/// Holds the admissions of many keys, known by their numbers, to all of the bounds.
class AdmissionBounds {
 public:
  AdmissionBounds(std::vector<Bound> bounds, std::size_t keys)
      : bounds_(std::move(bounds)), watches_(bounds_.size() * keys) {}

  /// The first bound that it exceeds, if any; then that bound begins anew. For each key, called in
  /// the order of time.
  std::optional<Exceeded> admitted(std::size_t key, std::int64_t at_ns);

  const std::vector<Bound>& bounds() const noexcept { return bounds_; }

 private:
  std::vector<Bound> bounds_;
  std::vector<BoundWatch> watches_;  ///< of key 0 all bounds, then of key 1, …
};

}  // namespace hallmark::oracle
