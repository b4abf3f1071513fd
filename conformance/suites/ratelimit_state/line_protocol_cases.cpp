#include <fmt/format.h>

#include "conformance/drivers/adapter/adapter_case.hpp"
#include "protocol/dialects.hpp"
#include "protocol/text/state.hpp"

namespace hallmark::conformance {
namespace {

using base::Json;
using protocol::ratelimit_state;

const Json hello = {{"op", "hello"}, {"protocol", 1}};

void repeats_hello(AdapterTrial& trial) {
  for (int time = 0; time < 2; ++time) {
    const auto said = read_hello(trial.ask(hello));
    if (!said) trial.fail("hello is answered wrongly: " + said.error());
    if (*said != trial.supports()) trial.fail("hello lists something else than it did before");
  }
}

void does_not_know_an_operation(AdapterTrial& trial) {
  for (const char* const name : {"hallmark", "Decode", ""})
    trial.require_unsupported({{"op", name}}, fmt::format("an operation '{}'", name));
}

void does_not_know_a_strategy(AdapterTrial& trial) {
  constexpr const char* unknown = "hallmark-window";
  const std::string lack = fmt::format("a strategy '{}'", unknown);
  trial.require_unsupported({{"op", "decode"}, {"strategy", unknown}, {"state", "12|1|1"}}, lack);
  trial.require_unsupported({{"op", "encode"}, {"strategy", unknown}, {"fields", Json::object()}},
                            lack);
  trial.require_unsupported({{"op", "decide"},
                             {"configuration", {{"strategy", unknown}, {"rate", "1"}}},
                             {"state", nullptr},
                             {"now", "1761884055342794596"}},
                            lack);
}

/// A request of every operation for a strategy, as far as it can be told without knowing more.
std::vector<Json> probes_of(const std::string& strategy) {
  const Json nothing = Json::object();
  return {{{"op", "encode"}, {"strategy", strategy}, {"fields", nothing}},
          {{"op", "decide"},
           {"configuration", {{"strategy", strategy}}},
           {"state", nullptr},
           {"now", "1761884055342794596"}}};
}

void says_what_it_lacks(AdapterTrial& trial) {
  bool lacks = false;
  for (const std::string_view name : protocol::state::strategies(ratelimit_state)) {
    for (const Json& probe : probes_of(std::string(name))) {
      const std::string lack = missing(trial.supports(), probe, {});
      if (lack.empty()) continue;
      lacks = true;
      trial.require_unsupported(probe, lack);
    }
  }
  if (!lacks) end_case(reports::Verdict::pass, "the adapter lists everything");
}

void answers_wrong_requests(AdapterTrial& trial) {
  const Json wrong[] = {
      Json::object(),
      {{"op", 7}},
      {{"op", "decode"}},
      {{"op", "decode"}, {"strategy", "token-bucket"}},
      {{"op", "decode"}, {"strategy", "token-bucket"}, {"state", 12}},
      {{"op", "decode"}, {"strategy", nullptr}, {"state", "12|1|1"}},
      {{"op", "encode"}, {"strategy", "token-bucket"}},
      {{"op", "encode"}, {"strategy", "token-bucket"}, {"fields", Json::array()}},
      {{"op", "encode"}, {"strategy", "token-bucket"}, {"fields", {{"tokens", "1"}}}},
      {{"op", "encode"},
       {"strategy", "token-bucket"},
       {"fields", {{"tokens", "many"}, {"last_refill", "1"}}}},
      {{"op", "decide"}, {"state", nullptr}, {"now", "1"}},
      {{"op", "decide"}, {"configuration", "token-bucket"}, {"state", nullptr}, {"now", "1"}},
      {{"op", "decide"},
       {"configuration", {{"strategy", "token-bucket"}, {"burst", "ten"}, {"rate", "1"}}},
       {"state", nullptr},
       {"now", "1"}},
      {{"op", "decide"},
       {"configuration", {{"strategy", "token-bucket"}, {"burst", "10"}, {"rate", "1"}}},
       {"state", nullptr},
       {"now", "soon"}},
  };
  for (const Json& request : wrong) {
    const Json answer = trial.ask(request);
    if (!answer.contains("error") && !answer.contains("unsupported"))
      trial.fail(fmt::format("a wrong request is not refused: {} is answered by {}", request.dump(),
                             answer.dump()));
  }
}

void ends_with_its_input(AdapterTrial& trial) {
  trial.ask(hello);
  const std::string what = trial.client().finish();
  if (!what.empty())
    trial.fail("where its input ends an adapter ends with exit code 0; this one " + what);
}

CaseEntry entry(const std::string& prefix, const char* name, const char* title,
                std::vector<std::string> clauses) {
  return {fmt::format("{}/adapter/{}", prefix, name),
          title,
          "adapter",
          protocol::Level::must,
          std::move(clauses),
          Delivery::whole};
}

}  // namespace

AdapterCases line_protocol_cases(const std::string& prefix) {
  return {
      {entry(prefix, "hello-again", "hello is answered alike each time", {"adapter.hello"}),
       repeats_hello},
      {entry(prefix, "unknown-operation", "an operation that nobody defines is unsupported",
             {"adapter.unsupported"}),
       does_not_know_an_operation},
      {entry(prefix, "unknown-strategy", "a strategy that nobody defines is unsupported",
             {"adapter.unsupported"}),
       does_not_know_a_strategy},
      {entry(prefix, "unlisted", "what hello does not list is unsupported",
             {"adapter.hello", "adapter.unsupported"}),
       says_what_it_lacks},
      {entry(prefix, "wrong-request", "a request that is wrong is refused, and the next answered",
             {"adapter.error"}),
       answers_wrong_requests},
      {entry(prefix, "end-of-input", "the adapter ends when its input does", {"adapter.end"}),
       ends_with_its_input},
  };
}

}  // namespace hallmark::conformance
