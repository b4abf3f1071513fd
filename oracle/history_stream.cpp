#include "oracle/history_stream.hpp"

#include <algorithm>

namespace hallmark::oracle {

void HistoryStream::add(const RecordOperation& operation) {
  if (verdict_ == HistoryVerdict::linearizable) waiting_.push_back(operation);
}

/// The end of the part that begins there: all of the part was over before the next operation began.
/// Empty if the end cannot be told yet.
std::optional<std::size_t> HistoryStream::end_of_part(std::size_t begin,
                                                      std::int64_t complete_ns) const {
  std::int64_t busy_until = INT64_MIN;
  for (std::size_t i = begin; i < waiting_.size(); ++i) {
    const std::int64_t begins = waiting_[i].invoked_ns;
    if (begins > complete_ns) return std::nullopt;
    if (i != begin && begins > busy_until) return i;
    busy_until = std::max(busy_until, waiting_[i].returned_ns);
    if (busy_until == never_ns) return std::nullopt;
  }
  if (busy_until < complete_ns && begin != waiting_.size()) return waiting_.size();
  return std::nullopt;
}

std::size_t HistoryStream::judge(std::int64_t complete_ns) {
  std::ranges::stable_sort(waiting_, {}, &RecordOperation::invoked_ns);
  std::size_t begin = 0;
  while (const auto end = end_of_part(begin, complete_ns)) {
    if (!judge_part({waiting_.data() + begin, *end - begin})) return begin;
    begin = *end;
  }
  waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(begin));
  return begin;
}

/// Returns true if the part can be explained. It begins and ends at rest.
bool HistoryStream::judge_part(std::span<const RecordOperation> part) {
  auto after = checker_->states_after(part, before_);
  if (!after) return end_as(HistoryVerdict::undecided);
  if (after->empty()) return violate(part);
  if (!std::ranges::all_of(part, &RecordOperation::changes_nothing)) {
    last_change_.assign(part.begin(), part.end());
    before_last_change_ = std::move(before_);
  }
  before_ = std::move(*after);
  return true;
}

bool HistoryStream::end_as(HistoryVerdict verdict) {
  verdict_ = verdict;
  waiting_.clear();
  return false;
}

/// Ends the stream with a violation. Its proof includes what changed the record last.
bool HistoryStream::violate(std::span<const RecordOperation> part) {
  RecordHistory proof = last_change_;
  proof.insert(proof.end(), part.begin(), part.end());
  violation_ = last_change_.empty() ? reduced(*checker_, part, before_)
                                    : reduced(*checker_, proof, before_last_change_);
  return end_as(HistoryVerdict::violated);
}

/// A beginning of a history that can be explained can be, if what goes on beyond may come to
/// anything.
void HistoryStream::end_at(std::int64_t until_ns) {
  if (until_ns == never_ns) return;
  std::erase_if(waiting_, [&](const RecordOperation& one) { return one.invoked_ns >= until_ns; });
  for (RecordOperation& operation : waiting_) {
    if (operation.returned_ns < until_ns) continue;
    operation.returned_ns = never_ns;
    operation.reply = RecordReply::none;
    operation.told.reset();
  }
}

std::size_t HistoryStream::finish(std::int64_t until_ns, std::size_t most) {
  end_at(until_ns);
  const std::size_t explained = judge(until_ns);
  if (waiting_.size() > most) end_at(waiting_[most].invoked_ns);
  if (waiting_.empty()) return explained;
  const RecordHistory rest = waiting_;
  switch (checker_->check(rest, before_).verdict) {
    case HistoryVerdict::linearizable: break;
    case HistoryVerdict::violated: violate(rest); return explained;
    case HistoryVerdict::undecided: end_as(HistoryVerdict::undecided); return explained;
  }
  waiting_.clear();
  return explained + rest.size();
}

}  // namespace hallmark::oracle
