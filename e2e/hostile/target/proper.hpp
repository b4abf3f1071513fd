#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/waker.hpp"
#include "e2e/hostile/target/behaviour.hpp"
#include "protocol/codec/byte_buffer.hpp"
#include "reference/server/shared_state.hpp"

namespace hallmark::hostile {

/// The reference without its sockets: a hostile target spoils what it answers. It answers on the
/// thread that asks; any number of threads may.
class ProperServer {
 public:
  /// Ends the program if there is no such server.
  explicit ProperServer(const Spoken& spoken);

  /// The server's side of one client, for one thread at a time. The server outlives it.
  class Line {
   public:
    Line(ProperServer& server, model::Connection& connection);
    Line(const Line&) = delete;
    Line& operator=(const Line&) = delete;
    ~Line();

    /// Returns what the client is to receive after it sent those bytes: what was published for it
    /// before comes first. If `has_more()`, the rest comes after no bytes at all.
    std::string answer(const std::string& bytes);
    bool has_more() const;

    /// Returns what has been published for the client since the last answer, perhaps nothing.
    std::string published();
    /// Can be read when there is something, and when the server has ended.
    int published_fd() const { return waker_.fd(); }

    /// True if the client gets nothing more: it sent what is no request, or did not take what was
    /// published, or the server has ended.
    bool is_over() const;

   private:
    friend class ProperServer;

    ProperServer& server_;
    model::Connection& connection_;
    std::unique_ptr<server::Session> session_;
    protocol::ByteBuffer in_;
    base::Waker waker_;
    // Guarded by the server's mutex:
    protocol::ByteBuffer out_;
    server::SessionState state_ = server::SessionState::reading;
  };

  /// Returns null when it takes no more.
  std::unique_ptr<Line> open(const model::Peer& peer);

  /// Ends all lines, as a server does whose process is gone.
  void end();

 private:
  void route(const std::vector<server::Delivery>& deliveries, const Line& publisher);

  server::SharedState shared_;
  std::unordered_map<std::uint64_t, Line*> lines_;  ///< guarded by the mutex, as what follows
  bool has_ended_ = false;
};

}  // namespace hallmark::hostile
