#include "loadgen/drivers/stream/setup.hpp"

#include <fmt/format.h>

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/write.hpp>

#include "loadgen/drivers/stream/as_result.hpp"

namespace hallmark::loadgen {
namespace {

using base::Error;
using base::Result;

namespace asio = boost::asio;
using protocol::fast::Outcome;

constexpr std::size_t steps_at_once = 512;
constexpr std::size_t read_at_once = std::size_t{16} << 10;

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

/// Some steps under way on a connection. The id of each is its position among them.
class Batch {
 public:
  Batch(const Requests& requests, std::span<const SetupStep> steps, const StepObserver& observer)
      : requests_(requests), steps_(steps), observer_(observer), answered_(steps.size()) {}

  void append_to(protocol::ByteBuffer& out) const {
    for (std::uint32_t id = 0; id < steps_.size(); ++id) requests_.append(out, steps_[id], id);
  }

  bool done() const { return done_ == steps_.size(); }

  /// Takes what `received` holds of replies.
  Result<void> take(protocol::ByteBuffer& received) {
    while (!received.empty()) {
      const auto size = take_one(received.view());
      if (!size) return size.error();
      if (*size == 0) return {};
      received.consume(*size);
    }
    return {};
  }

 private:
  /// Bytes of the message at the start of `bytes`; 0 while it is not whole.
  Result<std::size_t> take_one(base::ByteView bytes) {
    if (const ReplyCheck delivery = requests_.delivery_check(bytes.front())) {
      return size_of("delivery", delivery(bytes, requests_.readings(), {}).outcome);
    }
    if (done()) return Error{"the target sent more than was asked for"};
    std::size_t id = done_;
    if (requests_.any_order()) {
      const auto repeated = requests_.id_of_reply(bytes);
      if (!repeated) return std::size_t{0};
      id = *repeated;
    }
    if (id >= steps_.size() || answered_[id]) return another(id);
    return take_reply(id, bytes);
  }

  Result<std::size_t> take_reply(std::size_t id, base::ByteView bytes) {
    const SetupStep& step = steps_[id];
    const RequestPart& part = *step.part;
    const CheckedReply reply = part.check(bytes, requests_.readings(), requests_.expected_of(step));
    if (!reply.outcome.complete()) return size_of(part.name, reply.outcome);
    if (part.repeats_id && reply.request_id != id) return another(reply.request_id);
    if (!reply.success && requests_.expected_of(step).must_succeed) {
      return Error{
          fmt::format("{} of a key that is not there: the target says failure (is the width right, "
                      "is there room for the keys?)",
                      part.name)};
    }
    if (observer_) observer_(step, reply);
    answered_[id] = true;
    ++done_;
    return reply.outcome.size;
  }

  static Error another(std::uint64_t id) {
    return {fmt::format("a reply repeats the id {}, but that request's is not due", id)};
  }

  static Result<std::size_t> size_of(std::string_view name, const Outcome& outcome) {
    if (outcome.state == Outcome::State::need_more) return std::size_t{0};
    if (outcome.complete()) return outcome.size;
    return Error{fmt::format("{}: malformed reply, field {}", name, outcome.field->name)};
  }

  const Requests& requests_;
  std::span<const SetupStep> steps_;
  const StepObserver& observer_;
  std::vector<bool> answered_;
  std::size_t done_ = 0;
};

asio::awaitable<Result<void>> play_some(Stream& stream, const Requests& requests,
                                        std::span<const SetupStep> steps,
                                        const StepObserver& answered) {
  Batch batch{requests, steps, answered};
  protocol::ByteBuffer out;
  batch.append_to(out);
  const auto [failed, written] =
      co_await asio::async_write(stream, asio::buffer(out.data(), out.size()), as_result);
  if (failed) co_return Error{failed.message()};
  protocol::ByteBuffer received;
  while (!batch.done()) {
    std::uint8_t* const room = received.prepare(read_at_once);
    const auto [error, n] =
        co_await stream.async_read_some(asio::buffer(room, read_at_once), as_result);
    if (error == asio::error::operation_aborted) co_return Error{"no reply in time"};
    if (error) co_return Error{error.message()};
    received.commit(n);
    auto taken = batch.take(received);
    if (!taken) co_return taken;
  }
  co_return Result<void>{};
}

}  // namespace

asio::awaitable<Result<void>> play(Stream& stream, const Requests& requests,
                                   std::span<const SetupStep> steps,
                                   std::chrono::nanoseconds timeout, StepObserver answered) {
  while (!steps.empty()) {
    const auto some = steps.first(std::min(steps.size(), steps_at_once));
    const Deadline deadline{stream, timeout};
    auto played = co_await play_some(stream, requests, some, answered);
    if (!played) co_return played;
    steps = steps.subspan(some.size());
  }
  co_return Result<void>{};
}

}  // namespace hallmark::loadgen
