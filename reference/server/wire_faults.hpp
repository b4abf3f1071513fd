#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "reference/mutants/mutant.hpp"
#include "reference/protocol/decode.hpp"
#include "reference/server/session.hpp"

namespace hallmark::server {

/// One message of one connection on its way.
struct WireContext {
  const protocol::Layout& layout;
  std::uint64_t number;  ///< of the request within its connection, from 1
};

/// How the bytes that arrive are taken apart.
enum class WireFraming : std::uint8_t {
  right,
  one_request_a_read,  ///< what follows the first request is dropped
  partial_dropped,     ///< what is no whole request is dropped
  buffer_of_1024,      ///< what exceeds 1024 bytes is dropped
  codes_shifted,       ///< opcodes are one too high
  batch_reversed,      ///< requests that arrive together are answered in the reverse order
  c_strings,           ///< what arrives behind a partial request and starts with zero is dropped
  empty_name_waits,    ///< what ends with zero and arrived in parts waits for more
  failures_merged,     ///< of failures in a batch that follow each other one is told
  first_only,          ///< what is behind another request of its batch is not answered
};

/// How one mutant spoils requests or replies. Everything that is not set stays right.
struct WireFault {
  mutants::Index mutant;
  std::vector<std::string_view> operations = {};  ///< whose messages are spoilt; empty: all
  WireFraming framing = WireFraming::right;
  /// The values of a request as they were sent.
  std::function<void(protocol::Record&, const WireContext&)> request = {};
  /// The values of a reply before it is encoded.
  std::function<void(protocol::Record&, const WireContext&)> reply = {};
  /// The bytes of a reply, with the decoder that has read them.
  std::function<void(protocol::Bytes&, const protocol::Decoder&, const WireContext&)> bytes = {};
  /// Deliveries; those behind the first `earlier` came from this request.
  std::function<void(std::vector<Delivery>&, std::size_t earlier)> deliveries = {};
};

/// That of the mutant that is switched on; null when it spoils no messages.
const WireFault* active_wire_fault();

}  // namespace hallmark::server
