#include "cli/live/live_server.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <boost/asio/post.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <future>
#include <optional>
#include <set>
#include <sstream>
#include <vector>

#include "cli/http/http_listener.hpp"
#include "cli/live/live_request.hpp"

namespace hallmark::cli {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using asio::ip::tcp;
using boost::system::error_code;
using LiveRequest = http::request<http::empty_body>;
using LiveReply = http::response<http::string_body>;
using LiveText = std::shared_ptr<const std::string>;

constexpr std::chrono::seconds between_events{1};
constexpr std::size_t most_readers = 32;

/// Below that of the threads that send requests.
void lower_own_priority() { setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), 10); }

std::string_view field_of(const LiveRequest& request, std::string_view name) {
  const auto value = request[beast::string_view(name.data(), name.size())];
  return {value.data(), value.size()};
}

bool is_own(const LiveRequest& request, std::string_view own_host) {
  return is_own_request({field_of(request, "Host"), field_of(request, "Origin"),
                         field_of(request, "Sec-Fetch-Site"), field_of(request, "Sec-Fetch-Mode")},
                        own_host);
}

LiveReply live_reply(http::status status, std::string_view type, std::string body = {}) {
  LiveReply reply{status, 11};
  reply.keep_alive(false);
  reply.set(http::field::content_type, beast::string_view(type.data(), type.size()));
  reply.set(http::field::cache_control, "no-store");
  reply.set("Content-Security-Policy", "frame-ancestors 'none'");
  reply.set("Cross-Origin-Resource-Policy", "same-origin");
  reply.set("X-Content-Type-Options", "nosniff");
  reply.body() = std::move(body);
  return reply;
}

LiveReply refusal(http::status status, std::string why) {
  return live_reply(status, "text/plain; charset=utf-8", std::move(why) + '\n');
}

std::string header_of_events() {
  std::ostringstream text;
  text << live_reply(http::status::ok, "text/event-stream").base();
  return std::move(text).str();
}

/// `json`: in one line.
std::string event_text(std::string_view name, std::string_view json) {
  std::string text = "event: ";
  text.append(name).append("\ndata: ").append(json).append("\n\n");
  return text;
}

std::string host_of(const std::string& address) {
  return address.substr(0, address.find_last_of(':'));
}

}  // namespace

class LiveReader;

/// All readers of a page. Everything but `begin` and `finish` is called in the listener's thread.
class LiveReaders {
 public:
  LiveReaders(std::string page, LiveSource& source)
      : page_(std::move(page)),
        source_(source),
        listener_([this](tcp::socket socket) { accept(std::move(socket)); }) {}

  LiveReaders(const LiveReaders&) = delete;
  LiveReaders& operator=(const LiveReaders&) = delete;
  ~LiveReaders() {
    listener_.stop();
    readers_.clear();  // their sockets are of the listener
  }

  base::Result<void> open(const std::string& address) {
    host_ = host_of(address);
    return listener_.open("--live", address);
  }
  void begin();
  void finish(const std::string& event);
  std::uint16_t port() const { return listener_.port(); }

  /// The reply to a request; nothing if it asks for events.
  std::optional<LiveReply> reply_to(const LiveRequest& request) const;
  /// Adds one that asks for events. Returns false if there are too many.
  bool add(const std::shared_ptr<LiveReader>& reader);
  void remove(const std::shared_ptr<LiveReader>& reader);
  /// The text that brings a reader up to date; null: there is nothing new.
  LiveText news(LivePosition& seen);
  /// The last text; null while the run lasts.
  const LiveText& final_text() const { return final_; }

 private:
  void accept(tcp::socket socket);
  void tell_later();
  void tell_all();
  void end(LiveText final_text);

  std::string page_;
  LiveSource& source_;
  std::string host_;
  std::set<std::shared_ptr<LiveReader>> readers_;
  LivePosition from_, to_;  ///< of `news_`, which other readers may need, too
  LiveText news_, final_;
  std::promise<void> told_;
  bool awaited_ = false;
  HttpListener listener_;  ///< is behind what its thread uses
  asio::steady_timer timer_{listener_.context()};
};

/// One connection. It keeps itself alive until it is closed.
class LiveReader : public std::enable_shared_from_this<LiveReader> {
 public:
  LiveReader(tcp::socket socket, LiveReaders& readers)
      : stream_(std::move(socket)), readers_(readers) {
    parser_.header_limit(most_http_header_bytes);
  }

  void read_request();
  /// Sends what is new, unless something is still on its way.
  void tell();

 private:
  void answer();
  void reply(LiveReply reply);
  void watch_for_end();
  void send(LiveText text);
  void send_rest(std::size_t sent);
  void when_sent();
  void close();

  beast::tcp_stream stream_;
  LiveReaders& readers_;
  beast::flat_buffer buffer_;
  http::request_parser<http::empty_body> parser_;
  LiveReply reply_;
  LivePosition seen_;
  LiveText sending_;
  bool is_last_ = false;
};

void LiveReader::read_request() {
  stream_.expires_after(http_patience);
  http::async_read(stream_, buffer_, parser_,
                   [self = shared_from_this()](error_code error, std::size_t) {
                     if (!error) self->answer();
                   });
}

void LiveReader::answer() {
  if (auto found = readers_.reply_to(parser_.get())) return reply(std::move(*found));
  if (!readers_.add(shared_from_this()))
    return reply(refusal(http::status::service_unavailable, "too many readers"));
  stream_.expires_never();
  watch_for_end();
  send(std::make_shared<const std::string>(header_of_events()));
}

