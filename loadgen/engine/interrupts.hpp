#pragma once
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <functional>

namespace hallmark::loadgen {

/// SIGINT and SIGTERM while it lives, each told to the thread that runs the context.
class Interrupts {
 public:
  explicit Interrupts(boost::asio::io_context& context) : signals_(context) {}

  void watch(std::function<void()> on_interrupt);

 private:
  void wait();

  boost::asio::signal_set signals_;
  std::function<void()> on_interrupt_;
};

}  // namespace hallmark::loadgen
