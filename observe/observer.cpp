#include "observe/observer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace hallmark::observe {
namespace {

constexpr Time give_up_every = std::chrono::seconds(1);
constexpr std::size_t longest_packet_comment = 2048;

pcapng::Side packet_side(Side side) {
  return side == Side::client ? pcapng::Side::client : pcapng::Side::server;
}

std::string packet_comment(const captures::Finding& finding, std::string_view verdict) {
  std::string text = fmt::format("hallmark {}: {} {}", verdict, captures::name_of(finding.side),
                                 captures::name_of(finding.kind));
  if (finding.layout) text += fmt::format(" {}", std::string_view(finding.layout->name()));
  if (finding.number != 0) text += fmt::format(", request {}", finding.number);
  return text + ": " + finding.reason;
}

}  // namespace

Observer::Observer(const captures::Format& format, ObserverOptions options)
    : format_(format), shapes_(format), options_(std::move(options)) {
  for (const protocol::Operation& operation : format.dialect().operations)
    operations_.push_back({operation.name, 0, 0});
}

void Observer::take(const Record& record) {
  now_ = std::max(now_, record.at);
  if (record.kind == Record::Kind::opened) return open(record);
  const auto found = connections_.find(record.connection);
  if (found == connections_.end()) return;
  Watch& watch = *found->second.watch;
  comment_.clear();
  switch (record.kind) {
    case Record::Kind::opened: break;
    case Record::Kind::bytes: watch.bytes(record); break;
    case Record::Kind::missed: watch.missed(record); break;
    case Record::Kind::finished: watch.finished(record.side); break;
    case Record::Kind::reset: watch.reset(record.side); break;
    case Record::Kind::closed: watch.end(false); break;
  }
  if (options_.packets != nullptr) write_packet(found->second, record);
  if (record.kind == Record::Kind::closed) connections_.erase(found);
}

void Observer::open(const Record& record) {
  Ends ends;
  std::memcpy(static_cast<void*>(&ends), record.bytes.data(),
              std::min(record.bytes.size(), sizeof ends));
  const std::uint64_t number = record.connection;
  Watched& watched = connections_[number];
  watched.watch = std::make_unique<Watch>(
      format_, shapes_, number, record.number == 0,
      [this, number](const captures::Event& event, Certainty certainty) {
        hear(event, certainty, number);
      },
      [this](std::size_t operation) { count_pair(operation); });
  if (options_.packets == nullptr) return;
  if (format_.dialect().transport != protocol::Transport::stream) {
    watched.flow = pcapng::UdpFlow(ends.client, ends.server);
    return;
  }
  watched.flow = pcapng::TcpFlow(ends.client, ends.server);
  std::get<pcapng::TcpFlow>(watched.flow)
      .open(*options_.packets, options_.epoch + record.at, fmt::format("connection {}", number));
}

void Observer::hear(const captures::Event& event, Certainty certainty, std::uint64_t connection) {
  const auto* const finding = std::get_if<captures::Finding>(&event.what);
  if (finding == nullptr) return count(event);
  if (!captures::is_fault(finding->kind)) return;
  switch (certainty) {
    case Certainty::certain: return add_violation(*finding, connection);
    case Certainty::uncertain: ++unclaimed_; break;
    case Certainty::consequence: ++consequences_; break;
  }
}

void Observer::count(const captures::Event& event) {
  const auto of_operation = [this](const protocol::Layout& layout) {
    return std::ranges::find(operations_, std::string_view(layout.name()), &OperationCounts::name);
  };
  if (const auto* const request = std::get_if<captures::Request>(&event.what)) {
    counts_.requests.fetch_add(1, std::memory_order_relaxed);
    ++of_operation(request->message.layout)->requests;
  } else if (const auto* const reply = std::get_if<captures::Reply>(&event.what)) {
    counts_.replies.fetch_add(1, std::memory_order_relaxed);
    ++of_operation(reply->message.layout)->replies;
  } else if (std::holds_alternative<captures::Push>(event.what)) {
    counts_.pushes.fetch_add(1, std::memory_order_relaxed);
  }
}

void Observer::count_pair(std::size_t operation) {
  counts_.requests.fetch_add(1, std::memory_order_relaxed);
  counts_.replies.fetch_add(1, std::memory_order_relaxed);
  ++operations_[operation].requests;
  ++operations_[operation].replies;
}

void Observer::add_violation(const captures::Finding& finding, std::uint64_t connection) {
  counts_.violations.fetch_add(1, std::memory_order_relaxed);
  const FindingGroup* const first = violations_.add(finding, connection, finding.at.value_or(now_));
  if (first != nullptr && options_.on_first) options_.on_first(*first);
  if (options_.packets == nullptr || comment_.size() > longest_packet_comment) return;
  if (!comment_.empty()) comment_ += '\n';
  comment_ += packet_comment(finding, "violation");
}

void Observer::write_packet(Watched& watched, const Record& record) {
  pcapng::Writer& packets = *options_.packets;
  const Time at = options_.epoch + record.at;
  if (auto* const udp = std::get_if<pcapng::UdpFlow>(&watched.flow)) {
    if (record.kind == Record::Kind::bytes)
      udp->send(packets, packet_side(record.side), at, record.bytes, comment_);
    return;
  }
  auto& tcp = std::get<pcapng::TcpFlow>(watched.flow);
  const pcapng::Side side = packet_side(record.side);
  switch (record.kind) {
    case Record::Kind::bytes: return tcp.send(packets, side, at, record.bytes, comment_);
    case Record::Kind::missed: return tcp.skip(side, record.number);
    case Record::Kind::finished: return tcp.finish(packets, side, at, comment_);
    case Record::Kind::reset: return tcp.reset(packets, side, at, comment_);
    case Record::Kind::closed:
      // Findings at the end of a connection have no packet of their own but this one.
      if (!comment_.empty()) tcp.reset(packets, pcapng::Side::server, at, comment_);
      return;
    case Record::Kind::opened: return;
  }
}

void Observer::idle(Time now) {
  now_ = std::max(now_, now);
  if (format_.dialect().transport == protocol::Transport::stream) return;
  if (now_ < gave_up_ + give_up_every) return;
  gave_up_ = now_;
  if (now_ < options_.reply_within) return;
  comment_.clear();
  for (auto& [number, watched] : connections_)
    watched.watch->give_up_before(now_ - options_.reply_within);
}

void Observer::finish() {
  comment_.clear();
  for (auto& [number, watched] : connections_) watched.watch->end(true);
  connections_.clear();
}

void Observer::describe(Observation& observation) const {
  observation.requests = counts_.requests;
  observation.replies = counts_.replies;
  observation.pushes = counts_.pushes;
  observation.violations = violations_.groups();
  observation.unclaimed = unclaimed_;
  observation.consequences = consequences_;
  for (const OperationCounts& one : operations_) {
    if (one.requests + one.replies > 0) observation.operations.push_back(one);
  }
}

}  // namespace hallmark::observe
