#include "reference/faults/bugs.hpp"
#include "reference/faults/faults.hpp"
#include "reference/faults/states/adapter_fault.hpp"

namespace hallmark::faults {
namespace {

/// Answers to hello are others.
template <class Change>
Code hello(Change) {
  return answers([](const Json& request, Adapter& right, std::uint64_t earlier) {
    Json answer = right.answer(request);
    if (answer.contains("supports")) Change{}(answer, earlier == 0);
    return answer;
  });
}

}  // namespace

Bugs adapter_bugs() {
  return {
      {.id = "adapter.hello-forgets",
       .breaks = "hello lists what is supported when it is first asked, and then nothing",
       .violates = {{"ratelimit-state", {"adapter.hello"}}},
       .code = hello([](Json& answer, bool first) {
         if (!first) answer["supports"]["encode"] = Json::array();
       }),
       .settles = "what hello supports"},
      {.id = "adapter.other-protocol",
       .breaks = "hello tells a version of the line protocol that nobody defines",
       .violates = {{"ratelimit-state", {"adapter.hello"}}},
       .code = hello([](Json& answer, bool) { answer["protocol"] = 2; })},
      {.id = "adapter.lists-less",
       .breaks = "hello does not list GCRA, which is answered",
       .violates = {{"ratelimit-state", {"adapter.unsupported"}}},
       .code = hello([](Json& answer, bool) {
         for (const char* const operation : {"encode", "decide"})
           std::erase(answer["supports"][operation].mutable_items(), "gcra");
       }),
       .settles = "what hello supports"},
      {.id = "adapter.unknown-is-wrong",
       .breaks = "what is not known is told as an error of the request",
       .violates = {{"ratelimit-state", {"adapter.unsupported"}}},
       .code = answers([](const Json& request, Adapter& right, std::uint64_t) -> Json {
         Json answer = right.answer(request);
         if (!answer.contains("unsupported")) return answer;
         return {{"error", {{"offset", 0}, {"field", "op"}, {"reason", answer["unsupported"]}}}};
       })},
      {.id = "adapter.wrong-unsaid",
       .breaks = "a request that is wrong is answered with its id alone",
       .violates = {{"ratelimit-state", {"adapter.error"}}},
       .code = answers([](const Json& request, Adapter& right, std::uint64_t) {
         Json answer = right.answer(request);
         const bool wrong =
             answer.contains("error") && answer["error"]["reason"].string().starts_with("expected");
         return wrong ? Json::object() : answer;
       })},
      {.id = "adapter.ends-as-failed",
       .breaks = "the exit code is 1 where the input ends",
       .violates = {{"ratelimit-state", {"adapter.end"}}},
       .code = [](Faults& faults) { faults.ends_as_failed = true; }},
      {.id = "reset.in-seconds",
       .breaks = "reset is told in seconds",
       .violates = {{"ratelimit-state", {"silence.reset"}}},
       .code = answers([](const Json& request, Adapter& right, std::uint64_t) {
         Json answer = right.answer(request);
         if (!answer.contains("results")) return answer;
         for (Json& one : answer["results"].mutable_items()) {
           const std::int64_t reset = std::stoll(one["reset"].string());
           one["reset"] = std::to_string(reset / 1'000'000'000);
         }
         return answer;
       })},
  };
}

}  // namespace hallmark::faults
