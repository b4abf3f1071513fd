#pragma once

#include "conformance/drivers/datagram/datagram_case.hpp"

namespace hallmark::conformance {

/// A case that was played, and the sockets it leaves open: what comes on them later is not over.
struct PlayedCase {
  reports::CaseResult result;
  std::vector<Attempt::Remains> sockets;
  bool fell_silent = false;  ///< the target answered nothing any more, whatever was sent again
};

/// Plays a case to a verdict. Where datagrams get lost or doubled, it is played again: a failure
/// counts when it was seen undisturbed, and on a path that disturbs anything, several times in a
/// row. Never throws for what a target does.
PlayedCase play(DatagramContext& context, const DatagramCase& one);

/// A datagram that came on these sockets since, and answers nothing; the case fails by it.
void judge_late(PlayedCase& played);

/// A case is played so many times at most.
inline constexpr unsigned most_datagram_attempts = 6;

}  // namespace hallmark::conformance
