#pragma once

#include <functional>
#include <map>

#include "vectors/format/vector.hpp"

namespace hallmark::vectors {

/// The time that the server may have seen pass, in nanoseconds: at least `least`, at most `most`.
struct Elapsed {
  std::uint64_t least = 0;
  std::uint64_t most = 0;
};

/// The facts about earlier steps that a match needs.
struct Context {
  /// Time between the server's handling of the request sent at step `since` and of the request
  /// whose reply is judged, bounded by when both were sent and answered.
  std::function<Elapsed(std::size_t since)> elapsed_since;
  std::map<std::string, Value>* captures = nullptr;
};

/// A field that is not what was expected.
struct Mismatch {
  std::string field;
  std::size_t offset;  ///< its offset in the message received
  std::size_t length;
  std::string expected;
  std::string received;
};

/// Compares a message with one expectation. Values are captured only when nothing mismatches.
/// Precondition: `message` was decoded as the message that `expected` names.
std::vector<Mismatch> match(const Expected& expected, const protocol::MessageView& message,
                            Context& context);

/// Bounds of what is left of a lifetime, in its units; nothing when it must be over.
struct Remaining {
  std::uint64_t least;
  std::uint64_t most;
};
std::optional<Remaining> remaining_of(const Lifetime& lifetime, const Elapsed& elapsed);

/// Returns true if a lifetime may be over after that time.
bool may_be_over(const Lifetime& lifetime, const Elapsed& elapsed);

/// Layout of the message that `expected` names; nothing when the dialect has no such message.
std::optional<protocol::Layout> layout_of(const Expected& expected, protocol::Width width,
                                          const protocol::Readings& readings);

}  // namespace hallmark::vectors
