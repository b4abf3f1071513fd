#pragma once

#include <deque>

#include "captures/reader.hpp"

namespace hallmark::captures {

/// `beginning`: the first bytes that come are the first that were sent. `within`: they may not be.
enum class Origin : std::uint8_t { beginning, within };

/// One connection as a conversation: requests in order, the replies that answer them, pushes
/// between them. Where it loses its way it says so, passes over what follows, and goes on at the
/// next turn: a client that speaks again after everything was answered begins a request.
class Conversation {
 public:
  /// More requests than these that wait for a reply, or bytes of them, end the pairing.
  static constexpr std::size_t most_waiting = 65'536;
  static constexpr std::size_t most_waiting_bytes = std::size_t{16} << 20;
  /// The number of times that a connection may lose its way before the rest of it is passed over.
  /// The number of replies without a loss that resets the count.
  static constexpr unsigned most_losses = 16;

  /// `format` has to outlive it.
  Conversation(const Format& format, std::uint32_t connection, Origin origin, Sink sink);

  /// Chunks come in causal order: what a sender had received has come before what it sent.
  void feed(const Chunk& chunk);

  /// Settles what is open. `how` is why nothing more comes: "the client closed the connection".
  void end(const std::string& how);

 private:
  struct Waiting {
    Request request;
    const protocol::Operation* operation;
    std::optional<std::uint64_t> id;  ///< that its reply has to repeat
    std::vector<Finding> remarks;     ///< about the request itself
    std::vector<Finding> after = {};  ///< about what the client sent next
  };
  enum class Due : std::uint8_t { reply, push, nothing, undecided };

  void read_requests();
  bool begin_request();
  void take_request();
  void enqueue(Waiting waiting);
  void note_opening(const Chunk& chunk);

  void read_replies();
  bool begin_reply();
  bool bring_forward();
  Due due();
  Due tell_apart(const protocol::Layout& reply, const protocol::Layout& push) const;
  const Waiting* awaited() const;
  void pass_unasked();
  void take_from_server();
  void answer(Message message, std::vector<Finding> remarks);
  std::optional<Finding> mismatch_of(const Message& reply) const;

  Reader& reader(Side side) { return side == Side::client ? client_ : server_; }
  const Reader& reader(Side side) const { return side == Side::client ? client_ : server_; }
  void lose(Side side, Finding finding);
  void lose_malformed(Side side);
  Waiting pop_front();
  void settle_front(std::optional<Finding> why);
  void settle_all(const std::string& why);
  void settle_unanswered();
  bool is_turn(const Chunk& chunk) const;
  void resume();
  void end_of_server(const std::string& how);
  std::string hint(Side side) const;
  Finding truncated(Side side, const std::string& how);
  void report_passed(Side side);

  void report(Finding finding) const { emit(std::move(finding)); }
  void emit(decltype(Event::what) what) const { sink_({connection_, std::move(what)}); }

  const Format& format_;
  std::uint32_t connection_;
  Sink sink_;
  bool any_order_;  ///< replies may overtake each other: their ids tell them apart
  Reader client_{Side::client};
  Reader server_{Side::server};
  std::deque<Waiting> waiting_;
  std::size_t waiting_bytes_ = 0;
  std::uint64_t requests_ = 0;
  std::uint64_t server_saw_ = 0;  ///< the client's bytes received when it last sent something
  unsigned losses_ = 0;
  unsigned answered_ = 0;  ///< since the way was lost
  bool guessed_ = false;
  bool subscribed_ = false;
  bool ambiguous_ = false;  ///< the server's next bytes could be a reply or a push
  const protocol::Operation* incoming_ = nullptr;  ///< that of the request that is being read
  std::optional<protocol::When> unsent_reply_;     ///< that of the last request that gets none
  Bytes opening_;                                  ///< the first bytes of the client
};

}  // namespace hallmark::captures
