#pragma once

#include <deque>
#include <map>
#include <optional>

#include "conformance/drivers/stream/cutting.hpp"
#include "conformance/engine/stage.hpp"
#include "vectors/format/match.hpp"
#include "vectors/format/vector.hpp"

namespace hallmark::conformance {

/// One pass over the steps of a vector. What the vector touches is purged before anything is asked;
/// the case ends (CaseEnded) where the target does not do as the vector says.
class Replay {
 public:
  Replay(Stage& stage, const vectors::Vector& vector);

  /// Sends one request after the other, each cut as `cutting` says.
  void one_by_one(const Cutting& cutting);

  /// Cuts every request that is longer at the offset, and sends its rest with the beginning of the
  /// next. A reply to the one proves that the beginning of the other was read without its rest.
  /// That takes a third of the messages that it takes with one request at a time. Precondition: the
  /// vector can be pipelined.
  void chained(std::size_t offset);

  /// All requests in one segment, then all replies.
  void pipelined();

  /// Returns true if the target answered no other connection while part of a request was there:
  /// what should have been removed before may have been removed in the middle.
  bool held_up_others() const { return held_up_others_; }

 private:
  void send(std::size_t index, const vectors::Send& send, const std::vector<std::size_t>& cuts);
  void sent(std::size_t index, const std::string& connection);
  void expect(const std::string& name, const vectors::Expect& expect);

  /// Before the first request that is not cut; one that is cut may begin to arrive before. Returns
  /// false if the target did not answer.
  bool purge();
  /// A round trip on another connection, and behind a new one on one that is newer: a server may
  /// serve those that it has for some time before it has even taken over that one.
  void between();
  Conversation& connection(const std::string& name);

  Outgoing request_of(const vectors::Send& send) const;
  base::Bytes substituted(const vectors::Send& send) const;
  /// Null: that was the last.
  const vectors::Send* send_after(std::size_t index) const;

  /// Returns the next message. If no whole message comes, the evidence shows what should have come.
  Message received(Conversation& connection, const vectors::Expect& expect, bool push);
  void judge(Conversation& connection, const Message& message, const vectors::Expect& expect);

  Stage& stage_;
  const vectors::Vector& vector_;
  bool purged_ = false;
  bool held_up_others_ = false;
  bool opened_ = false;  ///< a connection, since the last round trip on another
  std::vector<Window> windows_;
  Window now_;
  std::map<std::string, std::deque<std::size_t>> unanswered_;
  std::map<std::string, vectors::Value> captures_;
  vectors::Context context_;
};

}  // namespace hallmark::conformance
