#include "loadgen/setup.hpp"

#include <fmt/format.h>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

namespace hallmark::loadgen {
namespace {

namespace asio = boost::asio;
using protocol::fast::Outcome;

constexpr auto as_result = asio::as_tuple(asio::use_awaitable);
constexpr std::size_t steps_at_once = 512;
constexpr std::size_t read_bytes = std::size_t{16} << 10;

/// Cancels the operations of a stream unless it is destroyed in time.
class Deadline {
 public:
  Deadline(Stream& stream, std::chrono::nanoseconds timeout)
      : timer_(stream.get_executor(), timeout) {
    timer_.async_wait([&stream, armed = armed_](boost::system::error_code stopped) {
      boost::system::error_code ignored;
      if (!stopped && *armed) stream.cancel(ignored);
    });
  }
  Deadline(const Deadline&) = delete;
  Deadline& operator=(const Deadline&) = delete;
  ~Deadline() { *armed_ = false; }

 private:
  /// Outlives the deadline: its handler may be on its way already.
  std::shared_ptr<bool> armed_ = std::make_shared<bool>(true);
  asio::steady_timer timer_;
};

/// Takes the replies to `steps` that `received` holds; `done` counts them.
Result<void> take_replies(protocol::ByteBuffer& received, const Requests& requests,
                          std::span<const SetupStep> steps, std::size_t& done) {
  while (!received.empty()) {
    if (done == steps.size()) return Error{"the target sent more than was asked for"};
    const RequestPart& part = *steps[done].part;
    const CheckedReply reply = part.check(received.view(), requests.readings(), part.expected);
    if (reply.outcome.state == Outcome::State::need_more) return {};
    if (!reply.outcome.complete()) {
      return Error{
          fmt::format("{}: malformed reply, field {}", part.name, reply.outcome.field->name)};
    }
    if (!reply.success && part.expected.must_succeed) {
      return Error{
          fmt::format("{} of a key that is not there: the target says failure (is the "
                      "width right, is there room for the keys?)",
                      part.name)};
    }
    received.consume(reply.outcome.size);
    ++done;
  }
  return {};
}

asio::awaitable<Result<void>> play_some(Stream& stream, const Requests& requests,
                                        std::span<const SetupStep> steps) {
  protocol::ByteBuffer out;
  for (const SetupStep& step : steps) step.part->frame.append(out, step.key, ~std::uint64_t{0});
  const auto [failed, written] =
      co_await asio::async_write(stream, asio::buffer(out.data(), out.size()), as_result);
  if (failed) co_return Error{failed.message()};
  protocol::ByteBuffer received;
  for (std::size_t done = 0; done < steps.size();) {
    std::uint8_t* const room = received.prepare(read_bytes);
    const auto [error, n] =
        co_await stream.async_read_some(asio::buffer(room, read_bytes), as_result);
    if (error == asio::error::operation_aborted) co_return Error{"no reply in time"};
    if (error) co_return Error{error.message()};
    received.commit(n);
    auto taken = take_replies(received, requests, steps, done);
    if (!taken) co_return taken;
  }
  co_return Result<void>{};
}

}  // namespace

asio::awaitable<Result<void>> play(Stream& stream, const Requests& requests,
                                   std::span<const SetupStep> steps,
                                   std::chrono::nanoseconds timeout) {
  while (!steps.empty()) {
    const auto some = steps.first(std::min(steps.size(), steps_at_once));
    const Deadline deadline{stream, timeout};
    auto played = co_await play_some(stream, requests, some);
    if (!played) co_return played;
    steps = steps.subspan(some.size());
  }
  co_return Result<void>{};
}

}  // namespace hallmark::loadgen
