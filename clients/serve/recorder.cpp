#include "clients/serve/recorder.hpp"

#include <algorithm>

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

}  // namespace

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
  changes_.push_back({message.connection, treatment.reach, std::move(difference)});
  return changes_.size() - 1;
}

void Recorder::performed(Mark mark) {
  if (mark == unmarked) return;
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
  if (!observed_.first && !changes_.empty()) observed_.first = changes_.front().difference;
  observed_.breaches = judge_.breaches();
  return std::move(observed_);
}

}  // namespace hallmark::clients
