#include "loadgen/tests/responder.hpp"

#include <fmt/format.h>
#include <sys/socket.h>

#include <array>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>

#include "loadgen/drivers/stream/as_result.hpp"
#include "loadgen/tests/replies.hpp"
#include "protocol/codec/decode.hpp"

namespace hallmark::loadgen {
namespace {

namespace asio = boost::asio;

void reset(asio::generic::stream_protocol::socket& stream) {
  const linger at_once{1, 0};
  ::setsockopt(stream.native_handle(), SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
}

/// A socket that is closed with bytes unread sends a reset: what still comes is read until the peer
/// closes, too.
asio::awaitable<void> close_in_order(asio::generic::stream_protocol::socket& stream) {
  boost::system::error_code error;
  stream.shutdown(asio::socket_base::shutdown_send, error);
  std::array<std::uint8_t, 4096> unheeded;
  while (!error)
    error = std::get<0>(co_await stream.async_read_some(asio::buffer(unheeded), as_result));
}

}  // namespace

base::Bytes good_reply(const Asked& asked, const Workload& workload, bool success) {
  return reply_to(asked.operation, workload, success,
                  {{"request_id", asked.fields.number_or("request_id", 0)}});
}

Responder::Responder(const Workload& workload, Behaviour behaviour, const std::string& path)
    : workload_(workload), behaviour_(std::move(behaviour)) {
  if (path.empty()) {
    asio::ip::tcp::acceptor acceptor{context_, {asio::ip::address_v4::loopback(), 0}};
    target_ = fmt::format("tcp://127.0.0.1:{}", acceptor.local_endpoint().port());
    asio::co_spawn(context_, accept(std::move(acceptor)), asio::detached);
  } else {
    asio::local::stream_protocol::acceptor acceptor{context_, {path}};
    target_ = "unix://" + path;
    asio::co_spawn(context_, accept(std::move(acceptor)), asio::detached);
  }
  thread_ = std::thread{[this] { context_.run(); }};
}

Responder::~Responder() {
  context_.stop();
  thread_.join();
}

std::uint64_t Responder::received(const std::string& operation) const {
  const std::scoped_lock lock{mutex_};
  const auto found = received_.find(operation);
  return found == received_.end() ? 0 : found->second;
}

std::map<base::Bytes, int> Responder::requests() const {
  const std::scoped_lock lock{mutex_};
  return requests_;
}

template <class Acceptor>
asio::awaitable<void> Responder::accept(Acceptor acceptor) {
  for (std::size_t accepted = 0;; ++accepted) {
    auto [error, stream] = co_await acceptor.async_accept(as_result);
    if (error) co_return;
    asio::co_spawn(context_, serve(Stream{std::move(stream)}, accepted), asio::detached);
  }
}

asio::awaitable<void> Responder::serve(Stream stream, std::size_t connection) {
  protocol::ByteBuffer input;
  for (;;) {
    std::uint8_t* const room = input.prepare(16384);
    const auto [error, n] = co_await stream.async_read_some(asio::buffer(room, 16384), as_result);
    if (error) co_return;
    input.commit(n);
    base::Bytes output;
    auto then = Answer::Then::go_on;
    Asked asked;
    asked.connection = connection;
    while (then == Answer::Then::go_on && take(input, asked)) {
      Answer answer = behaviour_(asked);
      output.insert(output.end(), answer.bytes.begin(), answer.bytes.end());
      then = answer.then;
    }
    const auto [failed, written] =
        co_await asio::async_write(stream, asio::buffer(output), as_result);
    if (then == Answer::Then::reset) reset(stream);
    if (then == Answer::Then::close) co_await close_in_order(stream);
    if (failed || then == Answer::Then::close || then == Answer::Then::reset) co_return;
    if (then != Answer::Then::stop_reading) continue;
    asio::steady_timer never{context_, std::chrono::steady_clock::time_point::max()};
    co_await never.async_wait(asio::use_awaitable);
  }
}

bool Responder::take(protocol::ByteBuffer& input, Asked& asked) {
  if (input.empty()) return false;
  const auto* found = protocol::find_operation(workload_.readings.dialect(), *input.data());
  if (found == nullptr) throw std::runtime_error("an opcode that the dialect does not have");
  const auto layout = protocol::Layout::request(*found, workload_.width, workload_.readings);
  protocol::Decoder decoder{layout};
  const auto state = decoder.resume(input.view());
  if (state == protocol::Decoder::State::malformed) throw std::runtime_error("malformed request");
  if (state == protocol::Decoder::State::need_more) return false;
  asked.operation.clear();
  for (const char c : found->name) asked.operation += static_cast<char>(c - 'A' + 'a');
  asked.fields = protocol::MessageView{decoder, input.view()}.record();
  const auto bytes = input.view().first(decoder.size());
  const std::scoped_lock lock{mutex_};
  asked.nth = received_[asked.operation]++;
  ++requests_[base::Bytes(bytes.begin(), bytes.end())];
  input.consume(decoder.size());
  return true;
}

LoadOptions options_for(const Responder& responder, const Workload& workload) {
  LoadOptions options{.target_text = responder.target(),
                      .target = base::parse_endpoint<Target>(responder.target()).value(),
                      .workload = workload};
  options.rate = 2'000;
  options.connections = 4;
  options.threads = 2;
  options.duration = std::chrono::milliseconds(250);
  options.timeout = std::chrono::seconds(10);
  options.handle_signals = false;
  options.watched = 0;  // it keeps no records
  return options;
}

reports::LoadResult measured(const LoadOptions& options, const LoadOutputs& outputs) {
  return run_load(options, outputs).value();
}

}  // namespace hallmark::loadgen
