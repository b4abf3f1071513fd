#include <algorithm>
#include <limits>

#include "reference/faults/bugs.hpp"
#include "reference/faults/states/formulas_fault.hpp"

namespace hallmark::faults {
namespace {

using model::FixedWindow;
using model::FixedWindowState;

/// The windows that a state holds; none where it says nothing.
FixedWindowState windows_in(const FixedWindow& fixed, const Question& question) {
  if (!question.state) return {};
  auto held = model::read_fixed_window(*question.state, fixed);
  return held ? std::move(*held) : FixedWindowState{};
}

const model::Quota* quota_of(const FixedWindow& fixed, const model::QuotaState& window) {
  const auto found = std::ranges::find(fixed.quotas, window.name, &model::Quota::name);
  return found == fixed.quotas.end() ? nullptr : &*found;
}

/// The right formula is asked as of when the first window began.
struct WindowNeverOver : AroundFormulas {
  using AroundFormulas::AroundFormulas;
  using AroundFormulas::ask;
  StateRead<Answer> ask(const FixedWindow& fixed, const Question& question) const override {
    Question earlier = question;
    for (const auto& window : windows_in(fixed, question).quotas)
      earlier.now = std::min(earlier.now, window.start);
    return right.ask(fixed, earlier);
  }
};

/// If a window is over in just this nanosecond, the right formula is asked a nanosecond earlier.
struct LateWindow : AroundFormulas {
  using AroundFormulas::AroundFormulas;
  using AroundFormulas::ask;
  StateRead<Answer> ask(const FixedWindow& fixed, const Question& question) const override {
    Question earlier = question;
    for (const auto& window : windows_in(fixed, question).quotas) {
      const model::Quota* const quota = quota_of(fixed, window);
      if (quota != nullptr && question.now - quota->window == window.start)
        earlier.now = question.now - 1;
    }
    return right.ask(fixed, earlier);
  }
};

struct BeginsAnew : AroundFormulas {
  using AroundFormulas::AroundFormulas;
  using AroundFormulas::ask;
  StateRead<Answer> ask(const FixedWindow& fixed, const Question& question) const override {
    FixedWindowState windows = windows_in(fixed, question);
    if (windows.quotas.empty()) return right.ask(fixed, question);
    for (auto& window : windows.quotas) {
      const model::Quota* const quota = quota_of(fixed, window);
      if (quota != nullptr && question.now - quota->window < window.start)
        window.start = question.now;
    }
    return right.ask(fixed, with(question, text_of(windows)));
  }
};

struct OneMoreInWindow : AroundFormulas {
  using AroundFormulas::AroundFormulas;
  using AroundFormulas::ask;
  StateRead<Answer> ask(const FixedWindow& fixed, const Question& question) const override {
    FixedWindow wider = fixed;
    for (model::Quota& quota : wider.quotas) ++quota.limit;
    auto answer = right.ask(wider, question);
    if (!answer) return answer;
    for (model::QuotaResult& one : answer->results)
      one.remaining = std::max<std::int64_t>(one.remaining - 1, 0);
    return answer;
  }
};

/// If one quota has room, the others are as wide as they can be.
struct AnyQuota : AroundFormulas {
  using AroundFormulas::AroundFormulas;
  using AroundFormulas::ask;
  StateRead<Answer> ask(const FixedWindow& fixed, const Question& question) const override {
    auto answer = right.ask(fixed, question);
    if (!answer || answer->allowed ||
        !std::ranges::any_of(answer->results, &model::QuotaResult::allowed))
      return answer;
    FixedWindow wider = fixed;
    for (std::size_t i = 0; i < wider.quotas.size(); ++i) {
      if (!answer->results[i].allowed)
        wider.quotas[i].limit = std::numeric_limits<std::int64_t>::max();
    }
    auto allowed = right.ask(wider, question);
    for (std::size_t i = 0; allowed && i < fixed.quotas.size(); ++i) {
      if (!answer->results[i].allowed) allowed->results[i] = answer->results[i];
    }
    return allowed;
  }
};

}  // namespace

Bugs window_bugs() {
  return {
      {.id = "window.never-over",
       .breaks = "a window does not end",
       .violates = {{"ratelimit-state", {"silence.fixed-window"}}},
       .code = formulas<WindowNeverOver>(),
       .settles = "when a window ends"},
      {.id = "window.begins-anew",
       .breaks = "every request begins a window",
       .violates = {{"ratelimit-state", {"silence.fixed-window"}}},
       .code = formulas<BeginsAnew>()},
      {.id = "window.one-more",
       .breaks = "a window allows one request more than its limit",
       .violates = {{"ratelimit-state", {"silence.fixed-window"}}},
       .code = formulas<OneMoreInWindow>()},
      {.id = "window.late",
       .breaks = "a window ends a nanosecond late",
       .violates = {{"ratelimit-state", {"silence.fixed-window"}}},
       .code = formulas<LateWindow>(),
       .settles = "when a window ends"},
      {.id = "window.any-quota",
       .breaks = "one quota that is not full is enough",
       .violates = {{"ratelimit-state", {"silence.fixed-window", "fixed-window.multiple"}}},
       .code = formulas<AnyQuota>()},
  };
}

}  // namespace hallmark::faults
