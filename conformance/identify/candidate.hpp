#pragma once

#include <functional>
#include <set>
#include <vector>

#include "protocol/codec/decode.hpp"
#include "protocol/readings.hpp"

namespace hallmark::conformance {

/// Bytes that a target sent, and what they have to be.
struct Seen {
  enum class What : std::uint8_t { reply, push };
  What what = What::reply;
  /// The operation that a reply answers; none for a push.
  protocol::MessageName operation = protocol::MessageName::none();
  base::ByteView bytes = {};  ///< empty: it did not answer
  bool whole = true;          ///< nothing is missing at the end
  /// A further condition on the message, such as that it names us; may be empty.
  std::function<bool(const protocol::MessageView&)> also = {};
};

/// The readings that messages of the dialect show by their layout alone, in alphabetical order.
std::set<protocol::ReadingName> readings_of_layouts(const protocol::Dialect& dialect);

/// Checks what the table cannot say of a message: how fragments are numbered, what an address looks
/// like. Returns true if they are as the readings say, or are not there.
bool fits_meaning(const protocol::MessageView& view, const protocol::Readings& readings);

/// A dialect that a target may speak, and the answers to its readings that are possible still.
class Candidate {
 public:
  Candidate(const protocol::Dialect& dialect, protocol::Width width);

  const protocol::Dialect& dialect() const { return *dialect_; }
  bool has(protocol::MessageName operation) const;

  /// Returns true if the bytes are such a message under some answers. Then the answers that they do
  /// not fit are ruled out; otherwise nothing changes.
  bool narrow(const Seen& seen);

  /// The readings that such a message shows.
  std::vector<protocol::ReadingName> shown_by(const Seen& seen) const;

  /// The only answer that is possible still; empty where there are several, or no such reading.
  protocol::AnswerName told(protocol::ReadingName reading) const;
  void settle(protocol::ReadingName reading, protocol::AnswerName answer);

  /// The answers that were told; as released servers where none was.
  protocol::Readings readings() const;

 private:
  /// Indices of answers, one for each reading.
  using Open = std::vector<std::vector<std::size_t>>;

  const protocol::Message* message_of(const Seen& seen) const;
  std::vector<std::size_t> readings_of(const protocol::Message& message) const;
  bool fits(const Seen& seen, const protocol::Readings& readings) const;

  const protocol::Dialect* dialect_;
  protocol::Width width_;
  Open open_;
};

}  // namespace hallmark::conformance