void LiveReader::reply(LiveReply reply) {
  reply_ = std::move(reply);
  reply_.content_length(reply_.body().size());
  if (parser_.get().method() == http::verb::head) reply_.body().clear();
  stream_.expires_after(http_patience);
  http::async_write(stream_, reply_,
                    [self = shared_from_this()](error_code, std::size_t) { self->close(); });
}

/// Readers say nothing more: what is read is the end of their connection.
void LiveReader::watch_for_end() {
  buffer_.clear();
  stream_.socket().async_read_some(buffer_.prepare(512),
                                   [self = shared_from_this()](error_code error, std::size_t) {
                                     error ? self->close() : self->watch_for_end();
                                   });
}

void LiveReader::tell() {
  if (sending_ != nullptr) return;
  if (readers_.final_text() != nullptr) {
    is_last_ = true;
    return send(readers_.final_text());
  }
  if (auto news = readers_.news(seen_)) send(std::move(news));
}

void LiveReader::send(LiveText text) {
  sending_ = std::move(text);
  send_rest(0);
}

/// A reader that takes nothing for that long is gone; one that is slow is not.
void LiveReader::send_rest(std::size_t sent) {
  stream_.expires_after(http_patience);
  stream_.async_write_some(asio::buffer(*sending_) + sent,
                           [self = shared_from_this(), sent](error_code error, std::size_t more) {
                             if (error) return self->close();
                             const std::size_t total = sent + more;
                             if (total < self->sending_->size()) return self->send_rest(total);
                             self->when_sent();
                           });
}

void LiveReader::when_sent() {
  sending_.reset();
  if (is_last_) return close();
  const bool is_new = seen_.version == 0;
  if (is_new || readers_.final_text() != nullptr) tell();
}

void LiveReader::close() {
  error_code ignored;
  stream_.socket().shutdown(tcp::socket::shutdown_both, ignored);
  stream_.close();
  readers_.remove(shared_from_this());
}

void LiveReaders::begin() {
  asio::post(listener_.context(), lower_own_priority);
  tell_later();
  listener_.start();
}

void LiveReaders::finish(const std::string& event) {
  asio::post(listener_.context(), [this, text = event_text("final", event)]() mutable {
    end(std::make_shared<const std::string>(std::move(text)));
  });
  told_.get_future().wait_for(2 * http_patience);  // others may come meanwhile
}

void LiveReaders::end(LiveText final_text) {
  final_ = std::move(final_text);
  awaited_ = true;
  tell_all();
  if (readers_.empty()) told_.set_value();
}

std::optional<LiveReply> LiveReaders::reply_to(const LiveRequest& request) const {
  if (!is_own(request, host_)) return refusal(http::status::forbidden, "for its own page only");
  if (request.method() != http::verb::get && request.method() != http::verb::head)
    return refusal(http::status::method_not_allowed, "allowed: GET, HEAD");
  const std::string_view target(request.target().data(), request.target().size());
  const std::string_view path = target.substr(0, target.find('?'));
  if (path == "/") return live_reply(http::status::ok, "text/html; charset=utf-8", page_);
  if (path == "/favicon.ico") return live_reply(http::status::no_content, "image/x-icon");
  if (path != "/events") return refusal(http::status::not_found, "the page is at /");
  if (request.method() == http::verb::head)
    return live_reply(http::status::ok, "text/event-stream");
  return std::nullopt;
}

bool LiveReaders::add(const std::shared_ptr<LiveReader>& reader) {
  if (readers_.size() == most_readers) return false;
  readers_.insert(reader);
  return true;
}

void LiveReaders::remove(const std::shared_ptr<LiveReader>& reader) {
  if (readers_.erase(reader) == 0 || !readers_.empty() || !awaited_) return;
  awaited_ = false;
  told_.set_value();
}

LiveText LiveReaders::news(LivePosition& seen) {
  if (news_ == nullptr || seen != from_) {
    LivePosition to = seen;
    const auto event = source_.news(to);
    if (!event) return nullptr;
    news_ = std::make_shared<const std::string>(event_text("news", *event));
    from_ = seen;
    to_ = to;
  }
  seen = to_;
  return news_;
}

void LiveReaders::accept(tcp::socket socket) {
  std::make_shared<LiveReader>(std::move(socket), *this)->read_request();
}

void LiveReaders::tell_later() {
  timer_.expires_after(between_events);
  timer_.async_wait([this](error_code) {
    tell_all();
    tell_later();
  });
}

void LiveReaders::tell_all() {
  news_.reset();
  const std::vector<std::shared_ptr<LiveReader>> all(readers_.begin(), readers_.end());
  for (const auto& reader : all) reader->tell();
}

LiveServer::LiveServer(std::unique_ptr<LiveReaders> readers) : readers_(std::move(readers)) {}
LiveServer::~LiveServer() = default;

std::uint16_t LiveServer::port() const { return readers_->port(); }

void LiveServer::finish(const std::string& final_event) { readers_->finish(final_event); }

base::Result<std::unique_ptr<LiveServer>> LiveServer::listen(const std::string& address,
                                                             std::string page, LiveSource& source) {
  auto readers = std::make_unique<LiveReaders>(std::move(page), source);
  if (const auto opened = readers->open(address); !opened) return opened.error();
  readers->begin();
  return std::unique_ptr<LiveServer>(new LiveServer(std::move(readers)));
}

}  // namespace hallmark::cli
