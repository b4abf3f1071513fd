#include <nlohmann/json.hpp>
#include <pugixml.hpp>

#include "e2e/fixture.hpp"

namespace hallmark::e2e {
namespace {

using nlohmann::json;
using testing::HasSubstr;

/// A target that dies, over a proper server.
class Deaths : public EndToEnd {
 protected:
  Outcome certify(const std::string& behaviour, const Arguments& further) const {
    const std::string program = HALLMARK_PROGRAM;
    Arguments arguments = {"certify",
                           "exec:" + std::string(HALLMARK_HOSTILE_TARGET) + " stream " + behaviour +
                               " {port} " + program +
                               " serve --width u16 --listen tcp://127.0.0.1:{upstream}",
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
  const json result = json::parse(read("run.json"));
  ASSERT_GE(result["deaths"].size(), 1U);
  std::size_t passed = 0;
  for (const json& one : result["cases"]) {
    if (one["operation"] == "QUERY") passed += one["verdict"] == "pass" ? 1U : 0U;
    if (one["id"] == "throttr-7.1/u16/get/found") {
      EXPECT_THAT(one["reason"].get<std::string>(),
                  HasSubstr("the target died of it: killed by signal 11"));
    }
  }
  EXPECT_GE(passed, 3U);
  const json& death = result["deaths"].back();
  EXPECT_EQ(death["cause"], "case");
  bool sent = false;
  for (const json& exchange : death["last_sent"]) {
    const bool is_get = exchange["bytes"].get<std::string>().starts_with("06");
    sent = sent || (is_get && exchange["fields"].size() == 3);
  }
  EXPECT_TRUE(sent) << death.dump(1);
  EXPECT_THAT(read("run.xml"), HasSubstr("DIED  killed by signal 11"));
  EXPECT_THAT(read("run.tap"), HasSubstr("# the target died: killed by signal 11"));
  EXPECT_EQ(hallmark({"report", "run.json"}).out, outcome.out);
}

TEST_F(Deaths, ATargetThatEndsByItselfIsToldApart) {
  const auto outcome = certify("ends-by-itself:150", {"--operation", "INSERT"});
  const json result = json::parse(read("run.json"));
  // A case that asks while it ends may fail; the run itself is an error in any case.
  EXPECT_EQ(outcome.exit_code, result["summary"]["fail"] > 0 ? 1 : 3) << outcome.out;
  ASSERT_GE(result["deaths"].size(), 1U);
  for (const json& death : result["deaths"]) {
    EXPECT_EQ(death["cause"], "itself") << death["conclusion"];
    EXPECT_THAT(death["how"].get<std::string>(), HasSubstr("exited with code 9"));
  }
  EXPECT_THAT(result["run_error"].get<std::string>(), HasSubstr("it ends by itself"));
}

}  // namespace
}  // namespace hallmark::e2e
