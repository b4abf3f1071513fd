#pragma once

#include <cstdio>
#include <memory>

#include "base/error.hpp"
#include "captures/event.hpp"
#include "captures/format.hpp"

struct pcap;  // libpcap's

namespace hallmark::captures {

/// Followed at the same time; beyond, the one that was silent for longest is ended.
inline constexpr std::size_t most_connections = 4096;

/// A summary of what a capture contains.
struct CaptureSummary {
  std::string link_type;  ///< the name that libpcap gives it: "EN10MB", "LINUX_SLL2"
  std::uint64_t frames = 0;
  std::uint64_t segments = 0;     ///< TCP segments or UDP datagrams, without those left out
  std::uint64_t other_ports = 0;  ///< left out: with other ports, or of another protocol over UDP
  std::uint64_t payload = 0;      ///< bytes in the segments, as far as captured
};

struct CaptureOptions {
  std::uint16_t port = 0;  ///< the server's port; selects its connections; 0: all are decoded
};

/// A pcap or pcapng capture.
class Capture {
 public:
  /// Takes the file and closes it, unless it is stdin.
  /// Errors: not a capture, or of a link type that is not read.
  static base::Result<Capture> open(std::FILE* file);

  /// Reads it to its end and decodes what goes over the format's transport, in bounded memory.
  /// Findings about the capture itself have connection 0. To be called once.
  CaptureSummary decode(const Format& format, const CaptureOptions& options, const Sink& sink);

 private:
  struct Close {
    void operator()(pcap* handle) const;
  };
  using Handle = std::unique_ptr<pcap, Close>;

  explicit Capture(Handle handle) : handle_(std::move(handle)) {}

  Handle handle_;
};

}  // namespace hallmark::captures
