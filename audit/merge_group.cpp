#include "audit/merge_group.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hallmark::audit {
namespace {

using model::FixedWindowState;
using protocol::state::Parsed;
using stores::ExpiresIn;
using stores::Expiry;
using stores::Held;
using stores::Presence;

/// The longest of several, nothing standing for never.
class Longest {
 public:
  void add(ExpiresIn one) { longest_ = count_++ == 0 ? one : longer(longest_, one); }

  Expiry expiry() const {
    if (!longest_) return Expiry::never();
    return Expiry::in(std::max(*longest_, std::chrono::milliseconds(1)));
  }
  /// True if that is longer than what is there.
  bool beyond(ExpiresIn held) const { return held && (!longest_ || *longest_ > *held); }

 private:
  static ExpiresIn longer(ExpiresIn a, ExpiresIn b) {
    return a && b ? std::max(a, b) : std::nullopt;
  }

  ExpiresIn longest_{};
  int count_ = 0;
};

class Planner {
 public:
  explicit Planner(const MergeGroup& group) : group_(group) {}

  MergeStep plan(std::span<const Held> held) {
    const Held& whole = held.front();
    if (!take_whole(whole)) return std::move(step_);
    const auto& quotas = group_.rule->merge->quotas();
    for (std::size_t i = 0; i < quotas.size(); ++i) take_part(quotas[i], held[i + 1]);
    if (step_.removals.empty()) {
      step_.after = whole.value;
    } else {
      finish(whole);
    }
    return std::move(step_);
  }

 private:
  bool take_whole(const Held& held) {
    if (held.presence == Presence::absent) return true;
    if (held.presence != Presence::text) return refuse("is no string");
    const auto parsed = model::parse_stored(held.value, {.strategy = "fixed-window"});
    if (!parsed) return refuse(fmt::format("is no fixed window: {}", parsed.error().reason));
    const auto state = model::fixed_window_of(*parsed, group_.rule->whole.quota);
    if (!state) return refuse(state.error().where.reason);
    merge(state_, *state, group_.rule->merge->quotas());
    expiry_.add(held.expires_in);
    return true;
  }

  bool refuse(std::string_view why) {
    step_.obstacle = fmt::format("what it becomes, {}, {}", group_.key, why);
    return false;
  }

  void take_part(const std::string& quota, const Held& held) {
    if (held.presence != Presence::text) return;
    const auto parsed = model::parse_stored(held.value, {.strategy = "fixed-window"});
    if (!parsed || parsed->view().find("quotas") != nullptr) return;  // stays, and is reported
    merge(state_, *model::fixed_window_of(*parsed, quota), group_.rule->merge->quotas());
    expiry_.add(held.expires_in);
    step_.removals.push_back({group_.rule->merge->key_of(group_.key, quota), held.value});
    step_.formats.push_back(FormatSet::of(*parsed));
  }

  void finish(const Held& whole) {
    auto text = model::checked_text_of(state_);
    if (!text) {
      step_.removals.clear();
      refuse(fmt::format("would have {}", text.error().where.reason));
      return;
    }
    step_.after = *text;
    const bool absent = whole.presence == Presence::absent;
    if (!absent && whole.value == *text && !expiry_.beyond(whole.expires_in)) return;
    step_.change = stores::Change{.key = group_.key,
                                  .expected = absent ? std::nullopt : std::optional(whole.value),
                                  .desired = *std::move(text),
                                  .expiry = expiry_.expiry()};
  }

  const MergeGroup& group_;
  FixedWindowState state_;
  Longest expiry_;
  MergeStep step_;
};

}  // namespace

std::vector<std::string> MergeGroup::keys() const {
  std::vector<std::string> all{key};
  for (const std::string& quota : rule->merge->quotas())
    all.push_back(rule->merge->key_of(key, quota));
  return all;
}

MergeStep plan_merge(const MergeGroup& group, std::span<const Held> held) {
  return Planner(group).plan(held);
}

}  // namespace hallmark::audit
