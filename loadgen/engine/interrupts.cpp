#include "loadgen/engine/interrupts.hpp"

#include <csignal>

namespace hallmark::loadgen {

void Interrupts::watch(std::function<void()> on_interrupt) {
  on_interrupt_ = std::move(on_interrupt);
  signals_.add(SIGINT);
  signals_.add(SIGTERM);
  wait();
}

void Interrupts::wait() {
  signals_.async_wait([this](boost::system::error_code error, int) {
    if (error) return;
    on_interrupt_();
    wait();
  });
}

}  // namespace hallmark::loadgen
