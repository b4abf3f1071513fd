#include "base/tests/parsed.hpp"
#include "cmake/places/places.hpp"
#include "e2e/fixture.hpp"

namespace hallmark::e2e {
namespace {

using base::Json;
using base::test::parsed;
using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;
using testing::UnorderedElementsAre;

/// A target that leaves every 50th request unanswered, whoever sends it, and has another bug.
class Losses : public EndToEnd {
 protected:
  Json certified(const std::string& file) {
    outcome_ =
        hallmark({"certify",
                  "exec:" + places::program() +
                      " serve --dialect throttr-7.3 --width u16 --mutant "
                      "loss.every-50th-of-all --mutant update.patch-adds "
                      "--listen tcp://127.0.0.1:{port}",
                  "--dialect", "throttr-7.3", "--width", "u16", "--filter", "*/update/quota-*",
                  "--filter", "*/stream/*", "--deadline", "1s", "--json", file});
    return parsed(read(file));
  }

  static std::vector<std::string> shown_by(const Json& result) {
    std::vector<std::string> cases;
    for (const Json& finding : result["findings"].items())
      cases.push_back(finding["shown_by"].string());
    return cases;
  }

  static std::vector<std::string> verdicts(const Json& result) {
    std::vector<std::string> found;
    for (const Json& one : result["cases"].items())
      found.push_back(one["id"].string() + ' ' + one["verdict"].string());
    return found;
  }

  Outcome outcome_;
};

TEST_F(Losses, AreAFindingOfTheirOwnAndLeaveTheSameVerdictsInTheNextRun) {
  const Json result = certified("run.json");
  EXPECT_EQ(outcome_.exit_code, 1);
  EXPECT_THAT(shown_by(result),
              UnorderedElementsAre("throttr-7.3/u16/behaviour/stream/all-answered",
                                   "throttr-7.3/u16/update/quota-patch"))
      << outcome_.out;
  EXPECT_THAT(outcome_.out, HasSubstr("had no reply: number 49, 99, 149, 199"));
  EXPECT_THAT(outcome_.out, HasSubstr("left out: the target loses replies"));
  EXPECT_THAT(verdicts(result),
              AllOf(Contains("throttr-7.3/u16/behaviour/stream/pipelined skipped"),
                    Contains("throttr-7.3/u16/update/quota-increase pass"),
                    Not(Contains(HasSubstr("sanity/steady")))));
  EXPECT_EQ(verdicts(certified("again.json")), verdicts(result));
}

}  // namespace
}  // namespace hallmark::e2e
