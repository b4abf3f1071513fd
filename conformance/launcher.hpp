#pragma once

#include <condition_variable>
#include <future>
#include <mutex>
#include <optional>
#include <thread>

#include "conformance/process.hpp"

namespace hallmark::conformance {

/// Starts processes from one thread, whoever asks: a child is ended with the thread that started
/// it, and threads that play cases come and go. Processes end when this does.
class Launcher {
 public:
  using Started = boost::system::result<std::unique_ptr<Process>, std::string>;

  Launcher();
  ~Launcher();
  Launcher(const Launcher&) = delete;
  Launcher& operator=(const Launcher&) = delete;

  /// As `Process::start`. For use by one thread at a time.
  Started start(const std::string& command);

 private:
  void work();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<std::packaged_task<Started()>> task_;
  bool ending_ = false;
  std::jthread thread_;
};

}  // namespace hallmark::conformance
