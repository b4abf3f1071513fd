#pragma once

#include <map>
#include <vector>

#include "clients/serve/observed.hpp"
#include "clients/serve/steps.hpp"

namespace hallmark::clients {

/// Keeps what a server saw of its client, and which changes reached it.
class Recorder {
 public:
  /// `expected`: what the client is held to, whatever is served; outlives this.
  explicit Recorder(const Format& expected) : format_(expected), judge_(expected) {}

  /// All that crosses is kept from now on.
  void keep_traffic() { keeps_traffic_ = true; }
  /// The peer has that port.
  void connected(std::uint64_t connection, std::uint16_t port);
  /// Bytes came, or left; or an end of a connection. In the order in which it happens.
  void crossed(std::uint64_t connection, Crossing::Kind kind, base::ByteView bytes = {});
  RequestJudge& judge() { return judge_; }

  /// A request came; it is known before its answer is.
  void requested(std::uint64_t connection, const protocol::Operation* operation,
                 base::ByteView bytes);
  /// Counts a message that the reference server answers or delivers.
  void made(const Message& message) { note(observed_.coverage, format_, message); }

  /// The message is sent otherwise. Returns a mark for `performed`.
  using Mark = std::size_t;
  static constexpr Mark unmarked = ~std::size_t{0};
  Mark changed(const Message& message, const Treatment& treatment);
  /// All of its steps were performed. `Leaves::later`: what it did to the connection crosses next.
  enum class Leaves : std::uint8_t { before, later };
  void performed(Mark mark, Leaves leaves = Leaves::before);
  /// It left in one write with another message.
  void joined(Mark mark);

  void failed(std::string error) { observed_.error = std::move(error); }

  /// Everything; called last.
  Observed take();

 private:
  struct Change {
    std::uint64_t connection;
    Reach reach;
    Difference difference;
    bool is_silence = false;  ///< nothing is sent in its place
    std::string note{};       ///< for the capture
  };
  static constexpr std::size_t most_changes = 100'000;

  void reached(Mark mark);
  /// Null: nothing is kept of it.
  Crossing* add_crossing(std::uint64_t connection, Crossing::Kind kind, base::ByteView bytes);
  void note_change(Mark mark, Leaves leaves);
  /// Breaches that are new belong to what came last.
  void note_breaches();

  const Format& format_;
  RequestJudge judge_;
  Observed observed_;
  std::vector<Change> changes_;
  /// Changes that count as soon as the client asks again, keyed by connection.
  std::map<std::uint64_t, std::vector<Mark>> waiting_;

  bool keeps_traffic_ = false;
  std::size_t kept_bytes_ = 0;
  std::size_t noted_breaches_ = 0;
  /// The place of the last crossing from each side, keyed by connection.
  std::map<std::uint64_t, std::size_t> last_received_;
  std::map<std::uint64_t, std::size_t> last_sent_;
  /// Changes of what leaves next, keyed by connection.
  std::map<std::uint64_t, std::vector<std::string>> changes_to_come_;
};

}  // namespace hallmark::clients
