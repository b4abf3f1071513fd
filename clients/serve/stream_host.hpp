#pragma once

#include <atomic>
#include <chrono>
#include <deque>
#include <map>
#include <optional>
#include <thread>

#include "base/descriptor.hpp"
#include "base/waker.hpp"
#include "clients/serve/host.hpp"
#include "clients/serve/recorder.hpp"
#include "clients/serve/stream_service.hpp"
#include "clients/serve/undisturbed.hpp"
#include "reference/server/server_clock.hpp"

namespace hallmark::clients {

/// The sockets of a stream dialect: one thread that waits for all of them.
class StreamHost final : public Host {
 public:
  explicit StreamHost(HostOptions options);
  ~StreamHost() override;

  /// Error: one line that says why there is no port.
  base::Result<void> start();
  std::uint16_t port() const override { return port_; }
  Observed stop() override;

 private:
  using Clock = std::chrono::steady_clock;

  /// A step with the mark of the change that it is the last step of.
  struct Due {
    Step step;
    Recorder::Mark mark = Recorder::unmarked;
  };

  struct Connection {
    base::Descriptor socket{};
    std::uint64_t number = 0;
    std::deque<Due> steps{};
    std::size_t waiting_bytes = 0;  ///< of the steps
    std::size_t sent = 0;           ///< bytes of the step in front
    Clock::time_point not_before{};
    base::Bytes held{};
    std::vector<Recorder::Mark> held_marks{};
    Clock::time_point held_until{};
    bool input_ended = false;
    bool sending_ended = false;  ///< nothing more is sent
    bool blocked = false;        ///< the socket takes no more at the moment
    bool is_over = false;        ///< the socket is to be closed
    bool had_delivery = false;   ///< the bytes that the client left need not be a reply
    /// Set once the server has ended its sending: until then, what still comes is read.
    std::optional<Clock::time_point> lingers_until{};
  };

  void run();
  /// Looks at all sockets, after waiting for them where `waits`. Returns false if nothing came.
  bool serve(bool waits);
  void serve(Connection& connection, short events);
  /// The time until the next thing is due; nothing: nothing is.
  std::optional<std::chrono::nanoseconds> time_left() const;
  void accept();
  void read(Connection& connection);
  void on_bytes(Connection& connection, base::ByteView bytes);
  void on_input_end(Connection& connection, bool by_reset);
  void answer(Connection& connection);
  void send_out(const Message& message, bool ends);
  void note_left_replies(const Connection& connection);
  Recorder::Mark compare(const Message& message, Treatment& treatment);

  void perform(Connection& connection);
  /// True if the next step can be looked at.
  bool step(Connection& connection);
  bool send_step(Connection& connection, Due& due);
  bool flood_step(Connection& connection, Due& due);
  void hold_step(Connection& connection, Due& due);
  bool flush_held(Connection& connection);
  void end(Connection& connection, Step::Kind how);
  void pop(Connection& connection, Recorder::Leaves leaves = Recorder::Leaves::before);
  /// Returns how many bytes the socket took; nothing: the connection is broken.
  std::optional<std::size_t> write(Connection& connection, base::ByteView bytes);
  void restart();
  void remove_ended();

  HostOptions options_;
  server::ServerClock clock_{};
  Recorder recorder_;
  std::unique_ptr<StreamService> service_;
  std::unique_ptr<Undisturbed> undisturbed_;  ///< null where nothing is compared
  base::Descriptor listener_;
  std::uint16_t port_ = 0;
  base::Waker stop_;
  std::map<std::uint64_t, Connection> connections_;
  std::atomic<bool> is_stopping_{false};
  std::thread thread_;
};

}  // namespace hallmark::clients
