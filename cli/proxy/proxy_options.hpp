#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "proxy/proxy.hpp"

namespace CLI {
class App;
}

/// The options of `hallmark proxy`: which faults, of which direction.
namespace hallmark::cli {

class Command;

/// A fault as it was typed: for both directions, or for one of them, which goes before.
struct FaultText {
  std::optional<std::string> both;
  std::optional<std::string> requests;
  std::optional<std::string> replies;
};

/// The options as they were typed; everything is checked when they are read.
struct ProxyArguments {
  std::string listen = "udp://127.0.0.1:0";
  std::string target;
  std::uint64_t seed = 1;
  FaultText drop, duplicate, reorder, delay, corrupt, truncate;
  std::uint32_t reorder_by = 3;
  std::string reorder_hold = "100ms";
  std::size_t max_flows = 512;
  std::size_t max_held = proxy::HeldLimits{}.datagrams;
  std::size_t max_held_bytes = proxy::HeldLimits{}.bytes;
  std::string json;
  std::string log;
};

void add_proxy_options(Command& command, ProxyArguments& arguments);

/// Reads the options of the proxy, without the log. Error: one line that says what came and what is
/// allowed.
base::Result<proxy::ProxyOptions> read_proxy_options(const ProxyArguments& arguments);

/// Reads `5ms` or `1ms..5ms`.
base::Result<proxy::Delay> parse_delay(std::string_view text);

}  // namespace hallmark::cli
