#include "clients/serve/recorder.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/hex.hpp"

namespace hallmark::clients {
namespace {

base::Bytes kept(base::ByteView bytes) {
  const base::ByteView front = bytes.first(std::min(bytes.size(), Difference::most_kept));
  return {front.begin(), front.end()};
}

base::Bytes sent_by(const Treatment& treatment) {
  base::Bytes all;
  for (const Step& step : treatment.steps) {
    if (all.size() < Difference::most_kept) base::append(all, step.bytes);
  }
  return kept(all);
}

constexpr std::size_t most_told = 64;  ///< bytes

std::string told_bytes(base::ByteView bytes) {
  const base::ByteView front = bytes.first(std::min(bytes.size(), most_told));
  if (bytes.empty()) return "nothing";
  return base::to_hex(front) + (front.size() < bytes.size() ? "…" : "");
}

}  // namespace

void Recorder::connected(std::uint64_t connection, std::uint16_t port) {
  ++observed_.connections;
  Crossing* const opened = add_crossing(connection, Crossing::Kind::opened, {});
  if (opened != nullptr) opened->client_port = port;
}

void Recorder::crossed(std::uint64_t connection, Crossing::Kind kind, base::ByteView bytes) {
  Crossing* const added = add_crossing(connection, kind, bytes);
  if (added == nullptr) return;
  const std::size_t place = observed_.traffic.crossings.size() - 1;
  if (kind == Crossing::Kind::received) {
    last_received_[connection] = place;
    return;
  }
  last_sent_[connection] = place;
  const auto to_come = changes_to_come_.find(connection);
  if (to_come == changes_to_come_.end()) return;
  added->changes = std::move(to_come->second);
  changes_to_come_.erase(to_come);
}

Crossing* Recorder::add_crossing(std::uint64_t connection, Crossing::Kind kind,
                                 base::ByteView bytes) {
  if (!keeps_traffic_) return nullptr;
  note_breaches();
  Traffic& traffic = observed_.traffic;
  kept_bytes_ += bytes.size();
  traffic.cut |=
      kept_bytes_ > Traffic::most_bytes || traffic.crossings.size() >= Traffic::most_crossings;
  if (traffic.cut) return nullptr;
  Crossing& added = traffic.crossings.emplace_back();
  added.connection = connection;
  added.kind = kind;
  added.at = std::chrono::system_clock::now().time_since_epoch();
  added.bytes.assign(bytes.begin(), bytes.end());
  return &added;
}

/// A message that is not sent at all is told of with the request that it would have answered.
void Recorder::note_change(Mark mark, Leaves leaves) {
  Change& change = changes_[mark];
  if (leaves == Leaves::later) {
    changes_to_come_[change.connection].push_back(std::move(change.note));
    return;
  }
  const auto& last = change.is_silence ? last_received_ : last_sent_;
  const auto found = last.find(change.connection);
  if (found != last.end())
    observed_.traffic.crossings[found->second].changes.push_back(std::move(change.note));
}

void Recorder::note_breaches() {
  const std::vector<Breach>& breaches = judge_.breaches();
  for (; noted_breaches_ < breaches.size(); ++noted_breaches_) {
    const Breach& breach = breaches[noted_breaches_];
    const auto last = last_received_.find(breach.connection);
    if (last == last_received_.end()) continue;
    observed_.traffic.crossings[last->second].breaches.push_back(
        fmt::format("{}: {}", breach.clause, breach.what));
  }
}

void Recorder::requested(std::uint64_t connection, const protocol::Operation* operation,
                         base::ByteView bytes) {
  ++observed_.requests;
  if (operation != nullptr) judge_.request(connection, *operation, bytes);
  const auto found = waiting_.find(connection);
  if (found == waiting_.end()) return;
  for (const Mark mark : found->second) reached(mark);
  waiting_.erase(found);
}

Recorder::Mark Recorder::changed(const Message& message, const Treatment& treatment) {
  if (treatment.reach == Reach::never) return unmarked;
  ++observed_.changed;
  if (changes_.size() >= most_changes) return unmarked;
  Difference difference{message.connection, message.number, std::string(message.name()),
                        treatment.what};
  // Only the first is shown: the bytes of later ones are kept where no earlier one was met.
  if (observed_.met == 0) {
    difference.request = kept(message.request);
    difference.expected = kept(message.bytes);
    difference.sent = sent_by(treatment);
  }
  Change& change =
      changes_.emplace_back(message.connection, treatment.reach, std::move(difference));
  change.is_silence = treatment.steps.empty();
  if (keeps_traffic_)
    change.note = fmt::format("{}; undisturbed: {}", treatment.what, told_bytes(message.bytes));
  return changes_.size() - 1;
}

void Recorder::performed(Mark mark, Leaves leaves) {
  if (mark == unmarked) return;
  if (keeps_traffic_) note_change(mark, leaves);
  const Change& change = changes_[mark];
  if (change.reach == Reach::begun || change.reach == Reach::performed) reached(mark);
  if (change.reach != Reach::asked_again) return;
  ++observed_.delivered;
  waiting_[change.connection].push_back(mark);
}

void Recorder::joined(Mark mark) {
  if (mark != unmarked && changes_[mark].reach == Reach::joined) reached(mark);
}

void Recorder::reached(Mark mark) {
  ++observed_.met;
  Difference& difference = changes_[mark].difference;
  difference.reached = true;
  if (!observed_.first) observed_.first = difference;
}

Observed Recorder::take() {
  if (keeps_traffic_) note_breaches();
  if (!observed_.first && !changes_.empty()) observed_.first = changes_.front().difference;
  observed_.breaches = judge_.breaches();
  return std::move(observed_);
}

}  // namespace hallmark::clients
