#include "reference/session/datagram_session.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "protocol/codec/fast_text.hpp"
#include "protocol/codec/tenths.hpp"
#include "protocol/dialects/ratelimit_udp.hpp"

namespace hallmark::server {

namespace {

using namespace protocol::literals;
using base::ByteView;
using model::LongRequest;
using model::Time;
using protocol::ByteBuffer;
using protocol::tenths_of;
using protocol::values;
using protocol::ratelimit::longest_request;
using protocol::tables::ratelimit_udp;

namespace fast_text = protocol::fast_text;

constexpr std::size_t longest_datagram = 65'535;

constexpr std::size_t over_limit = protocol::fast::operation_index(ratelimit_udp, "over_limit");
constexpr std::size_t get_stats = protocol::fast::operation_index(ratelimit_udp, "get_stats");
constexpr std::size_t get_size = protocol::fast::operation_index(ratelimit_udp, "get_size");
constexpr std::size_t ping = protocol::fast::operation_index(ratelimit_udp, "ping");

template <std::size_t operation>
using Reply = fast_text::Reply<ratelimit_udp, operation>;

/// The number that digits make, modulo 2^64.
std::uint64_t number_of(std::string_view digits) {
  std::uint64_t number = 0;
  for (const char digit : digits) number = number * 10 + static_cast<std::uint64_t>(digit - '0');
  return number;
}

class NumberText {
 public:
  std::string_view of(std::uint64_t number) {
    const auto end = std::to_chars(text_.data(), text_.data() + text_.size(), number).ptr;
    return {text_.data(), static_cast<std::size_t>(end - text_.data())};
  }

 private:
  std::array<char, 20> text_;
};

}  // namespace

struct DatagramSession::Request {
  std::string_view id;   ///< empty: none
  std::string_view key;  ///< for operations that have one
  NumberText number;
};

template <std::size_t operation>
bool DatagramSession::read(ByteView datagram, Request& request) const {
  typename fast_text::Request<ratelimit_udp, operation>::View view;
  if (!fast_text::decode<fast_text::Request<ratelimit_udp, operation>>(datagram, readings_, view)) {
    return false;
  }
  request.id = view.template text<"request_id">();
  if (limiter_.behaviour().udp_id_number && !request.id.empty()) {
    request.id = request.number.of(number_of(request.id));
  }
  if constexpr (operation == over_limit || operation == get_stats) {
    request.key = view.template text<"key">();
  }
  return true;
}

template <std::size_t operation>
bool DatagramSession::read_with_key(ByteView datagram, Request& request) const {
  const model::RateBehaviour& behaviour = limiter_.behaviour();
  ByteView line = datagram;
  if (behaviour.key_newline_part) {
    line = datagram.first(
        static_cast<std::size_t>(std::ranges::find(datagram, '\n') - datagram.begin()));
  }
  if (!read<operation>(line, request)) return false;
  // The key is the end of the line: what a newline cut off belongs to it.
  request.key = {request.key.data(), request.key.size() + datagram.size() - line.size()};
  if (behaviour.udp_key_word) request.key = request.key.substr(0, request.key.find(' '));
  return !request.key.empty() || !behaviour.empty_key_silence;
}

std::size_t DatagramSession::most_bytes() const {
  switch (limiter_.behaviour().long_request) {
    case LongRequest::silence: return longest_request + 1;
    case LongRequest::cut: return longest_request;
    case LongRequest::read: return longest_datagram;
  }
  return longest_datagram;
}

std::size_t DatagramSession::answer(ByteView datagram, Time now, ByteBuffer& out) {
  const LongRequest long_request = limiter_.behaviour().long_request;
  if (datagram.size() > longest_request && long_request != LongRequest::read) {
    if (long_request == LongRequest::silence) return 0;
    datagram = datagram.first(longest_request);
  }
  Request request;
  if (read_with_key<over_limit>(datagram, request)) return answer_over_limit(request, now, out);
  if (read_with_key<get_stats>(datagram, request)) return answer_get_stats(request, now, out);
  if (read<get_size>(datagram, request)) return answer_get_size(request, out);
  if (read<ping>(datagram, request)) return answer_ping(request, out);
  return 0;
}

std::size_t DatagramSession::answer_over_limit(const Request& request, Time now, ByteBuffer& out) {
  const auto use = limiter_.use(request.key, now);
  if (!use) return 0;
  return fast_text::encode<Reply<over_limit>>(
      out, readings_,
      values("request_id"_f = request.id, "over"_f = use->is_over ? 'Y' : 'N',
             "rate"_f = tenths_of(use->rate), "limit"_f = tenths_of(use->limit),
             "period"_f = std::uint64_t{use->period_seconds}));
}

std::size_t DatagramSession::answer_get_stats(const Request& request, Time now, ByteBuffer& out) {
  const model::UseCounts counts = limiter_.counts(request.key, now);
  return fast_text::encode<Reply<get_stats>>(
      out, readings_,
      values("request_id"_f = request.id, "n_req"_f = counts.requests, "n_over"_f = counts.over,
             "last_max_rate"_f = static_cast<std::uint64_t>(counts.last_max_rate),
             "key"_f = request.key));
}

std::size_t DatagramSession::answer_get_size(const Request& request, ByteBuffer& out) {
  // A hash of the released server's language gives as its size how many keys it has.
  NumberText size;
  const std::uint64_t keys = limiter_.keys();
  return fast_text::encode<Reply<get_size>>(
      out, readings_,
      values("request_id"_f = request.id, "size"_f = size.of(keys), "keys"_f = keys));
}

std::size_t DatagramSession::answer_ping(const Request& request, ByteBuffer& out) {
  return fast_text::encode<Reply<ping>>(out, readings_, values("request_id"_f = request.id));
}

}  // namespace hallmark::server
