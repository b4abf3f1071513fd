#pragma once

#include <string>
#include <vector>

#include "captures/event.hpp"
#include "captures/format.hpp"
#include "protocol/dialects.hpp"

namespace hallmark::captures {

/// An event as one short line: "c1 #2 QUERY request", "! missing client 10+5 #2: the reason".
std::string in_short(const Event& event);

/// Keeps what is told, in short.
class Told {
 public:
  Sink sink();
  const std::vector<std::string>& lines() const { return lines_; }
  /// The lines of findings, without their reasons.
  std::vector<std::string> findings() const;

 private:
  std::vector<std::string> lines_;
};

/// Throttr 7.1 at u16 as deployed.
const Format& deployed();
/// The same as its text reads: replies that list have no status.
const Format& literal();

/// ratelimit-udp as deployed.
const Format& limiter();

/// Bytes of hexadecimal text that is right.
Bytes hex(std::string_view text);

}  // namespace hallmark::captures
