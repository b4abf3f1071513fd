#include <csignal>

#include "reference/faults/bugs.hpp"
#include "reference/faults/processes/endings.hpp"
#include "reference/faults/states/adapter_fault.hpp"
#include "reference/faults/states/formulas_fault.hpp"

namespace hallmark::faults {
namespace {

struct SleepsBeforeItsState : AroundFormulas {
  using AroundFormulas::AroundFormulas;
  using AroundFormulas::ask;
  StateRead<Answer> ask(const model::TokenBucket& bucket, const Question& question) const override {
    if (question.state) {
      const auto held = model::read_token_bucket(*question.state);
      if (held && held->last_refill > question.now) sleep_for_ever();
    }
    return right.ask(bucket, question);
  }
};

}  // namespace

Bugs adapter_process_bugs() {
  return {
      {.id = "death.of-malformed-state",
       .breaks = "a malformed state aborts the process",
       .violates = {{"ratelimit-state", {"silence.malformed"}}},
       .code = answers([](const Json& request, Adapter& right, std::uint64_t) {
         Json answer = right.answer(request);
         if (answer.contains("error") && is(request, "decode")) die_of(SIGABRT);
         return answer;
       })},
      {.id = "death.of-nested-state",
       .breaks = "a composite inside a composite is a segmentation fault",
       .violates = {{"ratelimit-state", {"silence.nested-split"}}},
       .code = answers([](const Json& request, Adapter& right, std::uint64_t) {
         const Json& state = request["state"];
         const std::string text = state.is_string() ? state.string() : "";
         if (text.find(composite_header) != text.rfind(composite_header)) die_of(SIGSEGV);
         return right.answer(request);
       })},
      {.id = "hang.spins-on-unknown-operation",
       .breaks = "an operation that nobody knows keeps the process busy for ever",
       .violates = {{"ratelimit-state", {"adapter.unsupported"}}},
       .code = answers([](const Json& request, Adapter& right, std::uint64_t) {
         Json answer = right.answer(request);
         if (answer.contains("unsupported")) spin();
         return answer;
       })},
      {.id = "hang.sleeps-before-its-state",
       .breaks = "a token bucket that was filled later than now makes the process wait for ever",
       .violates = {{"ratelimit-state", {"silence.clock"}}},
       .code = formulas<SleepsBeforeItsState>()},
  };
}

}  // namespace hallmark::faults
