#include "conformance/certificate/packet_file.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <variant>

#include "base/endpoint.hpp"
#include "pcapng/flow.hpp"
#include "protocol/dialects.hpp"

namespace hallmark::certificate {
namespace {

using conformance::Crossing;
using conformance::Part;
using pcapng::Side;
using reports::CaseResult;
using reports::Verdict;
using Kind = Crossing::Kind;
using Outcome = Crossing::Outcome;

constexpr std::uint16_t port_of_nowhere = 9000;  ///< the port shown for targets that have none
constexpr std::uint16_t first_client_port = 1024;
constexpr std::uint32_t client_ports = 64'000;

/// A numeric address of the target; else one of the loopback with its port.
pcapng::Address address_of_target(const std::string& target) {
  using Networked = std::variant<base::TcpEndpoint, base::UdpEndpoint>;
  const auto endpoint = base::parse_endpoint<Networked>(target);
  if (!endpoint) return pcapng::loopback(port_of_nowhere);
  const auto [host, port] =
      std::visit([](const auto& one) { return std::pair(one.host, one.port); }, *endpoint);
  pcapng::Address address = pcapng::loopback(port);
  std::array<std::uint8_t, 16> ip{};
  if (::inet_pton(AF_INET, host.c_str(), ip.data()) == 1) {
    address.ip = ip;
  } else if (::inet_pton(AF_INET6, host.c_str(), ip.data()) == 1) {
    address.ip = ip;
    address.v6 = true;
  }
  return address;
}

bool is_over_datagrams(const std::string& dialect) {
  const auto found = std::ranges::find(protocol::all_dialects, dialect, &protocol::Dialect::name);
  return found != protocol::all_dialects.end() &&
         (*found)->transport == protocol::Transport::datagram;
}

bool is_bad(const CaseResult& result) {
  return result.verdict == Verdict::fail || result.verdict == Verdict::error ||
         result.verdict == Verdict::unstable || result.verdict == Verdict::known;
}

/// "field quota: is 4, expected 5; …" of the fields that decided.
std::string wrong_fields(const CaseResult& result) {
  std::string text;
  for (const auto& exchange : result.evidence) {
    for (const auto& field : exchange.fields) {
      if (!field.wrong) continue;
      text += fmt::format("\nfield {}: {}", field.path, field.meaning);
      if (!field.expected.empty()) text += fmt::format(", expected {}", field.expected);
    }
  }
  return text;
}

/// The exchange that decided: one with a wrong field, else one that was expected otherwise.
const reports::Exchange* deciding(const CaseResult& result) {
  for (const auto& exchange : result.evidence) {
    if (std::ranges::any_of(exchange.fields, &reports::AnnotatedField::wrong)) return &exchange;
  }
  for (const auto& exchange : result.evidence) {
    if (exchange.expected) return &exchange;
  }
  return nullptr;
}

bool is_of(const Crossing& crossing, reports::Direction direction) {
  if (direction == reports::Direction::received) return crossing.kind == Kind::receive;
  return crossing.kind == Kind::send || crossing.kind == Kind::offer;
}

/// One begins as the other does.
bool overlap(base::ByteView a, base::ByteView b) {
  const std::size_t length = std::min(a.size(), b.size());
  return length > 0 && std::ranges::equal(a.first(length), b.first(length));
}

/// The crossing that shows the failure: that of the deciding bytes, else the last that was
/// received.
std::optional<std::size_t> deciding_crossing(const Part& part, const CaseResult& result) {
  const reports::Exchange* const exchange = deciding(result);
  std::optional<std::size_t> last_received, last_any, match;
  for (std::size_t i = 0; i < part.crossings.size(); ++i) {
    const Crossing& crossing = part.crossings[i];
    if (crossing.link == 0 || crossing.kind == Kind::judged) continue;
    last_any = i;
    if (crossing.kind == Kind::receive && !crossing.bytes.empty()) last_received = i;
    if (exchange != nullptr && is_of(crossing, exchange->direction) &&
        overlap(crossing.bytes.unpacked(), exchange->bytes))
      match = i;
  }
  if (match) return match;
  return last_received ? last_received : last_any;
}

/// The comments of a part, by its crossings.
using Comments = std::map<std::size_t, std::string>;

class Packets {
 public:
  Packets(pcapng::Writer& writer, const std::vector<Part>& parts,
          const reports::CertifyResult& result)
      : writer_(writer),
        parts_(parts),
        result_(result),
        server_(address_of_target(result.header.target)),
        datagrams_(is_over_datagrams(result.header.dialect)) {}

