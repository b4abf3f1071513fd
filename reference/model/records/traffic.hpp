#pragma once
#include <array>
#include <cstdint>

#include "reference/model/operation.hpp"
#include "reference/model/records/metrics.hpp"

namespace hallmark::model {

/// A total that moves at once and what the last full minute brought.
struct Rate {
  std::uint64_t total = 0;
  std::uint64_t per_minute = 0;

  friend bool operator==(const Rate&, const Rate&) = default;
};

/// Requests and bytes of all connections, as INFO shows them.
class Traffic {
 public:
  void count_request(Operation operation, std::uint64_t bytes, std::uint64_t minute) {
    requests_[index_of(operation)].add(1, minute);
    read_.add(bytes, minute);
  }
  void count_written(std::uint64_t bytes, std::uint64_t minute) { written_.add(bytes, minute); }

  Rate requests(Operation operation, std::uint64_t minute) const {
    return rate_of(requests_[index_of(operation)], minute);
  }
  Rate requests(std::uint64_t minute) const;
  Rate read_bytes(std::uint64_t minute) const { return rate_of(read_, minute); }
  Rate written_bytes(std::uint64_t minute) const { return rate_of(written_, minute); }

 private:
  static Rate rate_of(const Meter& meter, std::uint64_t minute) {
    return {meter.total(), meter.per_minute(minute)};
  }

  std::array<Meter, operation_count> requests_;
  Meter read_;
  Meter written_;
};

inline Rate Traffic::requests(std::uint64_t minute) const {
  Rate sum;
  for (const Meter& meter : requests_) {
    sum.total += meter.total();
    sum.per_minute += meter.per_minute(minute);
  }
  return sum;
}

}  // namespace hallmark::model
