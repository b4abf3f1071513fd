#include "conformance/drivers/driver.hpp"

#include "conformance/drivers/transports.hpp"

namespace hallmark::conformance {

std::optional<std::set<std::string>> Driver::readings_needed(const CaseSources&, const Filter&,
                                                             const WireFormat&) const {
  return std::nullopt;
}

const Driver& driver_of(protocol::Transport transport) {
  switch (transport) {
    case protocol::Transport::stream: return stream_driver();
    case protocol::Transport::datagram: return datagram_driver();
    case protocol::Transport::at_rest: return adapter_driver();
  }
  return stream_driver();
}

const Driver& driver_of(const Asked& asked) {
  return driver_of(asked.dialect == nullptr ? protocol::Transport::stream
                                            : asked.dialect->transport);
}

}  // namespace hallmark::conformance
