#include <fmt/format.h>

#include "conformance/suites/throttr/readings/probe.hpp"

namespace hallmark::conformance {
namespace {

constexpr Time millisecond = 1'000'000;

/// The least and the most time that the target can have seen pass.
vectors::Elapsed between(const Message& first, const Message& second) {
  return elapsed_between(first.window(), second.window());
}

/// A moment after it was set, a TTL of seconds shows how it is rounded, and one of milliseconds
/// whether it runs at all.
Told ttl_left(Inquiry& inquiry) {
  // A target that takes numbers of a byte for signed ones has the same from it.
  constexpr std::uint64_t amount = 120;
  const std::string slow = inquiry.key("seconds");
  const std::string quick = inquiry.key("milliseconds");
  const auto set = inquiry.ask({insert(slow, 1, {TtlUnit::seconds, amount}),
                                insert(quick, 1, {TtlUnit::milliseconds, amount})});
  inquiry.stage().wait_until(set[1].window().latest + 2 * millisecond);
  const auto found = inquiry.ask({query(slow), query(quick)});
  const bool may_be_over =
      between(set[1], found[1]).most >= amount * length_of(TtlUnit::milliseconds);
  if (may_be_over || between(set[0], found[0]).most >= length_of(TtlUnit::seconds))
    inquiry.stage().indeterminate("the target was too slow to tell");
  if (!found[1].succeeded())
    return untold(fmt::format("QUERY does not find a record whose TTL is {} ms", amount));
  const std::uint64_t seconds = found[0].number_or("ttl", 0);
  const std::uint64_t left = found[1].number("ttl");
  return inquiry.first_of(
      {{"left-rounded-down", seconds == amount - 1 && left < amount},
       {"left-rounded-up", seconds == amount && left < amount},
       {"as-set", seconds == amount && left == amount}},
      fmt::format("2 ms after they were set, of {0} s QUERY shows {1}, and of {0} ms {2}", amount,
                  seconds, left));
}

/// When a record ends according to LIST; nothing where it is not listed.
std::optional<std::uint64_t> time_point(Inquiry& inquiry, std::string_view key) {
  const Message list = inquiry.ask(bare("LIST"));
  std::optional<std::uint64_t> found;
  list.view().for_each("keys", [&](const protocol::MessageView::Entry& entry) {
    if (base::as_text(entry.bytes_of("key")) == key) found = entry.number("time_point");
  });
  return found;
}

/// Tells the answer if QUERY does not show the time left: LIST shows whether PATCH with the same
/// TTL moves the time point.
Told patch_in_list(Inquiry& inquiry, const std::string& key, std::uint64_t amount) {
  if (!inquiry.format().has("LIST")) return untold("QUERY does not show what is left");
  const auto before = time_point(inquiry, key);
  inquiry.ask(update(key, Attribute::ttl, Change::patch, amount));
  const auto after = time_point(inquiry, key);
  if (!before || !after) inquiry.stage().indeterminate("the record had expired meanwhile");
  return {*after == *before ? protocol::AnswerName("unit-of-record-from-creation")
                            : "unit-of-record-from-now",
          {}};
}

/// A record is given the TTL that it was made with once more, a while later.
Told ttl_update(Inquiry& inquiry) {
  const std::uint64_t amount = std::min<std::uint64_t>(inquiry.stage().maximum() - 55, 60'000);
  constexpr Time pause = 20 * millisecond;
  const std::string key = inquiry.key("patched");
  const Message inserted = inquiry.ask(insert(key, 1, {TtlUnit::milliseconds, amount}));
  inquiry.stage().wait_until(inserted.window().latest + pause);
  if (inquiry.stage().reads({"ttl-left", "as-set"})) return patch_in_list(inquiry, key, amount);
  const auto replies =
      inquiry.ask({update(key, Attribute::ttl, Change::patch, amount), query(key)});
  if (!replies[1].succeeded()) inquiry.stage().indeterminate("the record had expired meanwhile");
  const std::uint64_t left = replies[1].number("ttl");
  // The times since PATCH and since INSERT, in milliseconds. Each comparison allows one more for
  // rounding.
  const std::uint64_t since_patch = between(replies[0], replies[1]).most / millisecond + 1;
  const std::uint64_t since_insert = between(inserted, replies[1]).least / millisecond;
  const bool from_now = left + since_patch >= amount;
  const bool from_creation = left + since_insert <= amount + 1;
  if (from_now && from_creation) inquiry.stage().indeterminate("the target was too slow to tell");
  return inquiry.first_of(
      {{"unit-of-record-from-now", from_now}, {"unit-of-record-from-creation", from_creation}},
      fmt::format("after PATCH of the TTL to {} ms, QUERY shows {}", amount, left));
}

Told ttl_past_now(Inquiry& inquiry) {
  const std::string key = inquiry.key("past");
  const auto replies = inquiry.ask({insert(key, 1, {TtlUnit::seconds, 10}),
                                    update(key, Attribute::ttl, Change::decrease, 20), query(key)});
  // An expired record may still be shown until a scheduler comes by, or may be restored.
  return inquiry.first_of(
      {{"expired", replies[1].succeeded()}, {"refused", replies[2].succeeded()}},
      "DECREASE of the TTL by more than is left was refused, and the record "
      "is gone");
}

Told ttl_beyond(Inquiry& inquiry) {
  const std::string key = inquiry.key("beyond");
  const std::uint64_t much = inquiry.stage().maximum() - 1;
  const auto replies =
      inquiry.ask({insert(key, 1, {TtlUnit::seconds, 100}),
                   update(key, Attribute::ttl, Change::increase, much), query(key)});
  const bool there = replies[2].succeeded();
  return inquiry.first_of({{"saturated", replies[1].succeeded() && there},
                           {"refused", !replies[1].succeeded() && there}},
                          fmt::format("after INCREASE of the TTL by {} the record is gone", much));
}

Told ttl_zero(Inquiry& inquiry) {
  // Longer than any scheduler of a released server takes.
  constexpr Time pause = 250 * millisecond;
  const std::string key = inquiry.key("zero");
  const auto replies = inquiry.ask({insert(key, 1, {TtlUnit::seconds, 0}), query(key)});
  if (!replies[0].succeeded() || !replies[1].succeeded())
    return {replies[0].succeeded() ? protocol::AnswerName("expired") : "refused", {}};
  inquiry.stage().wait_until(replies[1].window().latest + pause);
  return {inquiry.ask(query(key)).succeeded() ? protocol::AnswerName("forever") : "expired", {}};
}

constexpr Ttl brief{TtlUnit::milliseconds, 20};

/// Waits until a record has expired for certain.
void outlive(Inquiry& inquiry, const Message& inserted) {
  inquiry.stage().wait_until(inserted.window().latest + brief.length() + 1);
}

/// A record that a scheduler is to remove may be looked at in the moment when it does, so several
/// are. That one is gone at its time point excludes nothing; that one is there does.
Told expired_when(Inquiry& inquiry) {
  constexpr int records = 3;
  for (int i = 0; i < records; ++i) {
    const std::string key = inquiry.key(fmt::format("brief-{}", i));
    outlive(inquiry, inquiry.ask(insert(key, 1, brief)));
    if (inquiry.ask(query(key)).succeeded()) return {"scheduler", {}};
  }
  return {.answer = "time-point", .reason = {}, .weak = true};
}

Told expiry(Inquiry& inquiry) {
  const std::string key = inquiry.key("brief");
  const auto replies =
      inquiry.ask({insert(key, 5, brief), update(key, Attribute::quota, Change::patch, 3)});
  outlive(inquiry, replies[0]);
  const Message found = inquiry.ask(query(key));
  if (!replies[1].succeeded()) inquiry.stage().indeterminate("the pair had expired meanwhile");
  return inquiry.first_of(
      {{"gone", !found.succeeded()}, {"restored", found.succeeded() && found.number("quota") == 5}},
      "after its TTL a pair is as it was before");
}

}  // namespace

std::vector<ReadingProbe> ttl_probes() {
  return {{"ttl-left", "QUERY", Cost::quick, Danger::documented, ttl_left},
          {"ttl-update", "UPDATE", Cost::patient, Danger::documented, ttl_update,
           ReadingProbe::For::both, "ttl-left"},
          {"ttl-past-now", "UPDATE", Cost::quick, Danger::open, ttl_past_now},
          {"ttl-beyond", "UPDATE", Cost::quick, Danger::open, ttl_beyond},
          {"ttl-zero", "INSERT", Cost::patient, Danger::open, ttl_zero},
          {"expired-when", "QUERY", Cost::patient, Danger::documented, expired_when},
          {"expiry-2.0", "QUERY", Cost::patient, Danger::documented, expiry}};
}

}  // namespace hallmark::conformance
