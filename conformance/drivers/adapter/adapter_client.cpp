#include "conformance/drivers/adapter/adapter_client.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/bytes.hpp"
#include "base/text.hpp"

namespace hallmark::conformance {
namespace {

using base::as_bytes;
using base::Json;
using reports::Direction;
using reports::Verdict;

constexpr std::size_t most_evidence = 128;
constexpr std::size_t longest_evidence = 4096;
constexpr std::size_t longest_shown = 200;
/// The most lines shown of what the adapter wrote last to its standard error before it died.
constexpr std::ptrdiff_t most_lines = 10;

std::string shown(std::string_view text) { return base::excerpt(text, longest_shown); }

std::string operation_of(const Json& request) {
  const Json* const op = request.find("op");
  return op != nullptr && op->is_string() ? op->string() : std::string();
}

}  // namespace

void AdapterClient::begin() {
  passed_.clear();
  dropped_ = 0;
  begun_ = now();
  death_.reset();
  began_fresh_ = link_ == nullptr;
}

void AdapterClient::renew() {
  link_.reset();
  session_ = {};
}

void AdapterClient::start() {
  if (link_ != nullptr) return;
  session_ = {};
  auto started = host_.start();
  if (!started) end_unreachable(started.error());
  link_ = std::move(*started);
  started_ = now();
  began_fresh_ = true;
}

/// Not shorter than an adapter takes that is merely slow, and has to be started first.
Time AdapterClient::allowance() const {
  constexpr Time least = 200'000'000;
  constexpr Time factor = 4;
  const Time usual = std::max(least, factor * slowest_answer_);
  return std::min(patience_.deadline(), std::max(patience_.allowance(), usual));
}

Json AdapterClient::ask(const Json& request) {
  start();
  asked_at_ = now();
  waited_ = allowance();
  const Time until = asked_at_ + waited_;
  asked_ = operation_of(request);
  const std::string line = session_.ask(request);
  record(Direction::sent, std::string_view(line).substr(0, line.size() - 1));
  switch (link_->send(line, until)) {
    case Dispatch::sent: break;
    case Dispatch::refused: gone(line);
    case Dispatch::timed_out: silent();
  }
  return await(line, until);
}

Json AdapterClient::await(const std::string& request, Time until) {
  for (;;) {
    AdapterSession::Event event = session_.next();
    if (auto* const answer = std::get_if<AdapterSession::Answer>(&event)) {
      host_.judged("answer", as_bytes(answer->line));
      slowest_answer_ = std::max(slowest_answer_, now() - asked_at_);
      record(Direction::received, answer->line);
      return std::move(answer->json);
    }
    if (const auto* const fault = std::get_if<AdapterSession::Broken>(&event)) {
      host_.judged("no answer", as_bytes(fault->line));
      record(Direction::received, fault->line);
      broken(Code::Kind::malformed,
             fmt::format("the adapter wrote {}: {}", fault->what, shown(fault->line)));
    }
    std::string bytes;
    switch (link_->receive(bytes, until)) {
      case Arrival::bytes:
        ran_ = true;
        session_.take(bytes);
        break;
      case Arrival::timed_out: silent();
      case Arrival::closed:
      case Arrival::reset: gone(request);
    }
  }
}

void AdapterClient::fence() {
  if (link_ != nullptr) ask({{"op", "hello"}, {"protocol", 1}});
}

std::string AdapterClient::standard_error() const {
  const std::string words = link_->last_words();
  const std::string last = words.substr(words.rfind('\n') + 1);
  return last.empty() ? "" : fmt::format("; it wrote last to its standard error: {}", shown(last));
}

void AdapterClient::broken(Code::Kind kind, const std::string& what) {
  const std::string words = standard_error();
  renew();
  fail_case({.kind = kind, .message = asked_}, what + words);
}

void AdapterClient::silent() {
  ran_ = true;
  patience_.spend(waited_);
  record_death("hangs", true);
  std::string what =
      fmt::format("the adapter did not answer within {:.3g} s", static_cast<double>(waited_) / 1e9);
  if (!session_.unfinished().empty()) {
    record(Direction::received, session_.unfinished());
    what += fmt::format("; it wrote {} bytes without a newline: {}", session_.unfinished().size(),
                        shown(session_.unfinished()));
  }
  broken(Code::Kind::silent, what);
}

void AdapterClient::gone(const std::string& request) {
  const Time farewell = std::min(longest_farewell, allowance());
  const std::string how = link_->how_it_ended(now() + farewell);
  if (how.empty()) {
    ran_ = true;
    patience_.spend(farewell);
    record_death("closed its output and goes on running", true);
  } else {
    record_death(how, false);
  }
  std::string what = how.empty() ? "the adapter closed its output and goes on running"
                                 : "the adapter ended: it was " + how;
  if (how.starts_with("exited")) what = "the adapter ended: it " + how;
  what += fmt::format(", asked {}", shown(std::string_view(request).substr(0, request.size() - 1)));
  if (!session_.unfinished().empty())
    what += fmt::format("; of its answer came: {}", shown(session_.unfinished()));
  broken(how.empty() ? Code::Kind::closed : Code::Kind::crash, what);
}

void AdapterClient::record_death(const std::string& how, bool hung) {
  constexpr std::size_t most_messages = 4;
  reports::Death& death = death_.emplace();
  death.how = how;
  death.hung = hung;
  death.lived = std::chrono::nanoseconds(static_cast<std::int64_t>(now() - started_));
  const std::string words = link_->last_words();
  for (std::size_t at = 0; at < words.size();) {
    const std::size_t end = std::min(words.find('\n', at), words.size());
    death.output.push_back(shown(std::string_view(words).substr(at, end - at)));
    at = end + 1;
  }
  if (std::ssize(death.output) > most_lines)
    death.output.erase(death.output.begin(), death.output.end() - most_lines);
  for (reports::Exchange& one : evidence()) {
    if (one.direction == Direction::sent) death.last_sent.push_back(std::move(one));
  }
  if (death.last_sent.size() > most_messages)
    death.last_sent.erase(death.last_sent.begin(), death.last_sent.end() - most_messages);
}

std::string AdapterClient::finish() {
  start();
  const Time until = now() + allowance();
  link_->finish_sending();
  std::string rest;
  Arrival arrival = Arrival::bytes;
  while (arrival == Arrival::bytes && rest.empty()) arrival = link_->receive(rest, until);
  const std::string how =
      arrival == Arrival::timed_out ? "" : link_->how_it_ended(now() + longest_farewell);
  renew();
  if (!rest.empty()) return "wrote more: " + shown(rest);
  if (how.empty()) return "goes on running";
  return how == "exited with code 0" ? "" : how;
}

void AdapterClient::record(Direction direction, std::string_view line) {
  if (passed_.size() == most_evidence) {
    if (passed_.front().direction == Direction::sent) ++dropped_;
    passed_.pop_front();
  }
  const std::string_view kept = line.substr(0, longest_evidence);
  passed_.push_back({direction, now(), std::string(kept), line.size() - kept.size()});
}

std::vector<reports::Exchange> AdapterClient::evidence() const {
  std::vector<reports::Exchange> exchanges;
  for (const Passed& passed : passed_) {
    reports::Exchange& exchange = exchanges.emplace_back();
    exchange.connection = "adapter";
    exchange.direction = passed.direction;
    exchange.at = std::chrono::duration_cast<std::chrono::microseconds>(
        std::chrono::nanoseconds(passed.at - begun_));
    const auto bytes = as_bytes(passed.line);
    exchange.bytes.assign(bytes.begin(), bytes.end());
    exchange.omitted = passed.omitted;
  }
  return exchanges;
}

std::vector<std::string> AdapterClient::reproduction() const {
  std::vector<std::string> lines;
  if (dropped_ > 0)
    lines.push_back("… " + base::counted(dropped_, "request", "requests") + " before");
  for (const Passed& passed : passed_) {
    if (passed.direction == Direction::sent && passed.omitted == 0)
      lines.push_back(base::printable(passed.line));
  }
  return lines;
}

}  // namespace hallmark::conformance
