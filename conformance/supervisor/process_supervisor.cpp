#include "conformance/supervisor/process_supervisor.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "conformance/engine/clock.hpp"

namespace hallmark::conformance {
namespace {

/// The time that a process may take to end once nobody serves at its port, in ns.
constexpr Time most_dying = 2'000'000'000;
/// A case that failed so shortly before a death was noticed may have seen it come.
constexpr Time moment = 200'000'000;
/// A case that passed so shortly before may have caused it.
constexpr Time while_ago = 1'000'000'000;
constexpr std::size_t most_played = 16;
constexpr std::size_t most_closed = 64;
constexpr std::size_t longest_line = 400;

/// The id of another behaviour of the same suite.
std::string id_beside(std::string_view id, std::string_view name) {
  constexpr std::string_view behaviours = "/behaviour/";
  return fmt::format("{}{}{}", id.substr(0, id.find(behaviours)), behaviours, name);
}

using Lock = std::lock_guard<std::recursive_mutex>;

std::chrono::nanoseconds between(Time from, Time to) {
  return std::chrono::nanoseconds(static_cast<std::int64_t>(to - std::min(from, to)));
}

}  // namespace

ProcessSupervisor::ProcessSupervisor(base::ExecEndpoint target, Time deadline, Transport transport)
    : target_(std::move(target)),
      deadline_(deadline),
      transport_(std::move(transport)),
      begun_(monotonic_now()) {}

Time patience_to_start(Time deadline) {
  constexpr Time deadlines = 20;
  constexpr Time enough = 10'000'000'000;
  return std::max(deadline, std::min(deadlines * deadline, enough));
}

base::Expected<std::unique_ptr<ProcessSupervisor>, std::string> ProcessSupervisor::start(
    base::ExecEndpoint target, Time deadline, Transport transport) {
  std::unique_ptr<ProcessSupervisor> made(
      new ProcessSupervisor(std::move(target), deadline, std::move(transport)));
  if (auto launched = made->launch(); !launched) return launched.error();
  return made;
}

base::Expected<void, std::string> ProcessSupervisor::launch() {
  // Between the choice of a port and its use somebody else may take it.
  constexpr int attempts = 3;
  for (int attempt = 1;; ++attempt) {
    std::uint16_t port = 0;
    auto launched = launch_once(port);
    if (launched || port == 0 || port_is_free(port) || attempt == attempts) return launched;
  }
}

base::Expected<void, std::string> ProcessSupervisor::launch_once(std::uint16_t& port) {
  // Reaped at the end, when its successor serves.
  const auto stopped = process_ ? Process::stop(std::move(process_)) : nullptr;
  launched_ = monotonic_now();
  if (launched_ >= until_) return std::string("the run takes too long");
  auto started = Process::start(target_);
  if (!started) return started.error();
  process_ = std::move(*started);
  group_ = std::make_shared<ProcessGroup>(process_->pid());
  spinning_ = std::make_shared<SpinningThreads>(spinning_.get());
  port = process_->port();
  noticed_ = false;
  deaf_ = false;
  talks_.clear();
  if (auto serves = transport_.await(*process_, monotonic_now() + patience_to_start(deadline_));
      !serves) {
    process_.reset();
    return serves.error();
  }
  ++generation_;
  return {};
}

base::Expected<ProcessSupervisor::Serving, std::string> ProcessSupervisor::serving() {
  const Lock lock(mutex_);
  if (!given_up_.empty()) return given_up_;
  if (!notice()) return Serving{process_->port(), generation_};
  if (!reviving_) return std::string("the target has died");
  if (died_too_often()) {
    given_up_ = fmt::format("the target died {} times", casualties_.size());
    return given_up_;
  }
  if (auto launched = launch(); !launched) {
    given_up_ = "the target died and could not be started again: " + launched.error();
    return given_up_;
  }
  return Serving{process_->port(), generation_};
}

bool ProcessSupervisor::died_too_often() const {
  const auto unclaimed = [this](std::size_t from) {
    return static_cast<std::size_t>(
        std::count_if(casualties_.begin() + static_cast<std::ptrdiff_t>(from), casualties_.end(),
                      [](const Casualty& one) { return one.claimed_by.empty(); }));
  };
  return unclaimed(examined_) >= most_deaths || unclaimed(0) >= most_deaths_in_all;
}

base::Expected<void, std::string> ProcessSupervisor::revive() {
  const Lock lock(mutex_);
  if (!notice()) return {};
  auto launched = launch();
  if (!launched) given_up_ = "the target could not be started again: " + launched.error();
  return launched;
}

base::Expected<void, std::string> ProcessSupervisor::renew() {
  const Lock lock(mutex_);
  if (process_) process_->kill();
  auto launched = launch();
  given_up_ = launched ? "" : "the target could not be started again: " + launched.error();
  return launched;
}

void ProcessSupervisor::end_by(Time until) {
  const Lock lock(mutex_);
  until_ = until;
}

void ProcessSupervisor::set_reviving(bool on) {
  const Lock lock(mutex_);
  reviving_ = on;
}

unsigned ProcessSupervisor::generation() {
  const Lock lock(mutex_);
  return generation_;
}

std::string ProcessSupervisor::given_up() {
  const Lock lock(mutex_);
  return given_up_;
}

void ProcessSupervisor::begin_case(const std::string& id) {
  const Lock lock(mutex_);
  static_cast<void>(serving());  // an earlier death is not this case's doing
  running_[std::this_thread::get_id()] = id;
  deaths_before_[std::this_thread::get_id()] = casualties_.size();
}

bool ProcessSupervisor::end_case(bool passed) {
  if (!passed) is_gone();
  const Lock lock(mutex_);
  notice();
  const auto self = std::this_thread::get_id();
  const bool died = casualties_.size() > deaths_before_[self];
  played_.push_back({running_[self], monotonic_now(), passed});
  if (played_.size() > most_played) played_.pop_front();
  running_.erase(self);
  deaths_before_.erase(self);
  return died;
}

Watched ProcessSupervisor::watch() {
  const Lock lock(mutex_);
  if (notice()) return {};
  return {std::make_shared<const ProcessWatch>(process_->pid(), generation_, spinning_), true};
}

bool ProcessSupervisor::starved(const Watched& watched) {
  return watched.process && watched.process->starved();
}

bool ProcessSupervisor::stuck(const Watched& watched) {
  return watched.process && watched.process->stuck();
}

void ProcessSupervisor::answered() {
  const Lock lock(mutex_);
  if (watch().running) spinning_->answered();
}

bool ProcessSupervisor::end_hung(const Watched& watched) {
  const Lock lock(mutex_);
  if (!watched.process || watched.process->generation() != generation_ || notice()) return false;
  noticed_ = true;
  record_death("hangs, " + watched.process->in_words(), true);
  process_->kill();
  return true;
}

/// Nobody who needs the supervisor waits for the system to look these up.
ProcessFigures ProcessSupervisor::figures(Thoroughness how) {
  std::shared_ptr<ProcessGroup> group;
  unsigned process = 0;
  {
    const Lock lock(mutex_);
    if (process_ && !noticed_) group = group_;
    process = generation_;
  }
  ProcessFigures figures = group ? group->figures(how) : ProcessFigures();
  // One that is gone has no threads.
  figures.process = figures.threads == 0 ? 0 : process;
  return figures;
}

bool ProcessSupervisor::has_died() {
  const Lock lock(mutex_);
  return notice();
}

bool ProcessSupervisor::is_gone() {
  std::uint16_t port = 0;
  {
    const Lock lock(mutex_);
    if (process_ && !noticed_) port = process_->port();
  }
  const bool dying = port != 0 && transport_.refuses(port);
  const Lock lock(mutex_);
  const bool same = process_ && process_->port() == port;
  // One that goes on without serving is waited for once.
  if (dying && same && !deaf_) deaf_ = !process_->wait(monotonic_now() + most_dying);
  return notice();
}

std::size_t ProcessSupervisor::deaths() {
  const Lock lock(mutex_);
  return casualties_.size();
}

bool ProcessSupervisor::last_hung() {
  const Lock lock(mutex_);
  return !casualties_.empty() && casualties_.back().death.hung;
}

void ProcessSupervisor::claim(std::size_t since, const std::string& input, std::string_view name) {
  const Lock lock(mutex_);
  const std::string& id = running_[std::this_thread::get_id()];
  for (std::size_t i = since; i < casualties_.size(); ++i) {
    auto& running = casualties_[i].death.running;
    if (std::ranges::find(running, id) == running.end()) continue;
    // Cases that had ended are not suspected any more.
    std::erase_if(running, [&](const std::string& one) { return !is_running(one); });
    casualties_[i].claimed_by = id;
    casualties_[i].killer = name.empty() ? id : id_beside(id, name);
    casualties_[i].input = input;
  }
}

std::string ProcessSupervisor::end_within(Time lived) {
  const Lock lock(mutex_);
  if (!process_) return {};
  process_->wait(launched_ + lived);
  notice();
  return process_->how_it_ended();
}

bool ProcessSupervisor::notice() {
  if (!process_ || noticed_) return true;
  // One whose connections are closed may be in the middle of its end.
  const bool going = !deaf_ && process_->ending();
  if (going) deaf_ = !process_->wait(monotonic_now() + most_dying);
  if (!process_->ended()) return false;
  noticed_ = true;
  record_death(process_->how_it_ended(), false);
  return true;
}

void ProcessSupervisor::record_death(std::string how, bool hung) {
  Casualty& casualty = casualties_.emplace_back();
  reports::Death& death = casualty.death;
  const Time now = monotonic_now();
  death.how = std::move(how);
  death.hung = hung;
  death.at = between(begun_, now);
  death.lived = between(launched_, now);
  for (const std::string& line : process_->last_lines())
    death.output.push_back(base::excerpt(line, longest_line));
  name_suspects(casualty);
  death.last_sent = last_sent();
}

bool ProcessSupervisor::is_running(const std::string& id) const {
  return std::ranges::any_of(running_, [&](const auto& one) { return one.second == id; });
}

void ProcessSupervisor::name_suspects(Casualty& casualty) const {
  const Time now = monotonic_now();
  std::vector<std::string>& running = casualty.death.running;
  for (const auto& [thread, id] : running_) running.push_back(id);
  for (const Played& one : played_) {
    if (one.ended < launched_) continue;
    // After it hung, nobody heard of it: who ended before had nothing to do with it.
    if (casualty.death.hung) {
      if (one.ended + moment > last_heard_)
        (one.passed ? casualty.before : running).push_back(one.id);
      continue;
    }
    if (!one.passed && one.ended + moment > now) running.push_back(one.id);
    if (one.passed && one.ended + while_ago > now) casualty.before.push_back(one.id);
  }
  std::ranges::sort(running);
  running.erase(std::ranges::unique(running).begin(), running.end());
}

std::uint64_t ProcessSupervisor::opened(unsigned generation) {
  const Lock lock(mutex_);
  const auto found = running_.find(std::this_thread::get_id());
  const std::string& who = found == running_.end() ? std::string() : found->second;
  const std::uint64_t number = ++connections_;
  talks_[number] = {
      fmt::format("{}{}connection {}", who, who.empty() ? "" : " ", number), generation, {}, true};
  return number;
}

void ProcessSupervisor::sent(std::uint64_t connection, base::ByteView bytes) {
  const Lock lock(mutex_);
  const auto found = talks_.find(connection);
  if (found == talks_.end() || bytes.empty()) return;
  const auto kept = bytes.first(std::min(bytes.size(), most_bytes));
  std::deque<Piece>& pieces = found->second.pieces;
  pieces.push_back({{kept.begin(), kept.end()}, bytes.size() - kept.size(), monotonic_now()});
  if (pieces.size() > most_pieces) pieces.pop_front();
}

void ProcessSupervisor::closed(std::uint64_t connection) {
  const Lock lock(mutex_);
  const auto found = talks_.find(connection);
  if (found == talks_.end()) return;
  found->second.open = false;
  if (found->second.pieces.empty()) talks_.erase(found);
  forget_closed();
}

void ProcessSupervisor::forget_closed() {
  const auto is_closed = [](const auto& one) { return !one.second.open; };
  if (static_cast<std::size_t>(std::ranges::count_if(talks_, is_closed)) <= most_closed) return;
  talks_.erase(std::ranges::find_if(talks_, is_closed));
}

std::vector<reports::Exchange> ProcessSupervisor::last_sent() const {
  std::vector<const Talk*> talks;
  for (const auto& [number, talk] : talks_) {
    if (talk.generation == generation_ && !talk.pieces.empty()) talks.push_back(&talk);
  }
  const auto last = [](const Talk* talk) { return talk->pieces.back().at; };
  std::ranges::stable_sort(talks, std::ranges::greater{}, last);
  if (talks.size() > most_connections) talks.resize(most_connections);
  std::vector<reports::Exchange> exchanges;
  for (const Talk* const talk : talks) {
    for (const Piece& piece : talk->pieces) {
      reports::Exchange& exchange = exchanges.emplace_back();
      exchange.connection = talk->name;
      exchange.at =
          std::chrono::duration_cast<std::chrono::microseconds>(between(launched_, piece.at));
      exchange.bytes = piece.bytes;
      exchange.omitted = piece.omitted;
    }
  }
  return exchanges;
}

std::vector<Casualty> ProcessSupervisor::casualties() {
  const Lock lock(mutex_);
  return casualties_;
}

std::size_t ProcessSupervisor::examined() {
  const Lock lock(mutex_);
  return examined_;
}

void ProcessSupervisor::set_examined() {
  const Lock lock(mutex_);
  examined_ = casualties_.size();
}

}  // namespace hallmark::conformance
