#include "loadgen/judge/insert_ledger.hpp"

#include <algorithm>

namespace hallmark::loadgen {

InsertLedger::InsertLedger(std::uint32_t keys, std::int64_t lasts_ns)
    : lasts_ns_(lasts_ns), keys_(std::min(keys, most_keys)) {}

void InsertLedger::purging(std::uint32_t key) {
  if (!is_kept(key)) return;
  const std::scoped_lock lock{parts_[key % parts].mutex};
  ++keys_[key].purges;
}

void InsertLedger::purged(std::uint32_t key, std::int64_t received_ns) {
  if (!is_kept(key)) return;
  const std::scoped_lock lock{parts_[key % parts].mutex};
  --keys_[key].purges;
  keys_[key].purged_ns = std::max(keys_[key].purged_ns, received_ns);
}

/// A PURGE between the two was noted before it was sent, and so before the later of them was told
/// to have won: either it is still in flight, or its reply came after the first of them was sent.
bool InsertLedger::must_be_there(const Key& key, const Observation& insert) const {
  if (key.sent_ns == oracle::never_ns || key.purges != 0) return false;
  const std::int64_t from = std::min(key.sent_ns, insert.sent_ns);
  const std::int64_t until = std::max(key.received_ns, insert.received_ns);
  return key.purged_ns < from && until - from < lasts_ns_;
}

void InsertLedger::won(const Observation& insert) {
  if (!is_kept(insert.key)) return;
  Part& part = parts_[insert.key % parts];
  const std::scoped_lock lock{part.mutex};
  Key& key = keys_[insert.key];
  ++part.findings.won;
  if (must_be_there(key, insert)) {
    ++part.findings.twice;
    if (part.findings.examples.size() < most_examples) {
      Observation first = insert;
      first.index = key.index;
      first.client = key.client;
      first.sent_ns = key.sent_ns;
      first.received_ns = key.received_ns;
      first.reply.assign(key.reply.begin(), key.reply.begin() + key.reply_bytes);
      part.findings.examples.emplace_back(std::move(first), insert);
    }
  }
  key.sent_ns = insert.sent_ns;
  key.received_ns = insert.received_ns;
  key.index = insert.index;
  key.client = insert.client;
  key.reply_bytes = static_cast<std::uint8_t>(std::min(insert.reply.size(), key.reply.size()));
  std::copy_n(insert.reply.begin(), key.reply_bytes, key.reply.begin());
}

InsertLedger::Findings InsertLedger::findings() const {
  Findings all;
  for (const Part& part : parts_) {
    const std::scoped_lock lock{part.mutex};
    all.won += part.findings.won;
    all.twice += part.findings.twice;
    for (const auto& example : part.findings.examples) all.examples.push_back(example);
  }
  std::ranges::sort(all.examples, {}, [](const auto& pair) { return pair.second.received_ns; });
  if (all.examples.size() > most_examples) all.examples.resize(most_examples);
  return all;
}

}  // namespace hallmark::loadgen