  void write() {
    comment_parts();
    struct Moment {
      std::uint64_t at;
      std::uint32_t part;
      std::uint32_t crossing;
    };
    std::vector<Moment> moments;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      std::uint64_t at = static_cast<std::uint64_t>(parts_[i].began);
      for (std::size_t j = 0; j < parts_[i].crossings.size(); ++j) {
        at += static_cast<std::uint64_t>(parts_[i].crossings[j].took);
        moments.push_back({at, static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j)});
      }
    }
    // Parts were played beside each other.
    std::ranges::stable_sort(moments, {}, &Moment::at);
    const auto epoch = std::chrono::nanoseconds(result_.header.started.time_since_epoch());
    for (const Moment& moment : moments) {
      at_ = epoch + std::chrono::nanoseconds(moment.at);
      add(moment.part, moment.crossing);
    }
  }

 private:
  using Flow = std::variant<pcapng::TcpFlow, pcapng::UdpFlow>;

  /// A case without a part of its own was played in that of the case before it.
  void comment_parts() {
    std::map<std::string_view, std::size_t> by_name;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      by_name.emplace(parts_[i].name, i);
      heads_.push_back(parts_[i].name);
    }
    comments_.resize(parts_.size());
    std::optional<std::size_t> part;
    for (const CaseResult& result : result_.cases) {
      if (const auto own = by_name.find(result.id); own != by_name.end()) part = own->second;
      if (part) comment(*part, result);
    }
  }

  void comment(std::size_t part, const CaseResult& result) {
    const std::string head =
        fmt::format("case {}: {}", result.id, reports::name_of(result.verdict));
    std::string& first = heads_[part];
    first = first == result.id ? head : first + '\n' + head;
    if (!is_bad(result)) return;
    const auto crossing = deciding_crossing(parts_[part], result);
    if (!crossing) return;
    std::string& text = comments_[part][*crossing];
    if (!text.empty()) text += '\n';
    text += fmt::format("{}: {}{}", head, result.reason, wrong_fields(result));
  }

  std::string comment_of(std::size_t part, std::size_t crossing) {
    std::string text;
    if (!heads_[part].empty()) text = std::exchange(heads_[part], {});
    const auto own = comments_[part].find(crossing);
    if (own == comments_[part].end()) return text;
    return text.empty() ? own->second : text + '\n' + own->second;
  }

  void add(std::size_t part, std::size_t index) {
    const Crossing& crossing = parts_[part].crossings[index];
    if (crossing.link == 0) return;
    const auto key = std::pair(part, crossing.link);
    if (crossing.kind == Kind::open) return open(key, part, index, crossing);
    const auto flow = flows_.find(key);
    if (flow == flows_.end()) return;
    if (auto* const udp = std::get_if<pcapng::UdpFlow>(&flow->second))
      return add_datagram(*udp, part, index, crossing);
    add_segment(std::get<pcapng::TcpFlow>(flow->second), part, index, crossing);
    if (crossing.kind == Kind::close) flows_.erase(flow);
  }

  void open(const std::pair<std::size_t, std::uint32_t>& key, std::size_t part, std::size_t index,
            const Crossing& crossing) {
    const auto port = static_cast<std::uint16_t>(first_client_port + count_ % client_ports);
    const pcapng::Address client = pcapng::loopback(port, count_ / client_ports);
    ++count_;
    flows_.erase(key);
    if (datagrams_) {
      flows_.emplace(key, pcapng::UdpFlow(client, server_));
      return;
    }
    pcapng::TcpFlow flow(client, server_);
    if (crossing.outcome == Outcome::refused)
      return flow.reset(writer_, Side::server, at_, comment_of(part, index));
    flow.open(writer_, at_, comment_of(part, index));
    flows_.emplace(key, flow);
  }

  void add_datagram(pcapng::UdpFlow& flow, std::size_t part, std::size_t index,
                    const Crossing& crossing) {
    const bool came = crossing.kind == Kind::receive && crossing.outcome == Outcome::done;
    if (!came && crossing.kind != Kind::send) return;
    const base::Bytes bytes = crossing.bytes.unpacked();
    flow.send(writer_, came ? Side::server : Side::client, at_, bytes, comment_of(part, index));
  }

  void add_segment(pcapng::TcpFlow& flow, std::size_t part, std::size_t index,
                   const Crossing& crossing) {
    const base::Bytes bytes = crossing.bytes.unpacked();
    switch (crossing.kind) {
      case Kind::send: return send(flow, Side::client, part, index, bytes);
      case Kind::offer:
        return send(
            flow, Side::client, part, index,
            base::ByteView(bytes).first(std::min<std::size_t>(bytes.size(), crossing.number)));
      case Kind::receive:
        send(flow, Side::server, part, index, bytes);
        if (crossing.outcome == Outcome::closed)
          flow.finish(writer_, Side::server, at_, comment_of(part, index));
        if (crossing.outcome == Outcome::reset)
          flow.reset(writer_, Side::server, at_, comment_of(part, index));
        return;
      case Kind::finish:
      case Kind::close: return flow.finish(writer_, Side::client, at_, comment_of(part, index));
      case Kind::reset: return flow.reset(writer_, Side::client, at_, comment_of(part, index));
      default: return;
    }
  }

  void send(pcapng::TcpFlow& flow, Side from, std::size_t part, std::size_t index,
            base::ByteView bytes) {
    if (!bytes.empty()) flow.send(writer_, from, at_, bytes, comment_of(part, index));
  }

  pcapng::Writer& writer_;
  const std::vector<Part>& parts_;
  const reports::CertifyResult& result_;
  pcapng::Address server_;
  bool datagrams_;
  std::vector<std::string> heads_;  ///< for the first packet of each part
  std::vector<Comments> comments_;
  std::map<std::pair<std::size_t, std::uint32_t>, Flow> flows_;
  std::uint32_t count_ = 0;
  pcapng::Time at_{0};
};

