#include "loadgen/histogram/second_log.hpp"

#include <algorithm>

#include "loadgen/results/summary.hpp"

namespace hallmark::loadgen {

SecondLog::SecondLog(std::vector<std::string> names, TallyPool& pool, const LoadOutputs& outputs,
                     bool open_loop, std::uint32_t workers,
                     std::chrono::system_clock::time_point start)
    : names_(std::move(names)),
      pool_(pool),
      outputs_(outputs),
      open_loop_(open_loop),
      workers_(workers),
      total_(names_.size(), pool.staged(), open_loop) {
  if (outputs.interval_log) log_.emplace(outputs.interval_log, "Hallmark load", start);
}

void SecondLog::report(std::int64_t second, std::unique_ptr<Tally> tally, bool last) {
  if (second < 0) return pool_.give_back(std::move(tally));
  total_.add(*tally);
  Open& open = open_[second];
  if (open.sum == nullptr) {
    open.sum = std::move(tally);
  } else {
    open.sum->add(*tally);
    pool_.give_back(std::move(tally));
  }
  if (!last) ++open.whole;
  write_if_whole(second);
}

void SecondLog::write_if_whole(std::int64_t second) {
  const auto open = open_.find(second);
  if (open == open_.end() || open->second.whole < workers_) return;
  write(static_cast<std::uint64_t>(second), 1.0, *open->second.sum);
  pool_.give_back(std::move(open->second.sum));
  open_.erase(open);
}

void SecondLog::lose_worker() {
  --workers_;
  std::vector<std::int64_t> seconds;
  for (const auto& [second, open] : open_) seconds.push_back(second);
  for (const std::int64_t second : seconds) write_if_whole(second);
}

void SecondLog::close(double seconds) {
  for (const auto& [second, open] : open_) {
    const double length = std::max(0.0, seconds - static_cast<double>(second));
    write(static_cast<std::uint64_t>(second), length, *open.sum);
  }
  open_.clear();
}

void SecondLog::write(std::uint64_t second, double length, const Tally& tally) {
  if (outputs_.tallied) outputs_.tallied(second, length, tally);
  const auto counts = tally.total();
  if (tally.sent == 0 && counts == reports::LoadCounts{}) return;
  reports::SecondSample sample = sample_of(tally, second, length);
  if (outputs_.second) outputs_.second(sample);
  if (outputs_.operations) outputs_.operations(names_, tally);
  series_.add(std::move(sample));
  if (!log_) return;
  const auto start = static_cast<double>(second);
  for (std::size_t i = 0; i < tally.parts.size(); ++i) {
    const Ledger& part = tally.parts[i];
    const auto log = [&](const std::string& tag, const CensoredHistogram& latency) {
      if (!latency.known().empty()) log_->write(tag, start, length, latency.known());
      if (!latency.waits().empty())
        log_->write(tag + ".unanswered", start, length, latency.waits());
    };
    log(names_[i], part.corrected());
    if (open_loop_) log(names_[i] + ".service", part.uncorrected());
  }
}

}  // namespace hallmark::loadgen
