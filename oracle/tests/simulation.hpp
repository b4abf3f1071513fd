#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "oracle/limit_oracle.hpp"

namespace hallmark::oracle {

using protocol::ratelimit::Discipline;
using protocol::ratelimit::Limit;

/// The estimator in the words of its description, with switchable mistakes.
class Estimator {
 public:
  struct Mistakes {
    double limit_off_by = 0;
    double period_times = 1;
    std::uint64_t forgets_every = 0;  ///< uses; 0: never
    bool other_discipline = false;
    bool counts_twice = false;
    double rate_off_by = 0;  ///< of what is printed
  };

  explicit Estimator(const Limit& limit) : Estimator(limit, Mistakes{}) {}
  Estimator(const Limit& limit, const Mistakes& mistakes) : limit_(limit), mistakes_(mistakes) {}

  /// Over at the limit, or only above it.
  bool above = false;

  struct Decision {
    UseReply reply;
    double rate = 0;
  };
  Decision use(std::int64_t at_ns);

 private:
  double count(std::int64_t at_ns);

  Limit limit_;
  Mistakes mistakes_;
  std::optional<double> rate_;
  std::int64_t last_ns_ = 0;
  std::uint64_t uses_ = 0;
};

/// The traffic of requests, and what the network does to it.
struct Traffic {
  int uses = 300;
  double mean_gap_ns = 1e6;    ///< between sends
  double mean_delay_ns = 1e5;  ///< of a request, and of a reply
  double loss = 0;             ///< share of requests and replies each
  double doubled = 0;          ///< share of requests
};

/// Sends uses of one key through such a network to the estimator, and shows each event to the
/// oracle in the order in which a client sees it.
struct Told {
  std::vector<Finding> findings;
  std::uint64_t decided = 0;
  std::uint64_t outside = 0;  ///< true rates outside of the bounds
  std::uint64_t judged = 0;
  bool doubled = false;
};
Told play(Estimator estimator, const Limit& limit, const Assumptions& assumptions,
          const Traffic& traffic, std::uint64_t seed);

}  // namespace hallmark::oracle
