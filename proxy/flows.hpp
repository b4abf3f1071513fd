#pragma once
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/udp.hpp>
#include <boost/multi_index/hashed_index.hpp>
#include <boost/multi_index/key.hpp>
#include <boost/multi_index/sequenced_index.hpp>
#include <boost/multi_index_container.hpp>
#include <cstdint>
#include <memory>

#include "proxy/endpoint.hpp"

namespace hallmark::proxy {

using UdpSocket = boost::asio::basic_datagram_socket<Udp, boost::asio::io_context::executor_type>;

/// A client, and the socket on which the target sees it: what comes back there is for this client.
struct Flow {
  std::uint64_t number = 0;  ///< the relay's
  Udp::endpoint client{};
  UdpSocket upstream;
};

/// The open flows, found by client and by number, and known by when they were last used.
class Flows {
 public:
  using Handle = std::shared_ptr<Flow>;

  /// Empty where there is none.
  Handle of_client(const Udp::endpoint& client) const;
  Handle numbered(std::uint64_t number) const;

  void add(Handle flow);
  void remove(const Flow& flow);
  /// It passed something just now.
  void touch(const Flow& flow);

  /// The one that has been idle the longest; there has to be one.
  const Handle& oldest() const { return flows_.front(); }
  std::size_t size() const { return flows_.size(); }
  /// Begins with the one that has been idle the longest.
  auto begin() const { return flows_.begin(); }
  auto end() const { return flows_.end(); }

 private:
  struct ByNumber {};
  struct ByClient {};
  boost::multi_index_container<
      Handle, boost::multi_index::indexed_by<
                  boost::multi_index::sequenced<>,
                  boost::multi_index::hashed_unique<boost::multi_index::tag<ByNumber>,
                                                    boost::multi_index::key<&Flow::number>>,
                  boost::multi_index::hashed_unique<boost::multi_index::tag<ByClient>,
                                                    boost::multi_index::key<&Flow::client>,
                                                    std::hash<Udp::endpoint>>>>
      flows_;
};

}  // namespace hallmark::proxy
