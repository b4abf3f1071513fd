#include <algorithm>

#include "base/tests/parsed.hpp"
#include "cmake/places/places.hpp"
#include "e2e/fixture.hpp"

namespace hallmark::e2e {
namespace {

using base::Json;
using base::test::parsed;
using testing::HasSubstr;
using testing::StartsWith;

/// The reference with bugs at inputs that cases try in a loop.
class Loops : public EndToEnd {
 protected:
  Json certify(const Arguments& mutants, const Arguments& filters) {
    std::string target = "exec:" + places::program() +
                         " serve --dialect throttr-7.1 --width u16 --listen tcp://127.0.0.1:{port}";
    for (const std::string& mutant : mutants) target += " --mutant " + mutant;
    Arguments arguments = {"certify", target, "--dialect", "throttr-7.1",
                           "--width", "u16",  "--json",    "run.json"};
    for (const std::string& filter : filters) {
      arguments.emplace_back("--filter");
      arguments.push_back("*/behaviour/" + filter);
    }
    outcome_ = hallmark(arguments);
    EXPECT_EQ(violations("certify.schema.json", "run.json"), "");
    return parsed(read("run.json"));
  }

  static Json case_called(const Json& result, const std::string& name) {
    const auto& cases = result["cases"].items();
    const auto found = std::ranges::find_if(
        cases, [&](const Json& one) { return one["id"].string().ends_with("/" + name); });
    return found == cases.end() ? Json() : *found;
  }

  Outcome outcome_;
};

TEST_F(Loops, GoOnBehindInputsThatKill) {
  const Json result = certify({"resources.unknown-opcode-crashes"}, {"robustness/unknown-opcodes"});
  const Json one = case_called(result, "robustness/unknown-opcodes");
  EXPECT_EQ(one["verdict"], "fail");
  EXPECT_EQ(
      one["reason"],
      "opcodes 00, 0a..0f, 1a..32 kill the process; opcodes 33..ff were not tried: the target died "
      "32 times");
  EXPECT_EQ(one["code"], "crash opcode 00,0a..0f,1a..32");
  std::size_t told = 0;
  for (const Json& death : result["deaths"].items()) {
    if (death["killer"] != one["id"]) continue;
    ++told;
    EXPECT_EQ(death["cause"], "case");
    EXPECT_THAT(death["conclusion"].string(), HasSubstr("kills it: opcode 00"));
  }
  EXPECT_EQ(told, 1U) << "the case tells of the others";
}

TEST_F(Loops, TellWhatTwoBugsDoAsTwoFindings) {
  const Json result = certify({"hang.spins-on-unlisted-change", "mute.after-failures"},
                              {"robustness/unlisted-changes", "query/every-unit"});
  const Json one = case_called(result, "robustness/unlisted-changes");
  EXPECT_THAT(one["reason"].string(), HasSubstr("hang the target")) << outcome_.out;
  EXPECT_THAT(one["code"].string(), StartsWith("hang UPDATE with-the-change-"));
}

TEST_F(Loops, SkipWhatRestsOnAnAbilityThatKills) {
  const Json result = certify({"death.of-long-value"}, {"set/longest-value", "resources/half-close",
                                                        "resources/sent-ahead"});
  EXPECT_EQ(case_called(result, "set/longest-value")["reason"],
            "values of sizes 32000, 32767..32769, 65535 kill the process");
  EXPECT_EQ(case_called(result, "resources/half-close")["verdict"], "pass") << outcome_.out;
  EXPECT_EQ(case_called(result, "resources/sent-ahead")["verdict"], "pass") << outcome_.out;
}

}  // namespace
}  // namespace hallmark::e2e
