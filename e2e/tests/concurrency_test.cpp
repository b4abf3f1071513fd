
#include "base/tests/parsed.hpp"
#include "e2e/fixture.hpp"

namespace hallmark::e2e {
namespace {

using base::Json;
using base::test::parsed;
using testing::HasSubstr;

class Concurrency : public EndToEnd {
 protected:
  Outcome certify(const std::string& mutant, const std::string& name) const {
    Server server("u16", directory_.string(), {"tcp://127.0.0.1:0"}, {"--mutant", mutant});
    return hallmark({"certify", server.target(), "--width", "u16", "--profile", "deployed",
                     "--filter", "*/concurrency/" + name, "--json", "run.json"});
  }
};

TEST_F(Concurrency, AnUpdateThatIsLostIsDrawn) {
  const auto outcome = certify("race.update-lost", "up-and-down");
  EXPECT_EQ(outcome.exit_code, 1) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("no order of the requests explains their replies: QUERY"));
  EXPECT_THAT(outcome.out, HasSubstr("before: a counter of "));
  EXPECT_THAT(outcome.out, HasSubstr("├QUERY → "));
  EXPECT_THAT(outcome.out, HasSubstr("▲"));
  EXPECT_EQ(violations("certify.schema.json", "run.json"), "");
  const Json result = parsed(read("run.json"));
  std::size_t drawn = 0;
  for (const Json& one : result["cases"].items()) {
    if (!one.contains("drawing")) continue;
    ++drawn;
    EXPECT_EQ(one["verdict"], "fail");
    EXPECT_GT(one["drawing"].size(), 4U);
  }
  EXPECT_EQ(drawn, 1U);
}

TEST_F(Concurrency, ATornValueIsDrawn) {
  const auto outcome = certify("race.get-torn", "overwritten");
  EXPECT_EQ(outcome.exit_code, 1) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("├GET → \""));
  EXPECT_THAT(outcome.out, HasSubstr("but the record is a buffer of"));
}

}  // namespace
}  // namespace hallmark::e2e
