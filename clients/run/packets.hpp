#pragma once

#include <string>

#include "clients/judge/result.hpp"
#include "clients/serve/observed.hpp"
#include "pcapng/writer.hpp"

namespace hallmark::clients {

/// One run of the client's tests, for a capture.
struct CapturedRun {
  std::string title;  ///< is the comment on the first packet of each connection
  std::uint16_t server_port = 0;
  bool over_datagrams = false;
  /// True if the client is held to the clauses about clients.
  bool judges_client = true;
};

/// "baseline: exited with code 0".
std::string title_of(const Baseline& baseline);
/// "cut/one-by-one (legal, the client passes): fails: …".
std::string title_of(const PerturbationResult& result);

/// Adds what crossed the server of that run: changed messages have as their comment what was
/// changed, requests the clauses that they break.
void write_packets(pcapng::Writer& packets, const CapturedRun& run, const Traffic& traffic);

}  // namespace hallmark::clients
