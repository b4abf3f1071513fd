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
  for (const auto& change : changes) {
    if (auto written = write(change); !written) return written.error();
  }
  return std::vector(changes.size(), stores::Outcome::done);
}

/// Writes whatever is there. An entry may be gone meanwhile: entries expire by the clock of the
/// store, and that may be set.
stores::Result<void> Careless::write(stores::Change change) {
  for (int attempt = 0; attempt < most_attempts; ++attempt) {
    const auto outcome = real_->stores::Connection::compare_and_set(change);
    if (!outcome) return outcome.error();
    if (*outcome == stores::Outcome::done) return {};
    auto held = real_->stores::Connection::get(change.key);
    if (!held) return held.error();
    change.expected.reset();
    if (held->presence == stores::Presence::text) change.expected = std::move(held->value);
  }
  return stores::Error{stores::ErrorKind::failed,
                       fmt::format("others were faster {} times", most_attempts)};
}

}  // namespace hallmark::loadgen::store
