#include "conformance/suites/ratelimit_state/walk.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/number.hpp"

namespace hallmark::conformance {
namespace {

using base::Json;

/// 2025-10-31, as the examples of the document.
constexpr std::int64_t first_instant = 1'761'884'055'000'000'000;

std::optional<std::int64_t> number_in(const Json& json, const char* name) {
  const Json* const found = json.find(name);
  if (found == nullptr || !found->is_string()) return {};
  const auto& text = found->string();
  return base::number_in<std::int64_t>(text);
}

std::optional<bool> truth_in(const Json& json, const char* name) {
  const Json* const found = json.find(name);
  if (found == nullptr || !found->is_boolean()) return {};
  return found->boolean();
}

}  // namespace

std::int64_t WalkDecision::least_remaining() const {
  return std::ranges::min_element(results, {}, &WalkResult::remaining)->remaining;
}

Walk::Walk(AdapterTrial& trial, std::string_view strategy)
    : trial_(trial), configuration_(draw_configuration(trial, strategy)), now_(first_instant) {}

Json Walk::request(const Json& state, std::int64_t now) const {
  return {{"op", "decide"},
          {"configuration", configuration_.json},
          {"state", state},
          {"now", std::to_string(now)}};
}

void Walk::fail(const std::string& reason) const { fail(reports::promise_of(reason), reason); }

void Walk::fail(std::string promise, const std::string& reason) const {
  // The walk itself is drawn at random.
  trial_.fail({.promise = std::move(promise)}, fmt::format("{}; step {} of a walk over {}", reason,
                                                           steps_, configuration_.json.dump()));
}

WalkDecision Walk::decide(const Json& state, std::int64_t now) {
  return read(trial_.ask_listed(request(state, now)), now);
}

WalkDecision Walk::read(const Json& answer, std::int64_t now) const {
  if (answer.contains("error"))
    fail("the adapter refuses a state that it wrote itself, or none: " + answer["error"].dump());
  WalkDecision decision;
  const auto allowed = truth_in(answer, "allowed");
  if (!allowed) fail("'allowed' is neither true nor false");
  decision.allowed = *allowed;
  const Json* const results = answer.find("results");
  if (results == nullptr || !results->is_array() || results->size() != configuration_.quotas.size())
    fail(fmt::format("'results' is no list of {}", configuration_.quotas.size()));
  for (std::size_t i = 0; i < results->size(); ++i)
    decision.results.push_back(read_result((*results)[i], i, now));
  if (std::ranges::all_of(decision.results, &WalkResult::allowed) != decision.allowed)
    fail("'allowed' is not what all of 'results' say together");
  const Json* const state = answer.find("state");
  if (state == nullptr || (!state->is_null() && !state->is_string()))
    fail("'state' is neither a text nor null");
  const auto expires_in = number_in(answer, "expires_in_ms");
  if (answer.contains("expires_in_ms") && expires_in.value_or(-1) < 0)
    fail("'expires_in_ms' is no number of 0 or more in a string");
  decision.state = *state;
  decision.expires_in_ms = expires_in;
  return decision;
}

WalkResult Walk::read_result(const Json& result, std::size_t index, std::int64_t now) const {
  const std::string place = fmt::format("results[{}]", index);
  if (!result.is_object()) fail(place + " is no object");
  const std::string& quota = configuration_.quotas[index];
  const Json* const name = result.find("quota");
  if (name == nullptr || *name != quota) fail(fmt::format("{}.quota is not '{}'", place, quota));
  const auto allowed = truth_in(result, "allowed");
  if (!allowed) fail(place + ".allowed is neither true nor false");
  const auto remaining = number_in(result, "remaining");
  const std::int64_t limit = configuration_.bounds[index].burst;
  if (!remaining || *remaining < 0 || *remaining > limit)
    fail(fmt::format("{}.remaining is no number from 0 to {} in a string", place, limit));
  const auto reset = number_in(result, "reset");
  if (!reset) fail(place + ".reset is no number in a string");
  if (!*allowed && *reset < now)
    fail(fmt::format("{}.reset of a denied request is {}, before {}", place, *reset, now));
  return {quota, *allowed, *remaining, *reset};
}

WalkDecision Walk::step() {
  if (steps_++ > 0) pass_time();
  WalkDecision decision = decide(state_, now_);
  if (!decision.state.is_null()) state_ = decision.state;
  return decision;
}

void Walk::pass_time() {
  const auto up_to = [&](std::int64_t most) {
    return static_cast<std::int64_t>(trial_.random(static_cast<std::uint64_t>(most) + 1));
  };
  switch (trial_.random(10)) {
    case 0:
    case 1:
    case 2:
    case 3: return;
    case 4:
    case 5:
    case 6: now_ += up_to(configuration_.interval); return;
    case 7: now_ += configuration_.interval; return;
    case 8: now_ += up_to(configuration_.rest / 4 + 1); return;
    default: now_ += up_to(configuration_.rest); return;
  }
}

}  // namespace hallmark::conformance
