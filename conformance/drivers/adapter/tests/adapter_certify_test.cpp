#include "conformance/drivers/adapter/adapter_certify.hpp"

#include <gmock/gmock.h>

#include "base/tests/parsed.hpp"
#include "conformance/drivers/adapter/tests/fake_adapter.hpp"
#include "reports/certify/run_verdict.hpp"

namespace hallmark::conformance::testing {
namespace {

using base::Json;
using reports::CertifyResult;
using reports::Verdict;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

const std::string prefix = "ratelimit-state";

CertifyResult certified(FakeHost host) {
  return certify_adapter_over(host, cases_without_vectors(), options_for_adapter());
}

std::vector<std::string> with_verdict(const CertifyResult& result, Verdict verdict) {
  std::vector<std::string> found;
  for (const auto& one : result.cases)
    if (one.verdict == verdict) found.push_back(one.id + ": " + one.reason);
  return found;
}

TEST(CertifyAdapter, ARightOnePassesAndWhatItLacksIsUnsupported) {
  const CertifyResult result = certified(spoilt_bucket([](const Json&, Json&) {}));
  EXPECT_EQ(result.run_error, "");
  EXPECT_THAT(with_verdict(result, Verdict::fail), IsEmpty());
  EXPECT_THAT(with_verdict(result, Verdict::error), IsEmpty());
  const std::string bucket = prefix + "/behaviour/token-bucket/";
  for (const char* const name : {"answers", "limit", "denied", "reset", "remaining", "rest"})
    EXPECT_EQ(find(result, bucket + name)->verdict, Verdict::pass) << name;
  for (const char* const name : {"gcra/limit", "composite/answers", "token-bucket/round-trip"})
    EXPECT_EQ(find(result, prefix + "/behaviour/" + name)->verdict, Verdict::unsupported) << name;
  EXPECT_EQ(reports::exit_code(result), reports::ExitCode::as_expected);
  EXPECT_EQ(
      reports::run_verdict(result),
      "CERTIFIED WITHOUT decode, encode, decide fixed-window, decide leaky-bucket, decide gcra, "
      "decide composite");
}

/// An adapter may lack anything that no chosen case asks for.
TEST(CertifyAdapter, OfWhatItHasItIsCertified) {
  FakeHost host = spoilt_bucket([](const Json&, Json&) {});
  const CertifyResult result =
      certify_adapter_over(host, line_protocol_cases(prefix), options_for_adapter());
  EXPECT_EQ(reports::run_verdict(result), "CERTIFIED");
}

bool is_denied(const Json& answer) { return answer["allowed"] == false; }

struct Fault {
  std::string name;
  std::string found_by;  ///< behind the prefix
  std::string reason;
  std::function<void(const Json& request, Json& answer)> spoil;
};

class SpoiltAdapter : public ::testing::TestWithParam<Fault> {};

TEST_P(SpoiltAdapter, IsFound) {
  const Fault& fault = GetParam();
  const CertifyResult result = certified(spoilt_bucket(fault.spoil));
  const auto* const one = find(result, prefix + fault.found_by);
  ASSERT_NE(one, nullptr);
  EXPECT_EQ(one->verdict, Verdict::fail);
  EXPECT_THAT(one->reason, HasSubstr(fault.reason));
  EXPECT_FALSE(one->reproduction.empty());
  EXPECT_EQ(reports::exit_code(result), reports::ExitCode::failures);
}

void is_generous(const Json& request, Json& answer) {
  if (!is_denied(answer)) return;
  answer["allowed"] = answer["results"][0]["allowed"] = true;
  answer["state"] = "12|0|" + request["now"].string();
}

INSTANTIATE_TEST_SUITE_P(
    , SpoiltAdapter,
    ::testing::Values(
        Fault{"generous", "/behaviour/token-bucket/limit", "requests were admitted within",
              is_generous},
        Fault{"writes_when_denied", "/behaviour/token-bucket/denied", "a denied request writes",
              [](const Json& request, Json& answer) {
                if (is_denied(answer) && request["state"].is_string())
                  answer["state"] = request["state"];
              }},
        Fault{"forgets_to_write", "/behaviour/token-bucket/denied", "an allowed request writes",
              [](const Json&, Json& answer) {
                if (answer.contains("allowed")) answer["state"] = nullptr;
              }},
        Fault{"early_reset", "/behaviour/token-bucket/reset", "denied again at",
              [](const Json& request, Json& answer) {
                if (is_denied(answer)) answer["results"][0]["reset"] = request["now"];
              }},
        Fault{"reset_in_the_past", "/behaviour/token-bucket/answers", "reset of a denied request",
              [](const Json&, Json& answer) {
                if (is_denied(answer)) answer["results"][0]["reset"] = "0";
              }},
        Fault{"too_much_remains", "/behaviour/token-bucket/remaining", "are said to remain",
              [](const Json& request, Json& answer) {
                if (answer.contains("results") && !is_denied(answer))
                  answer["results"][0]["remaining"] = request["configuration"]["burst"];
              }},
        Fault{"negative", "/behaviour/token-bucket/answers", "remaining is no number",
              [](const Json&, Json& answer) {
                if (is_denied(answer)) answer["results"][0]["remaining"] = "-1";
              }},
        Fault{"number_without_quotes", "/behaviour/token-bucket/answers", "remaining is no number",
              [](const Json&, Json& answer) {
                if (answer.contains("results")) answer["results"][0]["remaining"] = 0;
              }},
        Fault{"expiry_without_quotes", "/behaviour/token-bucket/answers", "'expires_in_ms' is no",
              [](const Json&, Json& answer) {
                if (answer.contains("results")) answer["expires_in_ms"] = 25000;
              }},
        Fault{"contradicts_itself", "/behaviour/token-bucket/answers", "all of 'results' say",
              [](const Json&, Json& answer) {
                if (is_denied(answer)) answer["allowed"] = true;
              }},
        Fault{"another_quota", "/behaviour/token-bucket/answers", "quota is not 'default'",
              [](const Json&, Json& answer) {
                if (answer.contains("results")) answer["results"][0]["quota"] = "other";
              }},
        Fault{"remembers", "/behaviour/token-bucket/no-memory", "the same request gets another",
              [count = 0](const Json&, Json& answer) mutable {
                if (answer.contains("results") && ++count % 50 == 0)
                  answer["expires_in_ms"] = std::to_string(count);
                else if (answer.contains("results"))
                  answer["expires_in_ms"] = "0";
              }},
        Fault{"unsupported_though_listed", "/behaviour/token-bucket/answers",
              "though the hello lists it",
              [](const Json&, Json& answer) {
                if (answer.contains("results")) answer = {{"unsupported", "not today"}};
              }},
        Fault{"answers_what_it_lacks", "/behaviour/gcra/answers", "does not say 'unsupported'",
              [](const Json&, Json& answer) {
                if (answer.contains("unsupported")) answer = {{"allowed", true}};
              }},
        Fault{"unsupported_without_why", "/adapter/unknown-operation", "no text that says why",
              [](const Json&, Json& answer) {
                if (answer.contains("unsupported")) answer["unsupported"] = true;
              }},
        Fault{"takes_wrong_requests", "/adapter/wrong-request", "a wrong request is not refused",
              [](const Json&, Json& answer) {
                if (answer.contains("error")) answer = {{"allowed", true}};
              }},
        Fault{"another_hello", "/adapter/hello-again", "something else than it did before",
              [times = 0](const Json&, Json& answer) mutable {
                if (answer.contains("supports") && ++times > 1)
                  answer["supports"]["encode"] = Json::array({"gcra"});
              }}),
    [](const auto& one) { return one.param.name; });

struct BadHello {
  std::string_view name;
  std::string_view answer;
  std::string_view reason;
};

class WrongHello : public ::testing::TestWithParam<BadHello> {};

TEST_P(WrongHello, FailsAndNothingElseIsPlayed) {
  const CertifyResult result = certified(FakeHost(
      [](const Json& request) { return line_of(request, base::test::parsed(GetParam().answer)); }));
  EXPECT_EQ(result.cases.front().id, prefix + "/adapter/hello");
  EXPECT_EQ(result.cases.front().verdict, Verdict::fail);
  EXPECT_THAT(result.cases.front().reason, HasSubstr(GetParam().reason));
  EXPECT_EQ(with_verdict(result, Verdict::skipped).size(), cases_without_vectors().size());
}

INSTANTIATE_TEST_SUITE_P(
    , WrongHello,
    ::testing::Values(
        BadHello{"protocol", R"({"protocol":2})", "'protocol' is not 1"},
        BadHello{"name", R"({"protocol":1,"implementation":""})", "'implementation'"},
        BadHello{"supports", R"({"protocol":1,"implementation":"a"})", "'supports' is missing"},
        BadHello{"list", R"({"protocol":1,"implementation":"a","supports":{"decode":true}})",
                 "no list 'decode'"},
        BadHello{"typo",
                 R"({"protocol":1,"implementation":"a","supports":
                     {"decode":["gcra/42"],"encode":["token_bucket"],"decide":[]}})",
                 "names 'token_bucket'; allowed: composite,"}),
    [](const auto& one) { return std::string(one.param.name); });

