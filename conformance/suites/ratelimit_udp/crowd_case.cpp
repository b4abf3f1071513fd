#include <algorithm>

#include "base/random.hpp"
#include "conformance/suites/ratelimit_udp/rule_subject.hpp"

namespace hallmark::conformance {
namespace {

constexpr std::size_t sockets = 5;
constexpr std::size_t most_rounds = 40;
constexpr std::size_t rounds_beyond = 2;

/// Sockets that use one key at a time. Which of their uses was decided first is not known; the
/// bounds of the rate allow for every order.
class Crowd {
 public:
  Crowd(Attempt& attempt, const Subject& subject)
      : attempt_(attempt),
        subject_(subject),
        key_(subject.key(attempt)),
        random_(key_),
        bounds_(subject.limit(), subject.assumptions()) {
    for (std::size_t i = 1; i <= sockets; ++i)
      sockets_.push_back(&attempt.further_socket("s" + std::to_string(i)));
  }

  std::uint64_t answered() const { return answered_; }

  /// One use on each socket. Whether one of them was over the limit.
  bool use() {
    std::vector<Use> uses;
    for (Correspondence* const socket : sockets_) uses.push_back(send(*socket));
    random_.shuffle(uses);
    return std::ranges::count_if(uses, [&](const Use& use) { return receive(use); }) > 0;
  }

 private:
  struct Use {
    Correspondence* socket;
    Correspondence::Ticket ticket;
    oracle::RateBounds::Use number;
    std::uint64_t count;
  };

  Use send(Correspondence& socket) {
    const auto number = bounds_.sent(at(attempt_.now()));
    const auto ticket = attempt_.send_on(socket, "over_limit", {{"key", base::to_bytes(key_)}});
    return {&socket, ticket, number, ++sent_};
  }

  /// Receives and judges the reply. Returns true if it was over the limit.
  bool receive(const Use& use) {
    const std::size_t repeated = use.socket->repeated();
    const auto reply = attempt_.reply_on(*use.socket, use.ticket, "over_limit");
    for (std::size_t i = repeated; i < use.socket->repeated(); ++i) bounds_.repeated();
    if (!reply) {
      bounds_.unanswered(use.number);
      return false;
    }
    ++answered_;
    const bool over = reply->number("over") == 'Y';
    judge_use(attempt_, subject_, use.count, *reply,
              bounds_.answered(use.number, at(reply->window().latest),
                               {.over = over, .rate_tenths = reply->number("rate")}));
    return over;
  }

  Attempt& attempt_;
  const Subject& subject_;
  std::string key_;
  base::Random random_;
  oracle::RateBounds bounds_;
  std::vector<Correspondence*> sockets_;
  std::uint64_t sent_ = 0;
  std::uint64_t answered_ = 0;
};

}  // namespace

void uses_at_a_time(Attempt& attempt, const Subject& subject) {
  Crowd crowd(attempt, subject);
  std::size_t beyond = 0;
  for (std::size_t round = 0; round < most_rounds && beyond < rounds_beyond; ++round) {
    if (crowd.use()) ++beyond;
    if (crowd.answered() == 0) throw Unanswered{"over_limit", false};
  }
}

}  // namespace hallmark::conformance
