#include "distributed/coordinator.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>

#include "base/nanoseconds.hpp"
#include "base/quantity.hpp"
#include "distributed/option_difference.hpp"
#include "reports/saved_result.hpp"

namespace hallmark::distributed {
namespace {

using reports::ExitCode;
using reports::LoadResult;

std::string ms(std::int64_t ns) { return fmt::format("{:.3f} ms", static_cast<double>(ns) / 1e6); }

LoadResult failed(std::string why) {
  LoadResult result;
  result.run_error = std::move(why);
  return result;
}

LoadResult read(const Finished& finished) {
  auto parsed = reports::parse_result(finished.result, "its result");
  if (!parsed) return failed(parsed.error().message);
  auto* const load = std::get_if<LoadResult>(&*parsed);
  return load != nullptr ? std::move(*load) : failed("its result is not that of a load");
}

}  // namespace

Coordinator::Coordinator(Peers& peers, Clock clock, Agreement agreement, Start start)
    : peers_(peers),
      clock_(std::move(clock)),
      agreement_(std::move(agreement)),
      start_(std::move(start)),
      ranks_(peers.size()),
      began_ns_(clock_.steady_ns()) {}

std::string Coordinator::name_of(std::uint32_t rank) const {
  const std::string& host = ranks_[rank].host;
  return host.empty() ? fmt::format("rank {}", rank) : fmt::format("rank {} ({})", rank, host);
}

void Coordinator::tell_all(const Message& message) {
  for (std::uint32_t rank = 0; rank < ranks_.size(); ++rank) {
    if (!ranks_[rank].lost) peers_.send(rank, encode(message));
  }
}

void Coordinator::tell_others(const Message& message) {
  for (std::uint32_t rank = 1; rank < ranks_.size(); ++rank) {
    if (!ranks_[rank].lost) peers_.send(rank, encode(message));
  }
}

void Coordinator::refuse(std::string why, ExitCode code) {
  if (!refusal_) refusal_ = {std::move(why), code};
}

void Coordinator::take(std::uint32_t from, const Message& message) {
  ranks_[from].heard_ns = clock_.steady_ns();
  if (std::holds_alternative<Gone>(message)) ranks_[from].gone = true;
  if (ranks_[from].lost || refusal_ || phase_ == Phase::over) return;
  std::visit([&](const auto& one) { receive(from, one); }, message);
}

void Coordinator::receive(std::uint32_t from, const Hello& hello) {
  Rank& rank = ranks_[from];
  rank.host = hello.host;
  rank.greeted = true;
  if (!hello.refusal.empty()) return refuse(fmt::format("{}: {}", name_of(from), hello.refusal));
  const std::string difference = option_difference(hello.options, agreement_.options);
  if (!difference.empty())
    return refuse(fmt::format("{} was given {}; start all ranks with the same options",
                              name_of(from), difference));
  if (hello.options_hash != agreement_.options_hash)
    return refuse(
        fmt::format("{} reads something else in a file that the options name; give all "
                    "ranks the same files",
                    name_of(from)));
  if (++greeted_ < ranks_.size()) return;
  phase_ = Phase::comparing;
  ask();
}

void Coordinator::ask() {
  asked_system_ns_ = clock_.system_ns();
  asked_steady_ns_ = clock_.steady_ns();
  peers_.send(compared_, encode(Ping{}));
}

void Coordinator::receive(std::uint32_t from, const Pong& pong) {
  if (phase_ != Phase::comparing || from != compared_) return;
  Rank& rank = ranks_[from];
  rank.steady.add(asked_steady_ns_, pong.steady_ns, clock_.steady_ns());
  rank.system.add(asked_system_ns_, pong.system_ns, clock_.system_ns());
  if (++round_ < rounds) return ask();
  if (!clock_is_close(from)) return;
  round_ = 0;
  if (++compared_ < ranks_.size()) return ask();
  phase_ = Phase::preparing;
  tell_all(agreement_.run);
}

bool Coordinator::clock_is_close(std::uint32_t rank) {
  if (rank == 0) return true;  // the clock that the others are compared with
  const ClockOffset system = *ranks_[rank].system.best();
  const std::int64_t bound = ranks_[rank].steady.best()->bound_ns;
  const std::int64_t slack = agreement_.start_slack_ns;
  if (std::abs(system.offset_ns) - system.bound_ns > slack) {
    refuse(
        fmt::format("the clock of {} is {} {} that of rank 0; allowed by --start-slack: {}. Set "
                    "the clocks by NTP, or allow more",
                    name_of(rank), ms(std::abs(system.offset_ns)),
                    system.offset_ns > 0 ? "ahead of" : "behind", ms(slack)));
  } else if (bound > slack) {
    refuse(
        fmt::format("the clock of {} can be compared with that of rank 0 to {} only; allowed by "
                    "--start-slack: {}",
                    name_of(rank), ms(bound), ms(slack)));
  }
  return !refusal_;
}

void Coordinator::receive(std::uint32_t, const Connected&) {
  if (++connected_ == ranks_.size() && !stopped_) begin();
}

void Coordinator::begin() {
  phase_ = Phase::running;
  begins_ns_ = clock_.steady_ns() + lead_ns;
  const std::int64_t system_ns = clock_.system_ns() + lead_ns;
  gathered_ = start_(system_ns);
  for (std::uint32_t rank = 0; rank < ranks_.size(); ++rank) {
    const ClockOffset ahead = rank == 0 ? ClockOffset() : *ranks_[rank].steady.best();
    peers_.send(rank, encode(Begin{begins_ns_ + ahead.offset_ns, ahead.bound_ns, system_ns}));
  }
}

void Coordinator::receive(std::uint32_t from, const Second& second) {
  if (!gathered_) return;
  if (const auto added = gathered_->add(from, second); !added && broken_.empty())
    broken_ = fmt::format("{}: {}", name_of(from), added.error().message);
}

void Coordinator::receive(std::uint32_t from, const Finished& finished) {
  ranks_[from].finished = read(finished);
  // One that cannot begin keeps nobody waiting.
  if (phase_ != Phase::running && !stopped_) stop_all();
  go_on();
}

void Coordinator::receive(std::uint32_t from, const Ended&) {
  ranks_[from].ended = true;
  go_on();
}

void Coordinator::receive(std::uint32_t from, const Interrupted&) {
  if (phase_ == Phase::greeting || phase_ == Phase::comparing)
    return refuse(fmt::format("{} was interrupted before the run", name_of(from)),
                  ExitCode::indeterminate);
  if (!stopped_) stop_all();
}

void Coordinator::stop_all() {
  stopped_ = true;
  tell_all(Stop{lost_});
}

void Coordinator::tick() {
  if (refusal_ || phase_ == Phase::over) return;
  const std::int64_t now = clock_.steady_ns();
  for (std::uint32_t rank = 0; rank < ranks_.size(); ++rank) {
    const Rank& one = ranks_[rank];
    if (!one.greeted && now - began_ns_ > greeting_ns)
      return refuse(
          fmt::format("{} did not start within {} s", name_of(rank), greeting_ns / base::second_ns),
          ExitCode::unreachable_or_harness_error);
    const bool silent = one.greeted && now - one.heard_ns > silence_ns;
    if (silent && !one.lost && !one.finished) lose(rank);
  }
}

void Coordinator::lose(std::uint32_t rank) {
  const auto ran_ns = std::max<std::int64_t>(0, ranks_[rank].heard_ns - begins_ns_);
  if (phase_ == Phase::greeting || phase_ == Phase::comparing)
    return refuse(fmt::format("{} died before the run", name_of(rank)),
                  ExitCode::unreachable_or_harness_error);
  ranks_[rank].lost = true;
  ++lost_;
  losses_.push_back(begins_ns_ == 0
                        ? fmt::format("{} died before the run", name_of(rank))
                        : fmt::format("{} died {:.1f} s into the run", name_of(rank),
                                      static_cast<double>(ran_ns) / base::ns_per_second));
  if (gathered_) gathered_->lose(rank);
  stop_all();
  go_on();
}

/// Has the keys removed once all ranks have ended, and ends the run once all have finished.
void Coordinator::go_on() {
  const auto all = [this](auto has) {
    return std::ranges::all_of(
        ranks_, [&](const Rank& rank) { return rank.lost || rank.finished || has(rank); });
  };
  if (!all_ended_ && all([](const Rank& rank) { return rank.ended; })) {
    all_ended_ = true;
    tell_all(AllEnded{});
  }
  if (all([](const Rank&) { return false; })) phase_ = Phase::over;
}

void Coordinator::fall_silent() { tell_others(Taken{}); }

void Coordinator::end(int exit_code) {
  phase_ = Phase::over;
  tell_others(Leave{static_cast<std::uint64_t>(exit_code)});
}

bool Coordinator::all_gone() const {
  return std::ranges::all_of(ranks_.begin() + 1, ranks_.end(),
                             [](const Rank& rank) { return rank.lost || rank.gone; });
}

std::string Coordinator::clocks_note() const {
  std::uint32_t worst = 0;
  ClockOffset least_known;
  for (std::uint32_t rank = 1; rank < ranks_.size(); ++rank) {
    const ClockOffset offset = ranks_[rank].steady.best().value_or(ClockOffset{});
    if (offset.bound_ns <= least_known.bound_ns) continue;
    least_known = offset;
    worst = rank;
  }
  if (worst == 0) return fmt::format("{} rank", ranks_.size());
  const ClockOffset system = *ranks_[worst].system.best();
  return fmt::format(
      "{} ranks began within {} of each other: the clocks are known to that; {} has the least "
      "known one, {} off by the time of day",
      ranks_.size(), ms(2 * least_known.bound_ns), name_of(worst), ms(std::abs(system.offset_ns)));
}

/// The reason why the run did not end as planned, with the rank that it kept.
std::string Coordinator::run_error() const {
  if (!losses_.empty())
    return fmt::format("{}; this is what the others measured, and it until then",
                       fmt::join(losses_, ", "));
  for (std::uint32_t rank = 0; rank < ranks_.size(); ++rank) {
    const auto& finished = ranks_[rank].finished;
    if (finished && !finished->run_error.empty())
      return fmt::format("{}: {}", name_of(rank), finished->run_error);
  }
  return broken_;
}

/// The part of each rank. Precondition: the run has begun.
std::vector<reports::RankLoad> Coordinator::ranks_apart() const {
  std::vector<reports::RankLoad> apart;
  for (std::uint32_t rank = 0; rank < ranks_.size(); ++rank) {
    const Rank& from = ranks_[rank];
    reports::RankLoad& one = apart.emplace_back();
    if (from.finished && !from.finished->ranks.empty()) one = from.finished->ranks.front();
    if (from.lost) one.counts = gathered_->counts_of(rank);
    one.rank = rank;
    one.host = from.host;
    one.lost = from.lost;
    if (rank == 0) continue;  // the clock that the others are compared with
    const ClockOffset clock = from.system.best().value_or(ClockOffset{});
    one.clock_offset_ns = static_cast<double>(clock.offset_ns);
    one.clock_bound_ns = static_cast<double>(clock.bound_ns);
  }
  return apart;
}

base::Result<LoadResult> Coordinator::result() {
  const std::string error = run_error();
  auto apart = gathered_ ? ranks_apart() : std::vector<reports::RankLoad>();
  std::vector<LoadResult> finished;
  for (Rank& rank : ranks_) {
    if (!rank.finished) continue;
    rank.finished->run_error.clear();
    finished.push_back(std::move(*rank.finished));
  }
  if (!gathered_) {
    // Nobody sent a request: rank 0's own result says what was to be done.
    LoadResult result = std::move(finished.front());
    result.run_error = error;
    result.ranks.clear();
    return result;
  }
  auto result = gathered_->finish(std::move(finished));
  if (!result) return result;
  result->header.notes.push_back(clocks_note());
  result->ranks = std::move(apart);
  result->run_error = error;
  return result;
}

}  // namespace hallmark::distributed
