#include "conformance/launcher.hpp"

namespace hallmark::conformance {

Launcher::Launcher() : thread_([this] { work(); }) {}

Launcher::~Launcher() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_one();
}

Launcher::Started Launcher::start(const std::string& command) {
  std::packaged_task<Started()> task([&] { return Process::start(command); });
  std::future<Started> started = task.get_future();
  {
    const std::lock_guard lock(mutex_);
    task_ = std::move(task);
  }
  changed_.notify_one();
  return started.get();
}

void Launcher::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return ending_ || task_.has_value(); });
    if (ending_) return;
    (*task_)();
    task_.reset();
  }
}

}  // namespace hallmark::conformance
