#include "e2e/hostile/target/proper.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "protocol/dialects.hpp"
#include "reference/faults/decorators.hpp"

namespace hallmark::hostile {
namespace {

[[noreturn]] void refuse(const std::string& what) {
  fmt::print(stderr, "hostile: {}; expected DIALECT WIDTH [BUG...] of a server of streams\n", what);
  std::_Exit(2);
}

server::ServerOptions options_of(const Spoken& spoken) {
  if (spoken.size() < 2) refuse("nothing is spoken");
  const auto dialect =
      std::ranges::find(protocol::all_dialects, spoken[0], &protocol::Dialect::name);
  if (dialect == protocol::all_dialects.end()) refuse("dialect " + spoken[0]);
  const auto width = std::ranges::find((*dialect)->widths, spoken[1],
                                       [](protocol::Width one) { return protocol::name_of(one); });
  if (width == (*dialect)->widths.end()) refuse("width " + spoken[1]);
  const auto bugs = faults::choose({spoken.begin() + 2, spoken.end()});
  if (!bugs) refuse(bugs.error().message);
  server::ServerOptions options;
  options.width = *width;
  options.readings = protocol::Readings(**dialect, protocol::Profile::deployed);
  options.decorator = faults::stream_decorator(*bugs);
  return options;
}

std::string taken_from(protocol::ByteBuffer& buffer) {
  std::string bytes(reinterpret_cast<const char*>(buffer.data()), buffer.size());
  buffer.clear();
  return bytes;
}

}  // namespace

ProperServer::Line::Line(ProperServer& server, model::Connection& connection)
    : server_(server), connection_(connection) {
  const server::SharedState& shared = server.shared_;
  const protocol::Width width = shared.options.width;
  session_ = shared.decorator().around_session(
      server::make_session(width, shared.session_context, connection), width,
      shared.session_context, connection);
}

ProperServer::Line::~Line() {
  const std::lock_guard lock(server_.shared_.mutex);
  server_.lines_.erase(connection_.number);
  server_.shared_.model.close(connection_);
}

std::string ProperServer::Line::answer(const std::string& bytes) {
  const std::lock_guard lock(server_.shared_.mutex);
  if (server_.has_ended_) return {};
  server_.shared_.model.advance(server_.shared_.clock.now());
  in_.append({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
  std::vector<server::Delivery> deliveries;
  state_ = session_->process(in_, out_, deliveries);
  server_.route(deliveries, *this);
  return taken_from(out_);
}

std::string ProperServer::Line::published() {
  waker_.clear();
  const std::lock_guard lock(server_.shared_.mutex);
  return taken_from(out_);
}

bool ProperServer::Line::has_more() const {
  const std::lock_guard lock(server_.shared_.mutex);
  return state_ == server::SessionState::throttled;
}

bool ProperServer::Line::is_over() const {
  const std::lock_guard lock(server_.shared_.mutex);
  return server_.has_ended_ || state_ == server::SessionState::finished;
}

ProperServer::ProperServer(const Spoken& spoken) : shared_(options_of(spoken)) {}

std::unique_ptr<ProperServer::Line> ProperServer::open(const model::Peer& peer) {
  const std::lock_guard lock(shared_.mutex);
  shared_.model.advance(shared_.clock.now());
  model::Connection* const connection = shared_.model.open(peer);
  if (connection == nullptr) return nullptr;
  auto line = std::make_unique<Line>(*this, *connection);
  lines_.emplace(connection->number, line.get());
  return line;
}

void ProperServer::end() {
  const std::lock_guard lock(shared_.mutex);
  has_ended_ = true;
  for (const auto& [number, line] : lines_) line->waker_.wake();
}

void ProperServer::route(const std::vector<server::Delivery>& deliveries, const Line& publisher) {
  for (const server::Delivery& delivery : deliveries) {
    const auto found = lines_.find(delivery.recipient);
    if (found == lines_.end()) continue;
    Line& line = *found->second;
    if (line.out_.size() > shared_.options.limits.max_backlog_bytes) {
      line.state_ = server::SessionState::finished;
    } else {
      line.out_.append(delivery.frame->view());
    }
    if (&line != &publisher) line.waker_.wake();
  }
}

}  // namespace hallmark::hostile
