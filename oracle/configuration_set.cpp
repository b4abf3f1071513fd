#include "oracle/configuration_set.hpp"

#include <algorithm>

#include "base/random.hpp"

namespace hallmark::oracle {
namespace {

constexpr std::size_t first_places = 1024;

std::uint64_t hash_of(std::span<const std::uint64_t> numbers) {
  std::uint64_t hash = numbers.size();
  for (const std::uint64_t number : numbers) hash = base::mix64(hash ^ number);
  return hash;
}

}  // namespace

ConfigurationSet::Added ConfigurationSet::add(std::span<const std::uint64_t> numbers) {
  if (2 * (count_ + 1) > places_.size() && !grow()) return Added::no_room;
  const std::uint64_t hash = hash_of(numbers);
  Place& place = places_[place_of(numbers, hash)];
  if (place.start != 0) return Added::known;
  const std::size_t bytes =
      (kept_.size() + numbers.size() + 1) * sizeof(std::uint64_t) + places_.size() * sizeof(Place);
  if (bytes > most_bytes_) return Added::no_room;
  place = {hash, kept_.size() + 1};
  kept_.push_back(numbers.size());
  kept_.insert(kept_.end(), numbers.begin(), numbers.end());
  ++count_;
  return Added::fresh;
}

/// The place where it is, or the free place where it belongs. There always is a free one.
std::size_t ConfigurationSet::place_of(std::span<const std::uint64_t> numbers,
                                       std::uint64_t hash) const {
  const std::size_t mask = places_.size() - 1;
  std::size_t at = hash & mask;
  while (places_[at].start != 0 &&
         (places_[at].hash != hash || !equal(places_[at].start - 1, numbers)))
    at = (at + 1) & mask;
  return at;
}

bool ConfigurationSet::equal(std::size_t start, std::span<const std::uint64_t> numbers) const {
  return kept_[start] == numbers.size() &&
         std::equal(numbers.begin(), numbers.end(),
                    kept_.begin() + static_cast<std::ptrdiff_t>(start) + 1);
}

bool ConfigurationSet::grow() {
  const std::size_t wanted = std::max(first_places, 2 * places_.size());
  if (kept_.size() * sizeof(std::uint64_t) + wanted * sizeof(Place) > most_bytes_) return false;
  std::vector<Place> earlier(wanted);
  std::swap(earlier, places_);
  for (const Place& place : earlier) {
    if (place.start == 0) continue;
    std::size_t at = place.hash & (wanted - 1);
    while (places_[at].start != 0) at = (at + 1) & (wanted - 1);
    places_[at] = place;
  }
  return true;
}

}  // namespace hallmark::oracle