TEST(CertifyAdapter, OneThatTellsAnotherProtocolIsPlayedAllTheSame) {
  FakeHost host([](const Json& request) {
    Json answer = answer_of_bucket(request);
    if (answer.contains("supports")) answer["protocol"] = 2;
    return line_of(request, answer);
  });
  const CertifyResult result =
      certify_adapter_over(host, cases_without_vectors(), options_for_adapter());
  EXPECT_EQ(result.cases.front().verdict, Verdict::fail);
  EXPECT_THAT(result.cases.front().reason, HasSubstr("'protocol' is not 1"));
  EXPECT_GT(with_verdict(result, Verdict::pass).size(), 0);
}

TEST(CertifyAdapter, OneThatSaysNothingEndsInBoundedTime) {
  FakeHost host([](const Json& request) {
    return request["op"] == "hello" ? line_of(request, answer_of_bucket(request)) : "";
  });
  const CertifyResult result =
      certify_adapter_over(host, cases_without_vectors(), options_for_adapter());
  EXPECT_THAT(with_verdict(result, Verdict::fail).front(), HasSubstr("did not answer within "));
  EXPECT_THAT(with_verdict(result, Verdict::skipped), Each(HasSubstr("killed the target")));
  constexpr Time minute = 60'000'000'000;
  EXPECT_LE(host.now(), minute);
}

