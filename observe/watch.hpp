#pragma once

#include <memory>
#include <optional>
#include <variant>

#include "captures/conversation.hpp"
#include "captures/datagram_dialogue.hpp"
#include "observe/quick_pairs.hpp"
#include "pcapng/flow.hpp"

namespace hallmark::observe {

/// The certainty of a finding about a connection.
enum class Certainty : std::uint8_t {
  certain,
  /// Bytes of the connection were not looked at before: what is missing may be our own fault.
  uncertain,
  /// It follows from another finding, or from how the connection ended: nobody did anything wrong.
  consequence,
};

/// One connection, or one client's datagrams: records in, what they say out.
class Watch {
 public:
  /// Called for each event, with the certainty of a finding.
  using Tell = std::function<void(const captures::Event&, Certainty)>;
  /// Called for each request that has its reply and about which there is nothing else to tell, with
  /// the place of its operation in the dialect.
  using TellPair = std::function<void(std::size_t)>;

  /// `whole`: the records begin where the connection does. `format` and `shapes` have to outlive
  /// it.
  Watch(const captures::Format& format, const Shapes& shapes, std::uint64_t number, bool whole,
        Tell tell, TellPair tell_pair);
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  void bytes(const Record& record);
  /// Bytes passed that were not looked at: what waits for a reply is forgotten, without a claim.
  void missed(const Record& record);
  void finished(Side side);
  void reset(Side side);
  /// `how` is why nothing more comes. `interrupted`: because nobody looks any more.
  void end(bool interrupted);

  /// Gives up requests of datagrams that were sent before, and are without a reply.
  void give_up_before(Time sent);

 private:
  using Dialogue = std::variant<std::monostate, std::unique_ptr<QuickPairs>,
                                std::unique_ptr<captures::Conversation>,
                                std::unique_ptr<captures::DatagramDialogue>>;

  void begin(captures::Origin origin);
  void look_closely(Time at);
  void converse(const Record& record);
  void tell(const captures::Event& event) const;
  Certainty certainty_of(const captures::Finding& finding) const;
  bool is_stream() const { return format_.dialect().transport == protocol::Transport::stream; }

  const captures::Format& format_;
  const Shapes& shapes_;
  std::uint64_t number_;
  Tell tell_;
  TellPair tell_pair_;
  Dialogue dialogue_;
  std::array<std::uint64_t, 2> passed_{};  ///< bytes of each side, those not looked at among them
  std::array<std::uint64_t, 2> base_{};    ///< the beginning of the present dialogue in them
  std::uint64_t paired_ = 0;               ///< requests before the present dialogue
  std::optional<Side> ended_by_{};         ///< the side that finished first, or broke off
  bool whole_ = true;
  bool ending_ = false;
  bool interrupted_ = false;
  Time last_{0};
};

}  // namespace hallmark::observe
