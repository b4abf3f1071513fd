#include "conformance/drivers/datagram/tests/fake_limiter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "base/text.hpp"

namespace hallmark::conformance::testing {
namespace {

using protocol::ratelimit::Discipline;
using protocol::ratelimit::Limit;
using protocol::ratelimit::Rules;

constexpr Time way = 20'000;        // ns, in each direction
constexpr Time behind = 2'000'000;  // the delay of a delayed datagram

/// The request id in front and the space behind it; nothing when there is none.
std::string_view id_of(std::string_view datagram) {
  const auto digits = std::min(datagram.find_first_not_of("0123456789"), datagram.size());
  if (digits == 0 || digits == datagram.size() || datagram[digits] != ' ') return {};
  return datagram.substr(0, digits);
}

}  // namespace

const Rules& fake_rules() {
  static const Rules rules = *Rules::parse(
      "5/1 strict stats \"strict *\"\n"
      "4/1 leaky stats \"leaky *\"\n"
      "9/2 strict stats \"many *\" as \"one\"\n"
      "0/3 strict \"never *\"\n"
      "6/2 strict stats \"all\"\n");
  return rules;
}

class FakeLimiter::SimulatedLink : public DatagramLink {
 public:
  SimulatedLink(FakeLimiter& world, std::size_t socket) : world_(world), socket_(socket) {}

  Dispatch send(base::ByteView datagram) override {
    world_.launch(socket_, true, std::string(base::as_text(datagram)));
    return Dispatch::sent;
  }

  DatagramArrival receive(base::Bytes& into, Time until) override {
    auto& inbox = world_.inboxes_[socket_];
    while (inbox.empty() && world_.pass_next(until)) {
    }
    if (inbox.empty()) {
      world_.now_ = std::max(world_.now_, until);
      return DatagramArrival::timed_out;
    }
    into = base::to_bytes(inbox.front());
    inbox.erase(inbox.begin());
    return DatagramArrival::datagram;
  }

