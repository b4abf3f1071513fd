#pragma once

#include <deque>
#include <map>

#include "base/random.hpp"
#include "conformance/engine/stage.hpp"
#include "oracle/linearizability.hpp"

namespace hallmark::conformance {

/// The clients of a race, and its rounds, unless a case needs others.
constexpr std::uint32_t usual_clients = 6;
constexpr std::uint64_t usual_rounds = 12;

/// One connection's request about one key.
struct Move {
  oracle::RecordAction action;
  std::uint64_t argument = 0;  ///< quota or amount
  std::string value = {};      ///< for SET
  Ttl ttl = {};                ///< for INSERT and SET
};

/// Several connections that ask at a time. Every request and reply becomes part of a history, with
/// the times at which it was sent and received; after every round the history of each key has to
/// have an order that explains it (oracle/linearizability.hpp). Where it has none the case fails,
/// with the smallest part that shows it, drawn.
///
/// One thread suffices: requests are under way on all connections before any reply is read, so the
/// target has them at a time. All choices come from the run's nonce and the name of the case.
class Race {
 public:
  static constexpr oracle::SearchBounds usual_bounds{.most_steps = 1'000'000,
                                                     .most_bytes = std::size_t{32} << 20};

  /// A history that cannot be decided within the bounds leaves the case open.
  Race(Stage& stage, std::uint32_t clients, oracle::SearchBounds bounds = usual_bounds);

  base::Random& random() { return random_; }
  std::uint32_t clients() const { return static_cast<std::uint32_t>(clients_.size()); }

  /// A key that nothing was asked about yet; its number.
  std::uint32_t key();

  /// The client does that in the next round, behind what was planned for it before.
  void plan(std::uint32_t client, std::uint32_t key, Move move);
  /// Every client does.
  void plan_all(std::uint32_t key, const Move& move);

  enum class Pace : std::uint8_t {
    together,   ///< all that is planned is sent, a segment a connection, before any reply is read
    staggered,  ///< each connection asks one thing at a time, whenever its turn happens to come
  };
  /// Sends what was planned and takes all replies, in an order that is chosen anew, and judges.
  void run(Pace pace);
  /// Alternates between one pace and the other.
  void run() { run(rounds_ % 2 == 0 ? Pace::together : Pace::staggered); }

  /// Sends what was planned for that client and closes its connection without a look at the
  /// replies. It goes on over a new connection.
  void hang_up(std::uint32_t client);

  /// One client does that alone, and has its reply before anything else is asked.
  void alone(std::uint32_t client, std::uint32_t key, Move move);

 private:
  struct Planned {
    std::uint32_t key;
    Move move;
  };
  struct Client {
    std::string name;
    std::uint32_t number = 0;  ///< the connection's number in the history
    std::deque<Planned> planned = {};
    std::deque<std::size_t> waiting = {};  ///< positions in the history
  };

  Conversation& connection(const Client& client) { return stage_.connection(client.name); }
  Outgoing request(const Planned& planned) const;
  void note(Client& client, const Planned& planned);
  void send_all(Client& client);
  void send_one(Client& client);
  Message reply_to(Client& client);
  void receive(Client& client);
  void run_together();
  void run_staggered();
  std::uint32_t next_connection(const std::string& name);
  oracle::ValueNumber number_of(const std::string& value);
  std::string value_name(oracle::ValueNumber number) const;
  void judge();
  void judge(const oracle::RecordHistory& operations);
  [[noreturn]] void fail(const oracle::RecordHistory& operations);

  Stage& stage_;
  base::Random random_;
  oracle::LinearizabilityChecker checker_;
  std::vector<Client> clients_;
  std::vector<std::string> connections_;  ///< names, by their numbers in the history
  std::vector<std::string> keys_;
  std::map<std::string, oracle::ValueNumber> numbers_;
  std::vector<std::string> values_;
  oracle::RecordHistory history_;
  std::size_t judged_ = 0;  ///< so many operations of the history
  std::size_t rounds_ = 0;
};

}  // namespace hallmark::conformance
