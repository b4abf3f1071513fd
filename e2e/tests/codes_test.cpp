#include "base/tests/parsed.hpp"
#include "cmake/places/places.hpp"
#include "e2e/fixture.hpp"

namespace hallmark::e2e {
namespace {

using base::Json;
using base::test::parsed;
using testing::Each;
using testing::StartsWith;

/// The codes of failures, which are the same from run to run.
class Codes : public EndToEnd {
 protected:
  /// Returns those of the cases that fail with the mutant.
  std::vector<std::string> of(const std::string& mutant, const std::string& cases) {
    outcome_ = hallmark(
        {"certify",
         "exec:" + places::program() + " serve --dialect throttr-7.1 --width u16 --mutant " +
             mutant + " --listen tcp://127.0.0.1:{port}",
         "--dialect", "throttr-7.1", "--width", "u16", "--filter", cases, "--json", "run.json"});
    const Json result = parsed(read("run.json"));
    std::vector<std::string> codes;
    for (const Json& one : result["cases"].items()) {
      if (one["id"].string().find("/sanity/") != std::string::npos) continue;
      if (one["verdict"] == "fail") codes.push_back(one["code"].string());
    }
    return codes;
  }

  Outcome outcome_;
};

TEST_F(Codes, OfAListingThatBreaksOffAreTheSameWhereverItDoes) {
  const auto codes = of("connections.entry-short", "*/behaviour/connections/*");
  EXPECT_GE(codes.size(), 2U) << outcome_.out;
  EXPECT_THAT(codes, Each("malformed CONNECTIONS")) << outcome_.out;
}

TEST_F(Codes, OfBytesTooManyDoNotDependOnWhenTheyCome) {
  const auto codes = of("reply.query-one-more", "*/behaviour/update/missing");
  ASSERT_EQ(codes.size(), 1U) << outcome_.out;
  EXPECT_THAT(codes, Each(StartsWith("surplus UPDATE PATCH-of-the-quota")));
}

}  // namespace
}  // namespace hallmark::e2e
