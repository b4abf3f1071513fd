#include "captures/capture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string_view>

#include "captures/connection_table.hpp"
#include "captures/datagram_table.hpp"
#include "captures/libpcap.hpp"

namespace hallmark::captures {
namespace {

using base::Error;
using base::Result;

constexpr std::int64_t latest_second = 4'000'000'000;

std::string name_of_link_type(int link_type) {
  const char* const name = libpcap().pcap_datalink_val_to_name(link_type);
  return name == nullptr ? fmt::format("{}", link_type) : name;
}

/// The frames of a capture, one after the other, to what is decoded from them.
class CaptureReader {
 public:
  CaptureReader(const Format& format, pcap_t* pcap, const CaptureOptions& options, const Sink& sink)
      : pcap_(pcap),
        link_type_(libpcap().pcap_datalink(pcap)),
        options_(options),
        sink_(sink),
        carrier_(format.dialect().transport == protocol::Transport::datagram ? Carrier::udp
                                                                             : Carrier::tcp),
        connections_(format, options.port, most_connections, sink),
        datagrams_(format, options.port, most_connections, sink) {
    summary_.link_type = name_of_link_type(link_type_);
  }

  CaptureSummary run() {
    pcap_pkthdr* header = nullptr;
    const std::uint8_t* bytes = nullptr;
    int got = 0;
    while ((got = libpcap().pcap_next_ex(pcap_, &header, &bytes)) == 1) {
      frame({bytes, header->caplen}, header->len, time_of(*header));
    }
    connections_.finish();
    datagrams_.finish();
    if (got == PCAP_ERROR)
      damaged(fmt::format("the capture breaks off: {}", libpcap().pcap_geterr(pcap_)));
    note_passed_over();
    return summary_;
  }

 private:
  Time time_of(const pcap_pkthdr& header) {
    // libpcap puts nanoseconds there when asked to. A broken file may hold any number.
    const auto whole = std::clamp<std::int64_t>(header.ts.tv_sec, 0, latest_second);
    const auto part = std::clamp<std::int64_t>(header.ts.tv_usec, 0, 999'999'999);
    const Time time = std::chrono::seconds(whole) + Time(part);
    if (!first_) first_ = time;
    return time - *first_;
  }

  void frame(ByteView bytes, std::size_t sent, Time at) {
    ++summary_.frames;
    const auto found = segment_in(link_type_, bytes, sent, carrier_);
    if (const auto* segment = std::get_if<Segment>(&found)) return take(*segment, at);
    if (const auto* datagram = std::get_if<UdpDatagram>(&found)) return take(*datagram, at);
    const NoSegment why = std::get<NoSegment>(found);
    if (why == NoSegment::fragment) ++fragments_;
    if (why == NoSegment::broken) ++broken_;
  }

  void take(const Segment& segment, Time at) {
    if (!is_chosen(segment.from, segment.to)) return void(++summary_.other_ports);
    count(segment.payload);
    connections_.add(segment, at);
  }

  void take(const UdpDatagram& datagram, Time at) {
    if (!is_chosen(datagram.from, datagram.to) || !datagrams_.add(datagram, at))
      return void(++summary_.other_ports);
    count(datagram.payload);
  }

  bool is_chosen(const Endpoint& from, const Endpoint& to) const {
    return options_.port == 0 || from.port == options_.port || to.port == options_.port;
  }

  void count(ByteView payload) {
    ++summary_.segments;
    summary_.payload += payload.size();
  }

  void note_passed_over() {
    if (fragments_ == 1) damaged("1 fragment of an IP packet was passed over");
    if (fragments_ > 1)
      damaged(fmt::format("{} fragments of IP packets were passed over", fragments_));
    if (broken_ == 1) {
      damaged("1 frame was passed over: cut short or malformed before its payload");
    } else if (broken_ > 1) {
      damaged(
          fmt::format("{} frames were passed over: cut short or malformed before their "
                      "payload",
                      broken_));
    }
  }

  void damaged(std::string reason) {
    sink_({0, Finding{FindingKind::damaged, Side::client, {}, std::move(reason)}});
  }

  pcap_t* pcap_;
  int link_type_;
  const CaptureOptions& options_;
  const Sink& sink_;
  Carrier carrier_;
  ConnectionTable connections_;
  DatagramTable datagrams_;
  CaptureSummary summary_;
  std::optional<Time> first_;
  std::uint64_t fragments_ = 0;
  std::uint64_t broken_ = 0;
};

}  // namespace

void Capture::Close::operator()(pcap* handle) const { libpcap().pcap_close(handle); }

Result<Capture> Capture::open(std::FILE* file) {
  if (auto library = load_libpcap(); !library) return library.error();
  char why[PCAP_ERRBUF_SIZE] = {};
  Handle handle(
      libpcap().pcap_fopen_offline_with_tstamp_precision(file, PCAP_TSTAMP_PRECISION_NANO, why));
  if (handle == nullptr) {
    if (file != stdin) std::fclose(file);
    return Error{fmt::format("not a capture that libpcap reads: {}", why)};
  }
  const int link_type = libpcap().pcap_datalink(handle.get());
  if (is_readable(link_type)) return Capture(std::move(handle));
  return Error{
      fmt::format("a capture of link type {}; allowed: Ethernet, loopback, raw IP, Linux cooked",
                  name_of_link_type(link_type))};
}

CaptureSummary Capture::decode(const Format& format, const CaptureOptions& options,
                               const Sink& sink) {
  return CaptureReader(format, handle_.get(), options, sink).run();
}

}  // namespace hallmark::captures
