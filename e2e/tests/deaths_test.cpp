#include <pugixml.hpp>

#include "base/tests/parsed.hpp"
#include "cmake/places/places.hpp"
#include "e2e/fixture.hpp"

namespace hallmark::e2e {
namespace {

using base::Json;
using base::test::parsed;
using testing::HasSubstr;

/// A target that answers properly until it dies.
class Deaths : public EndToEnd {
 protected:
  Outcome certify(const std::string& behaviour, const Arguments& further) const {
    Arguments arguments = {
        "certify",
        "exec:" + places::hostile_target() + " stream " + behaviour + " {port} throttr-7.1 u16",
        "--width",
        "u16",
        "--json",
        "run.json",
        "--junit",
        "run.xml",
        "--tap",
        "run.tap"};
    arguments.insert(arguments.end(), further.begin(), further.end());
    return hallmark(arguments);
  }
};

TEST_F(Deaths, TheCaseThatKillsIsNamedWithWhatWasSentAndTheOthersArePlayed) {
  const auto outcome =
      certify("segv:6", {"--operation", "GET", "--operation", "QUERY", "--filter",
                         "throttr-7.1/u16/get/found", "--filter", "throttr-7.1/u16/query/found*"});
  EXPECT_EQ(outcome.exit_code, 1) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("DIED  killed by signal 11 (Segmentation fault)"));
  EXPECT_THAT(outcome.out, HasSubstr("kills it"));
  EXPECT_THAT(outcome.out, HasSubstr("hostile: about to segv"));
  EXPECT_EQ(violations("certify.schema.json", "run.json"), "");
  const Json result = parsed(read("run.json"));
  ASSERT_GE(result["deaths"].size(), 1U);
  std::size_t passed = 0;
  for (const Json& one : result["cases"].items()) {
    if (one["operation"] == "QUERY") passed += one["verdict"] == "pass" ? 1U : 0U;
    if (one["id"] == "throttr-7.1/u16/get/found") {
      EXPECT_THAT(one["reason"].string(), HasSubstr("the target died of it: killed by signal 11"));
      EXPECT_EQ(one["code"], "crash GET");
    }
  }
  EXPECT_GE(passed, 3U);
  const Json& death = result["deaths"].items().back();
  EXPECT_EQ(death["cause"], "case");
  bool sent = false;
  for (const Json& exchange : death["last_sent"].items()) {
    const bool is_get = exchange["bytes"].string().starts_with("06");
    sent = sent || (is_get && exchange["fields"].size() == 3);
  }
  EXPECT_TRUE(sent) << death.dump(1);
  EXPECT_THAT(read("run.xml"), HasSubstr("DIED  killed by signal 11"));
  EXPECT_THAT(read("run.tap"), HasSubstr("# the target died: killed by signal 11"));
  EXPECT_EQ(hallmark({"report", "run.json"}).out, outcome.out);
}

TEST_F(Deaths, ATargetThatEndsByItselfIsToldApart) {
  const auto outcome = certify("ends-by-itself:150", {"--operation", "INSERT"});
  const Json result = parsed(read("run.json"));
  // A case that asks while it ends may fail; the run itself is an error in any case.
  EXPECT_EQ(outcome.exit_code, result["summary"]["fail"].natural() > 0 ? 1 : 3) << outcome.out;
  ASSERT_GE(result["deaths"].size(), 1U);
  for (const Json& death : result["deaths"].items()) {
    EXPECT_EQ(death["cause"], "itself") << death["conclusion"];
    EXPECT_THAT(death["how"].string(), HasSubstr("exited with code 9"));
  }
  EXPECT_THAT(result["run_error"].string(), HasSubstr("it ends by itself"));
}

/// A limiter or an adapter that misbehaves.
class OtherDeaths : public EndToEnd {
 protected:
  Outcome limiter(const std::string& behaviour, const std::string& cases = "*/get_size/*") {
    return certify("exec:" + places::hostile_target() + " datagram " + behaviour + " {port}",
                   {"--dialect", "ratelimit-udp", "--filter", cases});
  }

