#include "base/tests/parsed.hpp"
#include "cmake/places/places.hpp"
#include "e2e/fixture.hpp"

namespace hallmark::e2e {
namespace {

using base::Json;
using base::test::parsed;
using testing::Each;
using testing::HasSubstr;

/// A target that takes each segment for requests of their own.
class Segments : public EndToEnd {
 protected:
  Outcome certify(const std::string& seed, std::vector<std::string> options) {
    options.insert(
        options.begin(),
        {"certify",
         "exec:" + places::program() +
             " serve --dialect throttr-7.1 --width u16 --mutant stream.partial-dropped"
             " --listen tcp://127.0.0.1:{port}",
         "--dialect", "throttr-7.1", "--width", "u16", "--filter", "*/get/*", "--seed", seed});
    return hallmark(options);
  }

  static std::vector<std::string> codes(const Json& result) {
    std::vector<std::string> found;
    for (const Json& one : result["cases"].items()) {
      if (one["verdict"].string() == "fail") found.push_back(one["code"].string());
    }
    return found;
  }
};

/// The bytes at which the segments end are others with another seed, and so is what is seen.
TEST_F(Segments, ThatAreNotPutTogetherAreOneFindingAndKnownFailuresOfTheNextRun) {
  const Outcome first =
      certify("1", {"--json", "run.json", "--write-known-failures", "known.json"});
  EXPECT_EQ(first.exit_code, 1);
  const Json result = parsed(read("run.json"));
  EXPECT_EQ(result["findings"].items().size(), 1U) << first.out;
  EXPECT_THAT(first.out, HasSubstr("a request is not put together from its segments"));
  const std::vector<std::string> failed = codes(result);
  EXPECT_GE(failed.size(), 12U);
  EXPECT_THAT(failed, Each(HasSubstr("broken-promise segments")));
  const Outcome again = certify("2", {"--known-failures", "known.json"});
  EXPECT_EQ(again.exit_code, 0) << again.out;
}

}  // namespace
}  // namespace hallmark::e2e
