#pragma once
#include <atomic>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>

#include "loadgen/drivers/stream/requests.hpp"
#include "loadgen/engine/run.hpp"
#include "protocol/record.hpp"

namespace hallmark::loadgen {

/// A responder's answer to one request.
struct Answer {
  enum class Then { go_on, close, reset, stop_reading };
  base::Bytes bytes;
  Then then = Then::go_on;
};

/// A request as a responder read it.
struct Asked {
  std::string operation;       ///< in lower case
  std::uint64_t nth = 0;       ///< of that operation, over all connections, from 0
  std::size_t connection = 0;  ///< that it came on, from 0, in the order of accepting
  protocol::Record fields;
};

using Behaviour = std::function<Answer(const Asked& asked)>;

/// The reply of a good server, at least to requests that must succeed.
base::Bytes good_reply(const Asked& asked, const Workload& workload, bool success = true);

/// A target as small as can be: decodes requests, looks nothing up, and answers what a test tells
/// it to. On a thread of its own, at a port of the system's choice.
class Responder {
 public:
  /// Listens at a TCP port, or at the Unix socket `path` if there is one.
  Responder(const Workload& workload, Behaviour behaviour, const std::string& path = {});
  ~Responder();
  Responder(const Responder&) = delete;
  Responder& operator=(const Responder&) = delete;

  const std::string& target() const { return target_; }
  /// Requests of that operation so far.
  std::uint64_t received(const std::string& operation) const;
  /// The number of times that each request came, by its bytes.
  std::map<base::Bytes, int> requests() const;

 private:
  using Stream = boost::asio::generic::stream_protocol::socket;

  template <class Acceptor>
  boost::asio::awaitable<void> accept(Acceptor acceptor);
  boost::asio::awaitable<void> serve(Stream stream, std::size_t connection);
  /// Takes one request off the front of `input`; false when it is not whole.
  bool take(protocol::ByteBuffer& input, Asked& asked);

  Workload workload_;
  Behaviour behaviour_;
  std::string target_;
  mutable std::mutex mutex_;
  std::map<std::string, std::uint64_t> received_;
  std::map<base::Bytes, int> requests_;
  boost::asio::io_context context_{1};
  std::thread thread_;
};

/// A short run against it: 500 requests over four connections of two threads in 250 ms. Patient,
/// and deaf to signals.
LoadOptions options_for(const Responder& responder, const Workload& workload);

/// The result of a run that must be able to start.
reports::LoadResult measured(const LoadOptions& options, const LoadOutputs& outputs = {});

}  // namespace hallmark::loadgen