  Outcome adapter(const std::string& behaviour, const Arguments& further) {
    return certify("pipe:" + places::hostile_target() + " lines " + behaviour, further);
  }

  /// "ID: reason", of each case that has the verdict.
  Arguments with(const std::string& verdict) const {
    Arguments found;
    for (const Json& one : result_["cases"].items())
      if (one["verdict"] == verdict)
        found.push_back(one["id"].string() + ": " + one["reason"].string());
    return found;
  }

  Json result_;

 private:
  Outcome certify(const std::string& target, const Arguments& further) {
    Arguments arguments = {"certify", target, "--json", "run.json", "--deadline", "1s"};
    arguments.insert(arguments.end(), further.begin(), further.end());
    auto outcome = hallmark(arguments);
    EXPECT_EQ(violations("certify.schema.json", "run.json"), "");
    result_ = parsed(read("run.json"));
    return outcome;
  }
};

const std::string size_of = "ratelimit-udp/get_size/no-id: ";

TEST_F(OtherDeaths, ALimiterThatHangsIsStartedAfreshAndFailsThatCaseOnly) {
  const auto outcome = limiter("hangs-of-size");
  EXPECT_EQ(outcome.exit_code, 1) << outcome.out << outcome.err;
  EXPECT_THAT(
      with("fail"),
      testing::ElementsAre(testing::StartsWith(size_of + "after it the target hangs, sleeping")));
  EXPECT_THAT(with("skipped"), testing::Not(testing::Contains(HasSubstr("not played"))));
  EXPECT_THAT(with("indeterminate"), testing::IsEmpty());
  ASSERT_EQ(result_["deaths"].size(), 1U);
  EXPECT_EQ(result_["deaths"][0]["hung"], true);
  EXPECT_EQ(result_["deaths"][0]["cause"], "case");
}

TEST_F(OtherDeaths, ALimiterThatDiesIsStartedAfreshAndFailsThatCaseOnly) {
  const auto outcome = limiter("segv", "*/id-beyond-64-bits");
  EXPECT_EQ(outcome.exit_code, 1) << outcome.out << outcome.err;
  EXPECT_THAT(with("fail"),
              testing::ElementsAre(testing::StartsWith(
                  "ratelimit-udp/over_limit/id-beyond-64-bits: the target died of it: killed by "
                  "signal 11")));
  EXPECT_THAT(with("skipped"), testing::IsEmpty());
  EXPECT_THAT(with("pass"), testing::SizeIs(testing::Ge(4)));
}

/// The process answers one request wrongly once it was asked more than so many.
TEST_F(OtherDeaths, AFailureOfALimiterThatPassesAloneNeedsOthersOrMakesTheRunUnstable) {
  const std::string tired = "ratelimit-udp/get_size/id-zero: ";
  EXPECT_EQ(limiter("lies-after:5").exit_code, 1);
  EXPECT_THAT(with("fail"),
              testing::ElementsAre(testing::AllOf(testing::StartsWith(tired),
                                                  HasSubstr("before it, alone it passes"))));
  EXPECT_EQ(limiter("lies-after:90").exit_code, 1);
  EXPECT_THAT(with("fail"), testing::IsEmpty());
  EXPECT_THAT(with("unstable"),
              testing::ElementsAre(testing::StartsWith(
                  "ratelimit-udp/sanity/steady: 1 case failed once, and passed alone on a fresh "
                  "process: ratelimit-udp/get_size/id-zero")));
}

TEST_F(OtherDeaths, AnAdapterThatHangsIsStartedAfresh) {
  // The fifth answer of each process does not come: cases of fewer requests pass.
  const auto outcome = adapter("sleeps:4", {"--filter", "*/adapter/*", "--operation", "adapter"});
  EXPECT_EQ(outcome.exit_code, 1) << outcome.out << outcome.err;
  EXPECT_THAT(with("fail"),
              testing::ElementsAre(testing::StartsWith("ratelimit-state/adapter/wrong-request: "
                                                       "after it the target hangs")));
  EXPECT_THAT(with("skipped"), testing::IsEmpty());
}

}  // namespace
}  // namespace hallmark::e2e