std::size_t size_in_memory(const Part& part) {
  std::size_t size = sizeof part + part.name.size();
  for (const Crossing& crossing : part.crossings)
    size += sizeof crossing + crossing.bytes.held().size() + crossing.name.size();
  return size;
}

}  // namespace

void write_packets(pcapng::Writer& packets, const std::vector<Part>& parts,
                   const reports::CertifyResult& result) {
  Packets(packets, parts, result).write();
}

base::Result<std::unique_ptr<PacketFile>> PacketFile::create(const std::string& path,
                                                             const std::string& tool) {
  auto packets = pcapng::Writer::create(path, "hallmark " + tool);
  if (!packets) return packets.error();
  return std::unique_ptr<PacketFile>(new PacketFile(std::move(*packets), path));
}

void PacketFile::take(Part part) {
  bytes_ += size_in_memory(part);
  if (bytes_ <= most_bytes) {
    parts_.push_back(std::move(part));
  } else {
    parts_.clear();
  }
}

base::Result<void> PacketFile::finish(const reports::CertifyResult& result) {
  if (bytes_ > most_bytes) {
    return base::Error{fmt::format(
        "cannot write {}: the transcripts take more than {} MiB; certify with a --filter", path_,
        most_bytes >> 20)};
  }
  write_packets(packets_, parts_, result);
  return packets_.commit();
}

}  // namespace hallmark::certificate
