#include "loadgen/engine/loop_thread.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <chrono>

namespace hallmark::loadgen {

namespace asio = boost::asio;

LoopEvents handed_over(asio::io_context& context, const LoopEvents& events) {
  LoopEvents posted;
  posted.report = [&context, report = events.report](std::int64_t second,
                                                     std::unique_ptr<Tally> tally, bool last) {
    asio::post(context, [report, second, counted = std::move(tally), last]() mutable {
      report(second, std::move(counted), last);
    });
  };
  posted.done = [&context, done = events.done](std::int64_t end_ns) {
    asio::post(context, [done, end_ns] { done(end_ns); });
  };
  return posted;
}

std::thread start_loop_thread(asio::io_context& context, std::function<void()> body,
                              std::function<void(std::exception_ptr)> broken, ThreadUse& use) {
  return std::thread([&context, work = std::move(body), told = std::move(broken), &use] {
    const auto started = std::chrono::steady_clock::now();
    try {
      work();
    } catch (...) {
      asio::post(context, [told, failed = std::current_exception()] { told(failed); });
    }
    use = use_of_this_thread();
    use.lived_ns = std::chrono::nanoseconds(std::chrono::steady_clock::now() - started).count();
  });
}

}  // namespace hallmark::loadgen
