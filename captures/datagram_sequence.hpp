#pragma once

#include "captures/datagram_dialogue.hpp"
#include "captures/load.hpp"

namespace hallmark::captures {

/// A datagram that came without a capture.
struct LooseDatagram {
  std::optional<Side> from;  ///< empty: its bytes tell
  Bytes bytes;
};

/// The datagrams in an input that is not a capture: its lines, or all of its bytes.
std::vector<LooseDatagram> datagrams_in(const Loaded& loaded);

/// Says how to take datagrams that come without a sender.
struct ExpectedDatagrams {
  std::optional<Side> from = {};  ///< empty: their bytes tell
  /// The operations that replies answer, in order; the bytes of further replies tell theirs.
  std::vector<const protocol::Operation*> operations = {};
};

/// Explains datagrams in their order. Replies are paired with requests if there are any of both, or
/// if marks say who sent them. Events have connection 0 and no times.
void decode_datagrams(const Format& format, const ExpectedDatagrams& expected,
                      const std::vector<LooseDatagram>& datagrams, const Sink& sink);

}  // namespace hallmark::captures
