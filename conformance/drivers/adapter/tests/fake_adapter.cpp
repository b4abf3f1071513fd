#include "conformance/drivers/adapter/tests/fake_adapter.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/number.hpp"
#include "protocol/dialects.hpp"

namespace hallmark::conformance::testing {
namespace {

using base::Json;

constexpr std::int64_t second = 1'000'000'000;

std::int64_t number_of(const Json& json, const char* name) {
  const auto number =
      base::leading_number<std::int64_t>(json[name].is_string() ? json[name].string() : "");
  return number ? number->number : 0;
}

Json error_of(const char* field) {
  return {{"error", {{"offset", 0}, {"field", field}, {"reason", "wrong"}}}};
}

bool is_right(const Json& request) {
  const Json& configuration = request["configuration"];
  const auto digits = [](const Json& json, const char* name) {
    const std::string text = json[name].dump();
    return text.size() > 2 && text.find_first_not_of("0123456789", 1) == text.size() - 1;
  };
  return request.contains("state") && digits(configuration, "burst") &&
         digits(configuration, "rate") && digits(request, "now");
}

/// Its state counts billionths of a token: `12|tokens*1e9|last`.
Json decide(const Json& request) {
  if (!is_right(request)) return error_of("request");
  const std::int64_t burst = number_of(request["configuration"], "burst") * second;
  const std::int64_t rate = number_of(request["configuration"], "rate");
  const std::int64_t now = number_of(request, "now");
  std::int64_t tokens = burst;
  if (request["state"].is_string()) {
    std::int64_t last = 0;
    const std::string& state = request["state"].string();
    if (std::sscanf(state.c_str(), "12|%ld|%ld", &tokens, &last) != 2) return error_of("state");
    tokens = std::min(tokens + (now - last) * rate, burst);
  }
  const bool allowed = tokens >= second;
  if (allowed) tokens -= second;
  const std::int64_t reset = now + (allowed ? 0 : (second - tokens + rate - 1) / rate);
  Json answer = {{"allowed", allowed},
                 {"results", Json::array({{{"quota", "default"},
                                           {"allowed", allowed},
                                           {"remaining", std::to_string(tokens / second)},
                                           {"reset", std::to_string(reset)}}})},
                 {"state", nullptr}};
  if (allowed) answer["state"] = fmt::format("12|{}|{}", tokens, now);
  return answer;
}

}  // namespace

class FakeHost::FakeLink : public AdapterLink {
 public:
  explicit FakeLink(FakeHost& host) : host_(host) {}

  Dispatch send(std::string_view bytes, Time) override {
    pending_ += host_.answering_(base::parse_json(bytes).value());
    return Dispatch::sent;
  }
  Arrival receive(std::string& into, Time until) override {
    if (finished_) return Arrival::closed;
    if (pending_.empty()) {
      host_.now_ = until;
      return Arrival::timed_out;
    }
    into += std::exchange(pending_, {});
    return Arrival::bytes;
  }
  void finish_sending() override { finished_ = true; }
  std::string how_it_ended(Time) override { return finished_ ? "exited with code 0" : ""; }
  std::string last_words() const override { return {}; }

 private:
  FakeHost& host_;
  std::string pending_;
  bool finished_ = false;
};

AdapterStart FakeHost::start() {
  ++started_;
  when_started_();
  return std::unique_ptr<AdapterLink>(std::make_unique<FakeLink>(*this));
}

Json answer_of_bucket(const Json& request) {
  const Json operation = request["op"];
  if (operation == "hello")
    return {{"protocol", 1},
            {"implementation", "bucket 1"},
            {"supports",
             {{"decode", Json::array()},
              {"encode", Json::array()},
              {"decide", Json::array({"token-bucket"})}}}};
  const Json configuration = request["configuration"];
  const bool bucket = configuration.is_object() && configuration["strategy"] == "token-bucket";
  if (operation != "decide" || !bucket) return {{"unsupported", "only token buckets"}};
  return decide(request);
}

std::string line_of(const Json& request, Json answer) {
  answer["id"] = request["id"];
  return answer.dump() + "\n";
}

FakeHost spoilt_bucket(std::function<void(const Json&, Json&)> spoil) {
  return FakeHost([spoil = std::move(spoil)](const Json& request) {
    Json answer = answer_of_bucket(request);
    spoil(request, answer);
    return line_of(request, std::move(answer));
  });
}

CertifyOptions options_for_adapter() {
  CertifyOptions options;
  options.asked.dialect = &protocol::ratelimit_state;
  options.asked.width = protocol::Width::none;
  options.target_text = "pipe:fake";
  options.seed = 1;
  return options;
}

AdapterCases cases_without_vectors() {
  const WireFormat format(protocol::Width::none, adapter_readings(options_for_adapter().asked));
  AdapterCases cases = line_protocol_cases("ratelimit-state");
  for (AdapterCase& one : property_cases("ratelimit-state", format))
    cases.push_back(std::move(one));
  return cases;
}

const reports::CaseResult* find(const reports::CertifyResult& result, const std::string& id) {
  const auto found = std::ranges::find(result.cases, id, &reports::CaseResult::id);
  return found == result.cases.end() ? nullptr : &*found;
}

}  // namespace hallmark::conformance::testing
