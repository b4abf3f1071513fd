
#include <algorithm>
#include <fstream>
#include <functional>

#include "base/tests/parsed.hpp"
#include "cmake/places/places.hpp"
#include "e2e/fixture.hpp"

namespace hallmark::e2e {
namespace {

using base::Json;
using base::test::parsed;
using testing::HasSubstr;

class Reproductions : public EndToEnd {
 protected:
  /// Certifies a reference with that bug, and the vector files that came of it.
  std::vector<std::string> of_mutant(const std::string& mutant) {
    const Server broken("u16", directory_.string(), {"tcp://127.0.0.1:0"}, {"--mutant", mutant});
    const auto run = hallmark({"certify", broken.target(), "--width", "u16", "--operation",
                               "update", "--reproductions", "found", "--json", "result.json"});
    EXPECT_EQ(run.exit_code, 1) << run.out << run.err;
    std::vector<std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(directory_ / "found")) {
      if (entry.path().extension() == ".json") files.push_back(entry.path().string());
    }
    std::ranges::sort(files);
    return files;
  }

  /// A vector file that a run left there.
  std::string first_vector_in(const std::string& directory) const {
    for (const auto& entry : std::filesystem::directory_iterator(directory_ / directory)) {
      if (entry.path().extension() == ".json")
        return directory + "/" + entry.path().filename().string();
    }
    ADD_FAILURE() << "no vector in " << directory;
    return {};
  }

  /// Certifies a reference that has the bug of those words, or none, with more options.
  using Certify = std::function<Outcome(const std::string& bug, const Arguments& more)>;

  /// The cases that `which` chooses fail with the bug, and leave a vector that fails with it and
  /// passes without: that file.
  std::string cut_vector_of(const Certify& certify, const std::string& bug, Arguments which,
                            const std::string& schema) const {
    which.insert(which.end(), {"--reproductions", "found"});
    const auto run = certify(bug, which);
    EXPECT_EQ(run.exit_code, 1) << run.out << run.err;
    const auto file = first_vector_in("found");
    EXPECT_EQ(violations("../../vectors/schema/" + schema, file), "");
    EXPECT_EQ(certify(bug, {"--vectors", file}).exit_code, 1);
    EXPECT_EQ(certify("", {"--vectors", file}).exit_code, 0);
    return file;
  }

