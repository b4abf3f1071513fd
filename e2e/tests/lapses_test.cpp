#include <algorithm>

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
using testing::IsEmpty;
using testing::Not;
using testing::UnorderedElementsAre;

/// A target that is wrong about every 50th request, whoever sends it, and has another bug.
class Lapses : public EndToEnd {
 protected:
  /// A server with both bugs.
  static std::string server(const std::string& mutant) {
    return places::program() + " serve --dialect throttr-7.3 --width u16 --mutant " + mutant +
           " --mutant update.patch-adds --listen tcp://127.0.0.1:{port}";
  }

  Json certified(const std::string& command, const std::string& filter, const std::string& file,
                 const std::string& deadline = "1s") {
    outcome_ = hallmark({"certify", "exec:" + command, "--dialect", "throttr-7.3", "--width", "u16",
                         "--filter", "*/update/quota-*", "--filter", filter, "--deadline", deadline,
                         "--json", file});
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

  /// The verdicts of the first run that the second one does not have.
  static std::vector<std::string> changed(const Json& first, const Json& second) {
    std::vector<std::string> gone = verdicts(first);
    const std::vector<std::string> kept = verdicts(second);
    std::erase_if(gone, [&](const auto& one) { return std::ranges::count(kept, one) > 0; });
    return gone;
  }

  /// Both bugs have a finding, and nothing else has.
  void expect_both_shown(const Json& result) const {
    EXPECT_EQ(outcome_.exit_code, 1);
    EXPECT_THAT(shown_by(result),
                UnorderedElementsAre("throttr-7.3/u16/behaviour/stream/all-answered",
                                     "throttr-7.3/u16/update/quota-patch"))
        << outcome_.out;
  }

  /// Certifies a server with the other bug that does that to its replies, twice.
  void expect_changes_found(const std::string& behaviour, const std::string& numbers) {
    const std::string changes = places::hostile_target() + " stream " + behaviour +
                                " {port} throttr-7.3 u16 update.patch-adds";
    const Json result = certified(changes, "*/stream/all-answered", "run.json");
    expect_both_shown(result);
    EXPECT_THAT(outcome_.out,
                HasSubstr("had another reply than others like it: number " + numbers));
    EXPECT_THAT(verdicts(result), AllOf(Contains("throttr-7.3/u16/update/quota-increase pass"),
                                        Not(Contains(HasSubstr("sanity/steady")))));
    EXPECT_THAT(changed(result, certified(changes, "*/stream/all-answered", "again.json")),
                IsEmpty())
        << outcome_.out;
  }

  Outcome outcome_;
};

TEST_F(Lapses, LostRepliesAreAFindingOfTheirOwnAndLeaveTheSameVerdictsInTheNextRun) {
  const std::string loses = server("loss.every-50th-of-all");
  const Json result = certified(loses, "*/stream/*", "run.json");
  expect_both_shown(result);
  EXPECT_THAT(outcome_.out, HasSubstr("had no reply: number 46, 96, 146, 196"));
  EXPECT_THAT(outcome_.out, HasSubstr("left out: the target loses replies"));
  EXPECT_THAT(verdicts(result),
              AllOf(Contains("throttr-7.3/u16/behaviour/stream/pipelined skipped"),
                    Contains("throttr-7.3/u16/update/quota-increase pass"),
                    Not(Contains(HasSubstr("sanity/steady")))));
  EXPECT_THAT(changed(result, certified(loses, "*/stream/*", "again.json")), IsEmpty())
      << outcome_.out;
}

/// All cases are judged: what others ask takes nothing from what a connection bears.
TEST_F(Lapses, ConnectionsThatAreAnsweredSoManyTimesAndNoMoreAreNone) {
  const std::string server_of_few = server("mute.after-failures");
  const Json result = certified(server_of_few, "*/stream/all-answered", "run.json");
  expect_both_shown(result);
  EXPECT_THAT(
      outcome_.out,
      HasSubstr("each of 4 connections had its replies to 5 requests, and none to the next"));
  EXPECT_THAT(verdicts(result), AllOf(Contains("throttr-7.3/u16/update/quota-increase pass"),
                                      Not(Contains(HasSubstr("sanity/steady")))));
  EXPECT_THAT(outcome_.out, Not(HasSubstr("left out")));
  EXPECT_THAT(changed(result, certified(server_of_few, "*/stream/all-answered", "again.json")),
              IsEmpty())
      << outcome_.out;
}

/// Its silence before the rest of a request is neither a hang nor a failure of what was cut.
TEST_F(Lapses, AServerThatLetsOthersWaitForTheRestOfARequestDoesNotHang) {
  const Json result = certified(server("resources.waits-for-slow-writers"),
                                "*/stream/half-a-request", "run.json", "3s");
  EXPECT_THAT(outcome_.out, Not(HasSubstr("hangs")));
  EXPECT_THAT(verdicts(result),
              AllOf(Contains("throttr-7.3/u16/behaviour/stream/half-a-request fail"),
                    Contains("throttr-7.3/u16/update/quota-increase#bytewise pass"),
                    Not(Contains(HasSubstr("sanity/steady")))))
      << outcome_.out;
}

TEST_F(Lapses, ChangedRepliesAreAFindingOfTheirOwnAndLeaveTheSameVerdictsInTheNextRun) {
  expect_changes_found("changes-every:50", "46, 96, 146, 196");
}

TEST_F(Lapses, RepliesThatComeTwiceAreAFindingOfTheirOwnAndLeaveTheSameVerdictsInTheNextRun) {
  expect_changes_found("doubles-every:50", "47, 97, 147, 197");
}

}  // namespace
}  // namespace hallmark::e2e
