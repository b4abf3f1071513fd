#pragma once

#include <functional>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "conformance/drivers/datagram/datagram_network.hpp"
#include "protocol/rules/ratelimit_rules.hpp"

namespace hallmark::conformance::testing {

/// The defects that a fake limiter may have.
enum class Flaw {
  none,
  answers_unknown,       ///< an error text instead of silence
  answers_unknown_late,  ///< the same, once three more datagrams have come
  answers_twice,
  forgets_ids,
  ids_as_numbers,
  keys_up_to_a_space,
  wrong_key,
  mixes_up_senders,
  knows_senders_by_id,  ///< replies go to whoever sent that id first
  limit_off_by_one,
  period_off,
  never_over,
  leaky_for_strict,
  forgets_rates,
  rates_of_all_keys,
  counts_only_over,
  counts_statistics,
  ignores_rewrites,
  ignores_get_stats,
  ignores_uses,  ///< over_limit is never answered
  case_insensitive,
  accepts_spaces,
  two_decimals,
  dies_of_binary,
  answers_empty,
};

/// The chances, from 0 to 1, of a datagram's fate on its way, in either direction.
struct Weather {
  double lost = 0;
  double doubled = 0;
  double delayed = 0;  ///< behind what is sent after it
};

/// A rate limiter and the network to it, in simulated time. Written for tests from the document and
/// its capture, without the reference model.
class FakeLimiter : public DatagramNetwork {
 public:
  FakeLimiter(Flaw flaw, Weather weather, unsigned seed);

  DatagramLinkResult open() override;
  Time now() const override { return now_; }
  void wait_until(Time until) override { pass_until(until); }
  /// Called when it stops answering.
  void when_dead(std::function<void()> action) { when_dead_ = std::move(action); }

 private:
  class SimulatedLink;
  struct Flight {
    Time arrives;
    std::size_t socket;
    bool to_server;
    std::string datagram;
  };
  struct Key {
    bool used = false;
    Time last = 0;
    double rate = 0;
  };
  struct Statistics {
    std::uint64_t uses = 0;
    std::uint64_t over = 0;
  };

  bool chance(double probability);
  void launch(std::size_t socket, bool to_server, std::string datagram);
  void pass_until(Time until);
  bool pass_next(Time until);
  void serve(std::size_t socket, const std::string& datagram);
  void reply(std::size_t socket, const std::string& text);
  std::string answer(const std::string& body);
  std::string use(const std::string& key);
  double rate_of(Key& key, const std::string& name, const protocol::ratelimit::Limit& limit);

  Flaw flaw_;
  Weather weather_;
  std::mt19937 random_;
  Time now_ = 1'000'000'000;
  std::vector<Flight> flights_;
  std::vector<std::vector<std::string>> inboxes_;
  std::map<std::string, Key> keys_;
  std::map<std::string, Statistics> statistics_;
  std::vector<std::pair<std::size_t, std::string>> held_;
  std::size_t datagrams_ = 0;
  std::size_t last_socket_ = 0;
  std::map<std::string, std::size_t, std::less<>> first_with_;  ///< sockets, by the id
  bool dead_ = false;
  std::function<void()> when_dead_ = [] {};
};

/// The rules of the fake.
const protocol::ratelimit::Rules& fake_rules();

}  // namespace hallmark::conformance::testing
