#include <algorithm>

#include "base/tests/parsed.hpp"
#include "cmake/places/places.hpp"
#include "e2e/fixture.hpp"

namespace hallmark::e2e {
namespace {

using base::Json;
using base::test::parsed;
using testing::HasSubstr;

/// Reports about processes that certify started.
class Processes : public EndToEnd {
 protected:
  Outcome certify(const std::string& target, const Arguments& further = {}) {
    Arguments arguments = {"certify", target,     "--dialect", "throttr-7.1", "--width",
                           "u16",     "--filter", "*growth*",  "--json",      "run.json"};
    arguments.insert(arguments.end(), further.begin(), further.end());
    auto outcome = hallmark(arguments);
    result_ = exists("run.json") ? parsed(read("run.json")) : Json();
    return outcome;
  }

  static std::string reference(const std::string& options) {
    return places::program() + " serve --dialect throttr-7.1 --width u16 " + options;
  }
  static std::string started(const std::string& options) {
    return "exec:" + reference("--listen tcp://127.0.0.1:{port} " + options);
  }

  const Json& case_named(std::string_view end) const {
    const auto& cases = result_["cases"].items();
    const auto found = std::ranges::find_if(
        cases, [&](const Json& one) { return one["id"].string().ends_with(end); });
    EXPECT_NE(found, cases.end()) << end;
    return *found;
  }

  Json result_;
};

TEST_F(Processes, AreMeasuredAndTheReferenceKeepsNothing) {
  const auto outcome = certify(started(""));
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, testing::ContainsRegex("process: [0-9.]+ [kM]B, [0-9]+ descriptors, "
                                                  "[0-9]+ threads?, [0-9.]+ m?s of CPU"));
  EXPECT_EQ(violations("certify.schema.json", "run.json"), "");
  EXPECT_GT(case_named("growth/rest")["process"]["descriptors"].natural(), 3U);
  EXPECT_GE(result_["process"]["threads"].natural(), 1U);
  EXPECT_EQ(hallmark({"report", "run.json"}).out, outcome.out);
}

TEST_F(Processes, ThatAreNotOursAreNotLookedInto) {
  const Server target("u16", directory_.string());
  certify(target.target(), {"--exclusive"});
  EXPECT_EQ(case_named("growth/rest")["verdict"], "skipped");
  EXPECT_THAT(case_named("growth/rest")["reason"].string(), HasSubstr("runs with exec:"));
  EXPECT_FALSE(result_.contains("process"));
}

struct Leak {
  std::string bug;
  std::string killed_by;
  std::string code;
};

class Leaks : public Processes, public testing::WithParamInterface<Leak> {};

TEST_P(Leaks, AreFound) {
  const Leak& leak = GetParam();
  const auto outcome = certify(started("--mutant " + leak.bug));
  EXPECT_EQ(outcome.exit_code, 1) << outcome.out << outcome.err;
  const Json& one = case_named(leak.killed_by);
  EXPECT_EQ(one["verdict"], "fail");
  EXPECT_EQ(one["code"], leak.code);
}

INSTANTIATE_TEST_SUITE_P(
    Bugs, Leaks,
    testing::Values(
        Leak{"leak.descriptors", "growth/descriptors", "leak QUERY descriptors"},
        Leak{"leak.threads", "growth/threads", "leak QUERY threads"},
        Leak{"leak.memory", "growth/memory-of-connections", "crash QUERY"},
        Leak{"leak.a-little", "growth/memory-of-connections", "leak QUERY memory-of-connections"},
        Leak{"leak.of-purged-records", "growth/memory-of-records", "leak PURGE memory-of-records"},
        Leak{"busy.from-the-start", "growth/rest", "busy QUERY"},
        Leak{"busy.after-half-close", "growth/rest", "busy QUERY"}),
    [](const auto& row) {
      std::string name = row.param.bug;
      std::ranges::replace_if(
          name, [](char one) { return one == '.' || one == '-'; }, '_');
      return name;
    });

/// A thread for each connection, whose stacks the C library keeps for a while, too.
TEST_F(Processes, ThatCacheWithABoundAreNotTakenForLeaking) {
  const auto outcome =
      certify("exec:" + places::hostile_target() + " stream caches:2000 {port} throttr-7.1 u16",
              {"--exclude", "*/growth/rest"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
}

}  // namespace
}  // namespace hallmark::e2e