/// The adapter answers as it should, but hangs when it is asked that.
FakeHost hanging_at(const std::string& operation) {
  return FakeHost([operation](const Json& request) {
    return request["op"] == operation ? "" : line_of(request, answer_of_bucket(request));
  });
}

TEST(CertifyAdapter, AHangFailsNoCaseButItsOwn) {
  const CertifyResult result = certified(hanging_at("hallmark"));
  EXPECT_THAT(with_verdict(result, Verdict::fail),
              ElementsAre(StartsWith(prefix + "/adapter/unknown-operation: after it the target "
                                              "hangs; the adapter did not answer within ")));
  EXPECT_EQ(reports::text_of(*find(result, prefix + "/adapter/unknown-operation")->code),
            "hang adapter");
  EXPECT_THAT(with_verdict(result, Verdict::skipped), IsEmpty());
  EXPECT_EQ(result.run_error, "");
  ASSERT_EQ(result.deaths.size(), 1U);
  EXPECT_TRUE(result.deaths[0].hung);
  EXPECT_EQ(result.deaths[0].killer, prefix + "/adapter/unknown-operation");
}

/// Earlier requests leave something in the process that fails: alone, each case passes.
TEST(CertifyAdapter, AFailureThatPassesAloneNamesWhatItNeeds) {
  bool spoilt = false;
  FakeHost host([&](const Json& request) {
    spoilt = spoilt || request["op"] == "hallmark";
    Json answer = answer_of_bucket(request);
    if (spoilt && request["strategy"] == "hallmark-window") answer = {{"allowed", true}};
    return line_of(request, answer);
  });
  host.when_started([&] { spoilt = false; });
  const CertifyResult result =
      certify_adapter_over(host, line_protocol_cases(prefix), options_for_adapter());
  const auto* const one = find(result, prefix + "/adapter/unknown-strategy");
  EXPECT_EQ(one->verdict, Verdict::fail);
  EXPECT_THAT(one->reason, HasSubstr("needs " + prefix + "/adapter/unknown-operation before it"));
}

TEST(CertifyAdapter, AFailureThatDoesNotComeAgainMakesTheRunUnstable) {
  unsigned hellos = 0;
  const CertifyResult result = certified(spoilt_bucket([&](const Json& request, Json& answer) {
    if (request["op"] == "hallmark" && ++hellos == 1) answer = {{"allowed", true}};
  }));
  const auto* const one = find(result, prefix + "/adapter/unknown-operation");
  EXPECT_EQ(one->verdict, Verdict::pass);
  EXPECT_THAT(with_verdict(result, Verdict::unstable),
              ElementsAre(StartsWith(prefix +
                                     "/sanity/steady: 1 case failed once, and passed alone "
                                     "on a fresh process: " +
                                     one->id)));
  EXPECT_EQ(reports::exit_code(result), reports::ExitCode::failures);
}

