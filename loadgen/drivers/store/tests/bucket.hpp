#pragma once
#include "loadgen/drivers/store/options.hpp"

namespace hallmark::loadgen::store {

/// A token bucket whose state is `tokens time`, for tests.
class Bucket final : public Limiter {
 public:
  Bucket(double burst, double per_second) : burst_(burst), per_second_(per_second) {}

  base::Result<Decision> decide(std::optional<std::string_view> state,
                                std::int64_t now_ns) const override;

  std::vector<oracle::Bound> bounds() const {
    return {{"bucket", oracle::RateBound{burst_, per_second_}}};
  }

 private:
  double burst_;
  double per_second_;
};

/// Denies nothing.
class Generous final : public Limiter {
 public:
  base::Result<Decision> decide(std::optional<std::string_view>,
                                std::int64_t now_ns) const override {
    return Decision{true, std::to_string(now_ns), std::chrono::seconds(100)};
  }
};

/// A connection to a real store that takes every conflict for a success, and writes all the same.
class Careless final : public stores::Connection {
 public:
  explicit Careless(std::unique_ptr<stores::Connection> real) : real_(std::move(real)) {}

  stores::Result<std::vector<stores::Held>> get(std::span<const std::string> keys,
                                                WithExpiry expiry) override {
    return real_->get(keys, expiry);
  }
  stores::Result<std::vector<stores::Outcome>> compare_and_set(
      std::span<const stores::Change> changes) override;
  stores::Result<std::vector<stores::Outcome>> compare_and_delete(
      std::span<const stores::Removal> removals) override {
    return real_->compare_and_delete(removals);
  }
  stores::Result<std::uint64_t> erase(std::span<const std::string> keys) override {
    return real_->erase(keys);
  }

 private:
  static constexpr int most_attempts = 10'000;

  stores::Result<void> write(stores::Change change);

  std::unique_ptr<stores::Connection> real_;
};

}  // namespace hallmark::loadgen::store