 private:
  FakeLimiter& world_;
  std::size_t socket_;
};

FakeLimiter::FakeLimiter(Flaw flaw, Weather weather, unsigned seed)
    : flaw_(flaw), weather_(weather), random_(seed) {}

DatagramLinkResult FakeLimiter::open() {
  inboxes_.emplace_back();
  return std::unique_ptr<DatagramLink>(std::make_unique<SimulatedLink>(*this, inboxes_.size() - 1));
}

bool FakeLimiter::chance(double probability) {
  return std::uniform_real_distribution<double>(0, 1)(random_) < probability;
}

void FakeLimiter::launch(std::size_t socket, bool to_server, std::string datagram) {
  const int copies = chance(weather_.doubled) ? 2 : 1;
  for (int i = 0; i < copies; ++i) {
    if (chance(weather_.lost)) continue;
    const Time late = chance(weather_.delayed) ? behind : 0;
    flights_.push_back({now_ + way + late, socket, to_server, datagram});
  }
}

/// The next datagram arrives, if one does until then.
bool FakeLimiter::pass_next(Time until) {
  const auto next = std::ranges::min_element(flights_, {}, &Flight::arrives);
  if (next == flights_.end() || next->arrives > until) return false;
  const Flight flight = std::move(*next);
  flights_.erase(next);
  now_ = std::max(now_, flight.arrives);
  if (flight.to_server) {
    serve(flight.socket, flight.datagram);
  } else {
    inboxes_[flight.socket].push_back(flight.datagram);
  }
  return true;
}

void FakeLimiter::pass_until(Time until) {
  while (pass_next(until)) {
  }
  now_ = std::max(now_, until);
}

void FakeLimiter::reply(std::size_t socket, const std::string& text) {
  const std::size_t to = flaw_ == Flaw::mixes_up_senders ? last_socket_ : socket;
  launch(to, false, text);
  if (flaw_ == Flaw::answers_twice) launch(to, false, text);
}

void FakeLimiter::serve(std::size_t socket, const std::string& datagram) {
  ++datagrams_;
  if (!dead_ && flaw_ == Flaw::dies_of_binary && datagram.find('\xff') != std::string::npos) {
    dead_ = true;
    when_dead_();
  }
  if (dead_) return;
  if (held_.size() > 3) {
    launch(held_.front().first, false, held_.front().second);
    held_.clear();
  } else if (!held_.empty()) {
    held_.push_back(held_.front());
  }
  const std::string id(id_of(datagram));
  std::string body = id.empty() ? datagram : datagram.substr(id.size() + 1);
  if (datagram.size() > 1000) return;
  const auto first = first_with_.emplace(id, socket).first;
  if (flaw_ == Flaw::knows_senders_by_id && !id.empty()) socket = first->second;
  if (flaw_ == Flaw::accepts_spaces) {
    while (body.starts_with(' ')) body.erase(0, 1);
  }
  const std::string text = answer(body);
  std::string back = id;
  if (flaw_ == Flaw::forgets_ids) back.clear();
  if (flaw_ == Flaw::ids_as_numbers)
    while (back.size() > 1 && back[0] == '0') back.erase(0, 1);
  const std::string whole = back.empty() ? text : back + " " + text;
  if (!text.empty()) {
    reply(socket, whole);
  } else if (flaw_ == Flaw::answers_unknown) {
    reply(socket, back.empty() ? "error" : back + " error");
  } else if (flaw_ == Flaw::answers_unknown_late && held_.empty()) {
    held_.emplace_back(socket, "error");
  } else if (flaw_ == Flaw::answers_empty && datagram.empty()) {
    reply(socket, "");
  }
  last_socket_ = socket;
}

std::string FakeLimiter::answer(const std::string& original) {
  std::string body = original;
  if (flaw_ == Flaw::case_insensitive) {
    const auto end = std::min(body.find(' '), body.size());
    body.replace(0, end, base::lower_case(body.substr(0, end)));
  }
  if (body == "ping") return "pong";
  if (body == "get_size") return fmt::format("size={} keys={}", keys_.size(), keys_.size());
  const bool uses = body.starts_with("over_limit ");
  if (!uses && !body.starts_with("get_stats ")) return {};
  std::string key = body.substr(uses ? 11 : 10);
  if (key.find('\n') != std::string::npos) return {};
  if (flaw_ == Flaw::keys_up_to_a_space) key = key.substr(0, key.find(' '));
  if (uses && flaw_ == Flaw::ignores_uses) return {};
  if (uses) return use(key);
  if (flaw_ == Flaw::ignores_get_stats) return {};
  const Statistics& one = statistics_[key];
  if (flaw_ == Flaw::counts_statistics) ++statistics_[key].uses;
  return fmt::format("n_req={} n_over={} last_max_rate=0 key={}", one.uses, one.over,
                     flaw_ == Flaw::wrong_key ? key + "x" : key);
}

/// Follows the released server: see the docs of the estimator.
double FakeLimiter::rate_of(Key& key, const std::string&, const Limit& limit) {
  if (!key.used || flaw_ == Flaw::forgets_rates) return 0;
  const double period = limit.period_seconds * (flaw_ == Flaw::period_off ? 2.0 : 1.0);
  const double passed = std::max(1e-9, static_cast<double>(now_ - key.last) / 1e9) / period;
  const double left = std::exp(-passed);
  return (1 - left) / passed + left * key.rate;
}

std::string FakeLimiter::use(const std::string& name) {
  const auto match = fake_rules().match(name);
  if (match.limit == nullptr) return "ok N 0.0 1.0 1";
  const Limit& limit = *match.limit;
  const std::string& counted_as = flaw_ == Flaw::ignores_rewrites ? name : match.key;
  Key& key = keys_[flaw_ == Flaw::rates_of_all_keys ? "" : counted_as];
  const double rate = rate_of(key, name, limit);
  const double most = limit.uses + (flaw_ == Flaw::limit_off_by_one ? 1 : 0);
  const bool over = flaw_ != Flaw::never_over && rate >= most;
  const bool leaky = limit.discipline == Discipline::leaky || flaw_ == Flaw::leaky_for_strict;
  if (!over || !leaky) key = {true, now_, rate};
  Statistics& counted = statistics_[match.key];
  if (limit.statistics && (over || flaw_ != Flaw::counts_only_over)) ++counted.uses;
  if (limit.statistics && over) ++counted.over;
  if (flaw_ == Flaw::two_decimals)
    return fmt::format("ok {} {:.2f} {:.2f} {}", over ? 'Y' : 'N', rate, limit.uses,
                       limit.period_seconds);
  return fmt::format("ok {} {:.1f} {:.1f} {}", over ? 'Y' : 'N', rate, limit.uses,
                     limit.period_seconds);
}

}  // namespace hallmark::conformance::testing
