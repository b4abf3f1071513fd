#include "clients/run/packets.hpp"

#include <fmt/format.h>

#include <map>
#include <set>
#include <variant>

#include "pcapng/flow.hpp"

namespace hallmark::clients {
namespace {

using pcapng::Side;
using Kind = Crossing::Kind;

Side side_of(Kind kind) {
  const bool clients =
      kind == Kind::received || kind == Kind::client_finished || kind == Kind::client_reset;
  return clients ? Side::client : Side::server;
}

/// Writes the connections of one run.
class Flows {
 public:
  Flows(pcapng::Writer& packets, const CapturedRun& run, bool cut)
      : packets_(packets),
        run_(run),
        title_(run.title + (cut ? "; not all that crossed is in the capture" : "")),
        server_(pcapng::loopback(run.server_port)) {}

  void add(const Crossing& crossing) {
    if (crossing.kind == Kind::opened) return open(crossing);
    const auto found = flows_.find(crossing.connection);
    if (found == flows_.end()) return;
    std::visit([&](auto& flow) { add(flow, crossing); }, found->second);
  }

 private:
  void open(const Crossing& crossing) {
    const pcapng::Address client = pcapng::loopback(crossing.client_port);
    if (run_.over_datagrams) {
      flows_.emplace(crossing.connection, pcapng::UdpFlow(client, server_));
      untitled_.insert(crossing.connection);
      return;
    }
    pcapng::TcpFlow flow(client, server_);
    flow.open(packets_, crossing.at, title_);
    flows_.emplace(crossing.connection, flow);
  }

  void add(pcapng::TcpFlow& flow, const Crossing& crossing) {
    const std::string comment = comment_of(crossing);
    const Side side = side_of(crossing.kind);
    switch (crossing.kind) {
      case Kind::opened: return;
      case Kind::received:
      case Kind::sent: return flow.send(packets_, side, crossing.at, crossing.bytes, comment);
      case Kind::client_finished:
      case Kind::server_finished: return flow.finish(packets_, side, crossing.at, comment);
      case Kind::client_reset:
      case Kind::server_reset: return flow.reset(packets_, side, crossing.at, comment);
    }
  }

  void add(pcapng::UdpFlow& flow, const Crossing& crossing) {
    flow.send(packets_, side_of(crossing.kind), crossing.at, crossing.bytes, comment_of(crossing));
  }

  /// A datagram socket has no handshake to carry the title.
  std::string comment_of(const Crossing& crossing) {
    std::string comment;
    const auto add_line = [&comment](std::string_view line) {
      comment += (comment.empty() ? "" : "\n") + std::string(line);
    };
    if (untitled_.erase(crossing.connection) != 0) add_line(title_);
    for (const std::string& change : crossing.changes) add_line("changed: " + change);
    if (run_.judges_client) {
      for (const std::string& breach : crossing.breaches) add_line("the client breaks " + breach);
    }
    return comment;
  }

  using Flow = std::variant<pcapng::TcpFlow, pcapng::UdpFlow>;

  pcapng::Writer& packets_;
  const CapturedRun& run_;
  std::string title_;
  pcapng::Address server_;
  std::map<std::uint64_t, Flow> flows_;
  std::set<std::uint64_t> untitled_;
};

}  // namespace

std::string title_of(const Baseline& baseline) {
  return fmt::format("baseline: {}", baseline.passed ? baseline.ended : baseline.reason);
}

std::string title_of(const PerturbationResult& result) {
  const std::string reason = result.reason.empty() ? result.ended : result.reason;
  return fmt::format("{} ({}; the client {}): {}{}{}", result.id, result.legal ? "legal" : "wrong",
                     name_of(result.demand), name_of(result.verdict), reason.empty() ? "" : ": ",
                     reason);
}

void write_packets(pcapng::Writer& packets, const CapturedRun& run, const Traffic& traffic) {
  Flows flows(packets, run, traffic.cut);
  for (const Crossing& crossing : traffic.crossings) flows.add(crossing);
}

}  // namespace hallmark::clients
