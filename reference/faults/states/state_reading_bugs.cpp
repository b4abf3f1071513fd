#include <fmt/format.h>

#include <algorithm>

#include "protocol/dialects.hpp"
#include "reference/faults/bugs.hpp"
#include "reference/faults/faults.hpp"
#include "reference/faults/states/adapter_fault.hpp"

namespace hallmark::faults {
namespace {

/// True if a state was refused; not if the request was wrong.
bool refuses_state(const Json& answer) {
  const Json* const error = answer.find("error");
  return error != nullptr && !(*error)["reason"].string().starts_with("expected");
}

std::string fresh_state(const std::string& strategy) {
  if (strategy == "token-bucket") return "12|0|0";
  if (strategy == "fixed-window") return "23|1|default|0|0";
  return strategy == "leaky-bucket" ? "32|0|0" : "42|0";
}

Json anything(const Json& request, Adapter& right, std::uint64_t) {
  Json answer = right.answer(request);
  if (!refuses_state(answer)) return answer;
  Json fresh = request;
  if (is(request, "decide")) {
    fresh["state"] = nullptr;
  } else if (request["strategy"] == "composite") {
    fresh["state"] =
        fmt::format("{}{}${}", composite_header, fresh_state(request["of"][0].string()),
                    fresh_state(request["of"][1].string()));
  } else {
    fresh["state"] = fresh_state(request["strategy"].string());
  }
  return right.answer(fresh);
}

Json more_than_a_state(const Json& request, Adapter& right, std::uint64_t) {
  Json answer = right.answer(request);
  if (!is(request, "decode") || !refuses_state(answer)) return answer;
  Json cut = request;
  cut["state"].string().resize(answer["error"]["offset"].natural());
  return right.answer(cut);
}

/// The answer to a decode tells a format that is not the current one, or a part does.
bool is_of_history(const Json& told) {
  const auto format =
      std::ranges::find(protocol::ratelimit_state.formats, told["format"].string(),
                        [](const protocol::Format& one) { return std::string(one.name); });
  if (format != protocol::ratelimit_state.formats.end() && !format->current) return true;
  return std::ranges::any_of(told["fields"].members(), [](const Json::Member& field) {
    return field.value.is_object() && field.value.contains("format") && is_of_history(field.value);
  });
}

/// Times have 19 digits in this century; nothing else that is told has as many.
void cut_times(Json& told) {
  constexpr std::size_t digits = 19;
  if (told.is_array()) std::ranges::for_each(told.mutable_items(), cut_times);
  if (told.is_object()) {
    for (Json::Member& one : told.mutable_members()) cut_times(one.value);
  }
  if (!told.is_string() || told.size() != digits) return;
  told.string().replace(digits - 6, 6, "000000");
}

}  // namespace

Bugs state_reading_bugs() {
  return {
      {.id = "read.anything",
       .breaks = "what is malformed is read as a fresh state",
       .violates = {{"ratelimit-state", {"silence.malformed"}}},
       .code = answers(anything),
       .settles = "what becomes of a malformed state"},
      {.id = "read.more-than-a-state",
       .breaks = "what follows a state is ignored",
       .violates = {{"ratelimit-state", {"silence.malformed"}}},
       .code = answers(more_than_a_state),
       .settles = "what becomes of a malformed state"},
      {.id = "read.old-refused",
       .breaks = "the formats of the version history are malformed",
       .violates = {{"ratelimit-state",
                     {"history.token-bucket", "history.fixed-window", "history.leaky-bucket",
                      "history.gcra", "history.composite"}}},
       .code = answers([](const Json& request, Adapter& right, std::uint64_t) {
         Json answer = right.answer(request);
         if (is(request, "decode") && answer.contains("format") && is_of_history(answer))
           answer = {
               {"error", {{"offset", 0}, {"field", "header"}, {"reason", "is of an old format"}}}};
         return answer;
       })},
      {.id = "read.splits-at-last",
       .breaks = "a composite of a composite is split at its last $",
       .violates = {{"ratelimit-state", {"silence.nested-split"}}},
       .code = [](Faults& faults) { faults.readings.emplace_back("nested-split", "last"); }},
      {.id = "read.times-cut",
       .breaks = "times are read to the millisecond",
       .violates = {{"ratelimit-state",
                     {"token-bucket.time", "fixed-window.time", "leaky-bucket.time", "gcra.tat"}}},
       .code = answers([](const Json& request, Adapter& right, std::uint64_t) {
         Json answer = right.answer(request);
         if (is(request, "decode")) cut_times(answer);
         return answer;
       })},
  };
}

}  // namespace hallmark::faults
