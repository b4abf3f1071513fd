#include "loadgen/drivers/datagram/tests/responder.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include <array>

#include "protocol/codec/fast_text.hpp"
#include "protocol/dialects/ratelimit_udp.hpp"

namespace hallmark::loadgen::datagram {
namespace {

namespace fast_text = protocol::fast_text;
using protocol::values;
using protocol::tables::ratelimit_udp;
using protocol::operator""_f;
using protocol::fast::operation_index;

constexpr std::size_t over_limit = operation_index(ratelimit_udp, "over_limit");
constexpr std::size_t get_stats = operation_index(ratelimit_udp, "get_stats");
constexpr std::size_t get_size = operation_index(ratelimit_udp, "get_size");
constexpr std::size_t ping = operation_index(ratelimit_udp, "ping");

template <std::size_t operation>
bool read(base::ByteView bytes, Asked& asked) {
  using Request = fast_text::Request<ratelimit_udp, operation>;
  typename Request::View view;
  if (!fast_text::decode<Request>(bytes, deployed, view)) return false;
  asked.id = view.template text<"request_id">();
  asked.operation = ratelimit_udp.operations[operation].name;
  if constexpr (operation == over_limit || operation == get_stats) {
    asked.key = view.template text<"key">();
  }
  return true;
}

template <std::size_t operation, class Values>
std::string text(const Values& content) {
  protocol::ByteBuffer out;
  fast_text::encode<fast_text::Reply<ratelimit_udp, operation>>(out, deployed, content);
  return std::string{base::as_text(out.view())};
}

}  // namespace

std::string good_reply(const Asked& asked) {
  const std::string_view id = asked.id;
  const std::string_view key = asked.key;
  if (asked.operation == "over_limit") {
    return text<over_limit>(values("request_id"_f = id, "over"_f = 'N', "rate"_f = 0U,
                                   "limit"_f = 220U, "period"_f = 20U));
  }
  if (asked.operation == "get_stats") {
    return text<get_stats>(values("request_id"_f = id, "n_req"_f = 0U, "n_over"_f = 0U,
                                  "last_max_rate"_f = 0U, "key"_f = key));
  }
  if (asked.operation == "get_size") {
    return text<get_size>(
        values("request_id"_f = id, "size"_f = std::string_view("0"), "keys"_f = 0U));
  }
  return text<ping>(values("request_id"_f = id));
}

std::vector<Reply> usual(const Asked& asked) { return {{good_reply(asked), {}}}; }

Responder::Responder(Behaviour behaviour)
    : behaviour_(std::move(behaviour)), socket_(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  const int room = 4 << 20;
  setsockopt(socket_.get(), SOL_SOCKET, SO_RCVBUF, &room, sizeof room);
  auto* const generic = reinterpret_cast<sockaddr*>(&address);
  if (::bind(socket_.get(), generic, size) != 0)
    throw std::system_error(errno, std::generic_category());
  getsockname(socket_.get(), generic, &size);
  target_ = fmt::format("udp://127.0.0.1:{}", ntohs(address.sin_port));
  thread_ = std::thread([this] { serve(); });
}

Responder::~Responder() {
  stopped_ = true;
  thread_.join();
}

std::uint64_t Responder::received(const std::string& operation) const {
  const std::scoped_lock lock{mutex_};
  const auto found = received_.find(operation);
  return found == received_.end() ? 0 : found->second;
}

void Responder::serve() {
  while (!stopped_) {
    pollfd waiting{socket_.get(), POLLIN, 0};
    ::poll(&waiting, 1, wait_ms());
    if (waiting.revents != 0) take();
    send_due();
  }
}

int Responder::wait_ms() const { return due_.empty() ? 10 : 1; }

void Responder::take() {
  std::array<std::uint8_t, 2048> buffer{};
  sockaddr_storage from{};
  socklen_t size = sizeof from;
  auto* const generic = reinterpret_cast<sockaddr*>(&from);
  const auto n = ::recvfrom(socket_.get(), buffer.data(), buffer.size(), 0, generic, &size);
  if (n < 0) return;
  const base::ByteView bytes{buffer.data(), static_cast<std::size_t>(n)};
  Asked asked;
  if (!read<over_limit>(bytes, asked) && !read<get_stats>(bytes, asked) &&
      !read<get_size>(bytes, asked) && !read<ping>(bytes, asked)) {
    return;
  }
  {
    const std::scoped_lock lock{mutex_};
    asked.nth = received_[asked.operation]++;
  }
  for (Reply& reply : behaviour_(asked)) {
    due_.emplace(Clock::now() + reply.after, Due{std::move(reply.bytes), from, size});
  }
}

void Responder::send_due() {
  while (!due_.empty() && due_.begin()->first <= Clock::now()) {
    const Due& due = due_.begin()->second;
    ::sendto(socket_.get(), due.bytes.data(), due.bytes.size(), MSG_NOSIGNAL,
             reinterpret_cast<const sockaddr*>(&due.to), due.size);
    due_.erase(due_.begin());
  }
}

}  // namespace hallmark::loadgen::datagram
