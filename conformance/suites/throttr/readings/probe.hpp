#pragma once

#include "conformance/engine/danger.hpp"
#include "conformance/engine/stage.hpp"

/// Finding out which answer a target gives to a reading, by asking it twice in different
/// circumstances.
namespace hallmark::conformance {

/// The result of asking once.
struct Told {
  protocol::AnswerName answer = protocol::AnswerName::none();  ///< none: could not be told
  std::string reason;                                          ///< why it could not
  /// True if the observation agrees with this answer without excluding the others: it gives way to
  /// another.
  bool weak = false;
};

inline Told untold(std::string reason) { return {protocol::AnswerName::none(), std::move(reason)}; }

/// One asking: with keys and a connection of its own, its requests one by one or all at once.
class Inquiry {
 public:
  enum class Manner : std::uint8_t { one_by_one, together };

  Inquiry(Stage& stage, Manner manner) : stage_(stage), manner_(manner) {}

  Stage& stage() { return stage_; }
  const WireFormat& format() const { return stage_.format(); }
  bool together() const { return manner_ == Manner::together; }

  Conversation& connection() { return stage_.connection(together() ? "c2" : "c1"); }
  /// One more connection beside that.
  Conversation& another() { return stage_.connection(together() ? "d2" : "d1"); }
  std::string key(std::string_view name);
  std::string channel(std::string_view name) const;

  Message ask(const Request& request) { return connection().ask(request); }
  /// Their replies, in the order of the requests. All of them have one.
  std::vector<Message> ask(std::span<const Request> requests);
  std::vector<Message> ask(std::initializer_list<Request> requests) {
    return ask(std::span(requests.begin(), requests.size()));
  }
  /// Returns nothing if the target ends the connection instead.
  std::optional<Message> ask_or_be_closed(const Request& request);

  /// Returns the first answer that holds. If none does, the target does what no answer says: the
  /// case fails, and `what` says what came.
  struct Claim {
    Claim(protocol::AnswerName id, bool is_so) : answer(id), holds(is_so) {}
    protocol::AnswerName answer;
    bool holds;
  };
  Told first_of(std::initializer_list<Claim> claims, const std::string& what);

 private:
  Stage& stage_;
  Manner manner_;
};

/// The cost of asking, for the target and for us.
enum class Cost : std::uint8_t {
  quick,    ///< documented requests only, and hardly a wait
  patient,  ///< waits for a record to expire, or sends what no document describes
};

struct ReadingProbe {
  protocol::ReadingName reading;
  protocol::MessageName operation;  ///< the operation that it is asked by
  Cost cost = Cost::quick;
  Danger danger = Danger::open;
  Told (*ask)(Inquiry&) = nullptr;
  /// The dialects that it is for: those whose records have keys, or pairs, or both.
  enum class For : std::uint8_t { keys, pairs, both };
  For names = For::both;
  /// The reading without whose answer the replies cannot be understood; none: there is none.
  protocol::ReadingName relies_on = protocol::ReadingName::none();
};

/// Explicit lists, one for each file. Readings that others depend on come first.
std::vector<ReadingProbe> record_probes();
std::vector<ReadingProbe> ttl_probes();
std::vector<ReadingProbe> channel_probes();
std::vector<ReadingProbe> unlisted_probes();
std::vector<ReadingProbe> pair_probes();

/// Asks for messages whose layout a reading decides, as the format has it: a message of another
/// layout ends the case.
struct LayoutCheck {
  protocol::ReadingName reading;
  protocol::MessageName operation;
  void (*ask)(Inquiry&) = nullptr;
};

std::vector<LayoutCheck> layout_checks();

/// The danger of asking for a reading. That of layouts shows in replies to documented requests.
Danger danger_of_reading(std::string_view reading);

/// All of the dialect's readings that have several answers and show in behaviour, in an order in
/// which each may rely on those before it.
std::vector<ReadingProbe> behaviour_probes(const protocol::Dialect& dialect);

}  // namespace hallmark::conformance
