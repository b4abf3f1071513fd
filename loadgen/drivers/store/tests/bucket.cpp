#include "loadgen/drivers/store/tests/bucket.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdio>

namespace hallmark::loadgen::store {

base::Result<Decision> Bucket::decide(std::optional<std::string_view> state,
                                      std::int64_t now_ns) const {
  double tokens = burst_;
  long long last = now_ns;
  if (state && std::sscanf(std::string(*state).c_str(), "%lf %lld", &tokens, &last) != 2) {
    return base::Error{"offset 0: expected tokens and a time"};
  }
  const auto elapsed = static_cast<double>(now_ns - last) / 1e9;
  tokens = std::min(burst_, tokens + elapsed * per_second_);
  if (tokens < 1) return Decision{};
  return Decision{true, fmt::format("{} {}", tokens - 1, now_ns), std::chrono::seconds(100)};
}

stores::Result<std::vector<stores::Outcome>> Careless::compare_and_set(
    std::span<const stores::Change> changes) {
  for (auto change : changes) {
    while (true) {
      const auto outcome = real_->stores::Connection::compare_and_set(change);
      if (!outcome) return outcome.error();
      if (*outcome == stores::Outcome::done) break;
      change.expected = real_->stores::Connection::get(change.key)->value;
    }
  }
  return std::vector(changes.size(), stores::Outcome::done);
}

}  // namespace hallmark::loadgen::store
