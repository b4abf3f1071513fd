#include "proxy/endpoint.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hallmark::proxy {

using base::Error;
using base::Result;

std::string to_string(const Udp::endpoint& address) {
  return base::to_string(Endpoint{address.address().to_string(), address.port()});
}

Result<Udp::endpoint> resolve(boost::asio::io_context& context, const Endpoint& endpoint,
                              const Udp& preferred) {
  boost::system::error_code error;
  Udp::resolver resolver(context);
  const auto found = resolver.resolve(endpoint.host, std::to_string(endpoint.port),
                                      Udp::resolver::numeric_service, error);
  if (error) {
    return Error{fmt::format("cannot resolve {}: {}", base::to_string(endpoint), error.message())};
  }
  const auto same_family = std::find_if(found.begin(), found.end(), [&](const auto& entry) {
    return entry.endpoint().protocol() == preferred;
  });
  return (same_family != found.end() ? same_family : found.begin())->endpoint();
}

}  // namespace hallmark::proxy
