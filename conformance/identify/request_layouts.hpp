#pragma once

#include "conformance/identify/candidate.hpp"
#include "conformance/identify/clue.hpp"
#include "conformance/identify/line.hpp"

namespace hallmark::conformance {

/// Finds out how a target reads requests whose layouts a dialect leaves open: what it answers to
/// requests that are whole in each of them tells.
class RequestLayouts {
 public:
  /// The reply to some requests, as `Line::ask` gives it.
  using Ask = std::function<Heard(base::ByteView)>;

  /// Settles the readings of `candidate`, whose dialect is known. Keys start with `name`.
  RequestLayouts(protocol::Width width, std::string name, Ask ask, Candidate& candidate);

  /// A finding for each such reading that the dialect has.
  std::vector<Finding> ask();

  /// PURGEs of all keys that may have been stored.
  const base::Bytes& removals() const { return removals_; }

 private:
  base::Bytes whole_reply(base::ByteView sent) const;
  void ask_set();
  void ask_connection();
  void ask_index();
  protocol::Layout request(protocol::MessageName operation,
                           const protocol::Readings& readings) const;
  /// The readings so far, with this answer.
  protocol::Readings with(protocol::ReadingName reading, protocol::AnswerName answer) const;
  void tell(protocol::ReadingName reading, protocol::AnswerName answer, Clue clue);
  void leave_untold(protocol::ReadingName reading, std::string reason);

  protocol::Width width_;
  std::string name_;
  Ask ask_;
  Candidate& candidate_;
  base::Bytes removals_;
  std::vector<Finding> findings_;
};

}  // namespace hallmark::conformance
