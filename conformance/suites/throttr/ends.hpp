#pragma once

#include <initializer_list>

#include "conformance/engine/stage.hpp"

/// Checks how connections end that send bytes which are not a request, and that others go on
/// meanwhile.
namespace hallmark::conformance {

/// The fate of a connection after bytes that are not a request.
enum class End : std::uint8_t {
  recovered,       ///< the requests behind the bytes were answered, and nothing else was sent
  refused,         ///< 00, and then as `recovered`
  accepted,        ///< 01, and then as `recovered`
  closed,          ///< the target ended the connection
  silenced,        ///< nothing is answered any more, and the connection stays open
  desynchronised,  ///< anything else
};

using Ends = std::initializer_list<End>;

/// Bytes that are no request, and what refuses or accepts them.
struct Wrong {
  base::Bytes bytes;
  std::vector<base::Bytes> refusals = {};
  std::vector<base::Bytes> acceptances = {};
};

/// The replies of an operation that are a status and, where there are such, a request id.
base::Bytes reply_to(const WireFormat& format, const Outgoing& request, bool succeeds);

/// Sends the bytes and then requests whose replies are known (the afterword, with a key of that
/// name) on a connection of its own, and then nothing more, so that no answer has to be waited for.
End send_wrong(Stage& stage, const Wrong& wrong, const std::string& key);
/// The same where the connection may end in any way, or go on.
void try_wrong(Stage& stage, const base::Bytes& bytes, const std::string& key);

/// Fails an input of `Trials` where the connection did not end in one of those ways, or where
/// another connection is no longer answered.
void require_end(Stage& stage, End end, Ends allowed);

/// Fails an input of `Trials` where a connection that did nothing wrong is no longer answered.
void require_bystander(Stage& stage);

/// Ends the case where the connection did not end in one of those ways, or where another connection
/// is no longer answered. `after`: what was sent, for people.
void expect_end(Stage& stage, const std::string& after, End end, Ends allowed);

/// Ends the case where a connection that did nothing wrong is no longer answered.
void expect_bystander(Stage& stage, const std::string& after);

/// A request of each operation that says something, each with a key of its own that soon expires.
std::vector<Request> typical_requests(Stage& stage);

}  // namespace hallmark::conformance