TEST(CertifyAdapter, AnInterruptionMakesNoVerdict) {
  std::atomic<bool> stop = false;
  FakeHost host([&](const Json& request) {
    stop = request["op"] == "hallmark";
    return stop ? "" : line_of(request, answer_of_bucket(request));
  });
  CertifyOptions options = options_for_adapter();
  options.schedule.stop = &stop;
  const CertifyResult result = certify_adapter_over(host, cases_without_vectors(), options);
  EXPECT_TRUE(result.interrupted);
  EXPECT_THAT(with_verdict(result, Verdict::fail), IsEmpty());
  EXPECT_EQ(result.run_error, "");
  EXPECT_EQ(result.cases.back().id, prefix + "/adapter/unknown-operation");
  EXPECT_EQ(result.cases.back().reason, "not played to its end: the run was over");
}

TEST(CertifyAdapter, ALineTooManyFailsTheCaseInWhichItCame) {
  FakeHost host([](const Json& request) {
    const std::string line = line_of(request, answer_of_bucket(request));
    return request["op"] == "hallmark" ? line + line : line;
  });
  const CertifyResult result =
      certify_adapter_over(host, line_protocol_cases(prefix), options_for_adapter());
  const auto* const one = find(result, prefix + "/adapter/unknown-operation");
  EXPECT_EQ(one->verdict, Verdict::fail);
  EXPECT_THAT(one->reason, HasSubstr("answer to request"));
  EXPECT_EQ(with_verdict(result, Verdict::fail).size(), 1);
  EXPECT_EQ(host.started(), 3) << "afresh after that case, and to confirm it";
}

TEST(CertifyAdapter, TheSameSeedAsksTheSame) {
  const auto asked = [](std::uint64_t seed) {
    std::string all;
    FakeHost host([&](const Json& request) {
      all += request.dump();
      return line_of(request, answer_of_bucket(request));
    });
    CertifyOptions options = options_for_adapter();
    options.seed = seed;
    certify_adapter_over(host, cases_without_vectors(), options);
    return all;
  };
  EXPECT_EQ(asked(1), asked(1));
  EXPECT_NE(asked(1), asked(2));
}

vectors::StateVectorFile one_vector(const char* state, const char* answer) {
  vectors::StateVector vector;
  vector.id = "ratelimit-state/token-bucket/decide/one";
  vector.operation = "decide";
  vector.steps = {
      {{{"op", "decide"},
        {"configuration", {{"strategy", "token-bucket"}, {"burst", "2"}, {"rate", "1"}}},
        {"state", state == nullptr ? Json() : Json(state)},
        {"now", "5"}},
       base::test::parsed(answer)}};
  return {"token-bucket", {}, {vector}};
}

Verdict verdict_of(const vectors::StateVectorFile& file) {
  FakeHost host = spoilt_bucket([](const Json&, Json&) {});
  const WireFormat format(protocol::Width::none, adapter_readings(options_for_adapter().asked));
  const auto cases = adapter_vector_cases({file}, format);
  return certify_adapter_over(host, cases.cases, options_for_adapter()).cases.back().verdict;
}

TEST(AdapterVectors, AreJudgedByWhatHasToBeInTheAnswer) {
  EXPECT_EQ(verdict_of(one_vector(nullptr, R"({"allowed":true})")), Verdict::pass);
  EXPECT_EQ(verdict_of(one_vector(nullptr, R"({"allowed":false})")), Verdict::fail);
  EXPECT_EQ(verdict_of(one_vector("12|x|5", R"({"error":{"offset":3}})")), Verdict::pass);
  EXPECT_EQ(verdict_of(one_vector("12|1|5", R"({"error":{"offset":3}})")), Verdict::fail);
}

TEST(AdapterVectors, OfWhatIsNotListedAreUnsupported) {
  auto file = one_vector("v2|1|5|", R"({"allowed":true})");
  file.vectors.front().formats = {"token-bucket/v2"};
  EXPECT_EQ(verdict_of(file), Verdict::fail) << "it has to say that it lacks the format";
  file.vectors.front().steps.front().request["configuration"]["strategy"] = "gcra";
  EXPECT_EQ(verdict_of(file), Verdict::unsupported);
}

TEST(AdapterVectors, OfOtherAnswersAreLeftOut) {
  auto file = one_vector(nullptr, R"({"allowed":true})");
  file.vectors.front().readings = {{"float-text", "point"}};
  const WireFormat format(protocol::Width::none, adapter_readings(options_for_adapter().asked));
  const auto cases = adapter_vector_cases({file}, format);
  EXPECT_THAT(cases.cases, IsEmpty());
  EXPECT_EQ(cases.left_out.at("float-text=point"), 1);
}

}  // namespace
}  // namespace hallmark::conformance::testing