  int exit_code_on(const Server& server, const std::string& file) const {
    return hallmark({"certify", server.target(), "--width", "u16", "--vectors", file}).exit_code;
  }
};

/// Each is the failure and nothing but the failure.
TEST_F(Reproductions, FailWithTheBugAndPassWithout) {
  const auto files = of_mutant("update.increase-replaces");
  ASSERT_GE(files.size(), 3U);
  const Server broken("u16", directory_.string(), {"tcp://127.0.0.1:0"},
                      {"--mutant", "update.increase-replaces"});
  const Server right("u16", directory_.string());
  for (const std::string& file : {files.front(), files[files.size() / 2], files.back()}) {
    EXPECT_EQ(violations("../../vectors/schema/vectors.schema.json", file), "") << file;
    EXPECT_EQ(exit_code_on(broken, file), 1) << file;
    EXPECT_EQ(exit_code_on(right, file), 0) << file;
  }
}

TEST_F(Reproductions, AreShownInTheReportsAndBesideAsHexadecimal) {
  const auto files = of_mutant("update.increase-replaces");
  ASSERT_FALSE(files.empty());
  const Json result = parsed(read("result.json"));
  std::size_t shown = 0;
  for (const Json& one : result["cases"].items()) {
    const Json& lines = one["reproduction"];
    if (!lines.empty() && lines[0].string().ends_with("requests are left")) ++shown;
  }
  EXPECT_EQ(shown, files.size());
  const std::filesystem::path script =
      std::filesystem::path(files.front()).replace_extension("hex");
  std::ifstream lines(script);
  std::string first;
  std::string second;
  std::getline(lines, first);
  std::string third;
  std::getline(lines, second);
  std::getline(lines, third);
  EXPECT_THAT(first, HasSubstr("# throttr-7.1/u16/"));
  EXPECT_EQ(second, "# not played on a fresh process: the target is not ours to start");
  EXPECT_THAT(third, testing::StartsWith("c1: 0"));
}

TEST_F(Reproductions, OfAnotherDialectThanTheVectorsAreRefused) {
  const auto files = of_mutant("update.increase-replaces");
  ASSERT_FALSE(files.empty());
  const Server other("u8", directory_.string());
  const auto run =
      hallmark({"certify", other.target(), "--width", "u8", "--vectors", files.front()});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_THAT(run.err, HasSubstr("has vectors of throttr-7.1 u16; expected throttr-7.1 u8"));
}

/// No specification says what such a listing has to contain. The vector does, for the keys that are
/// left of it.
TEST_F(Reproductions, OfAListingHaveTheKeysThatMatter) {
  const Server broken("u16", directory_.string(), {"tcp://127.0.0.1:0"},
                      {"--mutant", "list.counters-only"});
  const auto run = hallmark({"certify", broken.target(), "--width", "u16", "--filter", "*/list/*",
                             "--exclusive", "--reproductions", "found"});
  EXPECT_EQ(run.exit_code, 1) << run.out << run.err;
  const std::string file = "found/throttr-7.1.u16.list.both-kinds.json";
  ASSERT_TRUE(std::filesystem::exists(directory_ / file)) << run.out;
  const Json vector = parsed(read(file))["vectors"][0];
  std::vector<std::string> requests;
  for (const Json& step : vector["steps"].items()) {
    if (step.contains("send")) requests.push_back(step["send"].string());
  }
  EXPECT_EQ(requests, (std::vector<std::string>{"SET", "LIST"}));
  EXPECT_EQ(violations("../../vectors/schema/vectors.schema.json", file), "");
  const Server right("u16", directory_.string());
  const auto on = [&](const Server& server) {
    return hallmark(
               {"certify", server.target(), "--width", "u16", "--exclusive", "--vectors", file})
        .exit_code;
  };
  EXPECT_EQ(on(broken), 1);
  EXPECT_EQ(on(right), 0);
}

/// Each was played on a process that was asked nothing before, and so says nothing of that.
TEST_F(Reproductions, OfAStartedTargetFailOnAFreshProcess) {
  const std::string target = "exec:" + places::program() +
                             " serve --dialect throttr-7.1 --width u16 --listen "
                             "tcp://127.0.0.1:{port} --mutant update.increase-replaces";
  const Arguments words{"certify", target, "--dialect", "throttr-7.1", "--width", "u16"};
  Arguments all = words;
  all.insert(all.end(), {"--operation", "update", "--reproductions", "found"});
  EXPECT_EQ(hallmark(all).exit_code, 1);
  std::size_t played = 0;
  for (const auto& entry : std::filesystem::directory_iterator(directory_ / "found")) {
    if (entry.path().extension() != ".json" || ++played > 2) continue;
    auto script = entry.path();
    script.replace_extension("hex");
    EXPECT_THAT(read(script.string()), testing::Not(HasSubstr("# not ")));
    Arguments one = words;
    one.insert(one.end(), {"--vectors", entry.path().string()});
    EXPECT_EQ(hallmark(one).exit_code, 1) << entry.path();
  }
  EXPECT_GT(played, 0U);
}

/// A script that cannot be cut down is still written, so that it can be sent again.
TEST_F(Reproductions, OfWhatIsNoVectorAreWhatWasSent) {
  const Server broken("u16", directory_.string(), {"tcp://127.0.0.1:0"},
                      {"--mutant", "channels.subscribers-off"});
  const auto run = hallmark({"certify", broken.target(), "--width", "u16", "--filter",
                             "*/behaviour/channels/*", "--exclusive", "--reproductions", "found"});
  EXPECT_EQ(run.exit_code, 1) << run.out << run.err;
  EXPECT_THAT(run.out, HasSubstr("sent that could not be cut down"));
  std::size_t scripts = 0;
  for (const auto& entry : std::filesystem::directory_iterator(directory_ / "found")) {
    EXPECT_EQ(entry.path().extension(), ".hex");
    EXPECT_THAT(read(entry.path().string()),
                HasSubstr("\n# not confirmed: the target is not ours to start\n"));
    ++scripts;
  }
  EXPECT_GE(scripts, 1U);
}

TEST_F(Reproductions, OfDatagramsAreOneRequest) {
  const std::string broken = "exec:" + places::program() +
                             " serve --dialect ratelimit-udp --listen udp://127.0.0.1:{port}";
  const auto on = [&](const std::string& bug, const Arguments& more) {
    Arguments words{"certify", broken + bug, "--dialect", "ratelimit-udp", "--deadline", "2s"};
    words.insert(words.end(), more.begin(), more.end());
    return hallmark(words);
  };
  cut_vector_of(on, " --mutant id.zero-is-none", {"--operation", "ping"}, "vectors.schema.json");
}

/// Steps of a vector of states do not depend on each other.
TEST_F(Reproductions, OfAnAdapterAreOneExchange) {
  const auto on = [&](const std::string& bug, const Arguments& more) {
    Arguments words{"certify",
                    "pipe:" + places::program() + " serve --dialect ratelimit-state --stdio" + bug,
                    "--dialect", "ratelimit-state"};
    words.insert(words.end(), more.begin(), more.end());
    return hallmark(words);
  };
  const auto file = cut_vector_of(on, " --mutant window.late", {"--filter", "*/fixed-window/*"},
                                  "state_vectors.schema.json");
  EXPECT_EQ(parsed(read(file))["vectors"][0]["steps"].size(), 1U);
  const auto request = std::filesystem::path(file).replace_extension("txt");
  EXPECT_THAT(read(request.string()), testing::StartsWith(R"({"id":1,"op":)"));
}

}  // namespace
}  // namespace hallmark::e2e
