#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>

#include "e2e/fixture.hpp"

namespace hallmark::e2e {
namespace {

using nlohmann::json;
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
  const json result = json::parse(read("result.json"));
  std::size_t shown = 0;
  for (const json& one : result["cases"]) {
    const json& lines = one["reproduction"];
    if (!lines.empty() && lines[0].get<std::string>().ends_with("requests are left")) ++shown;
  }
  EXPECT_EQ(shown, files.size());
  const std::filesystem::path script =
      std::filesystem::path(files.front()).replace_extension("hex");
  std::ifstream lines(script);
  std::string first;
  std::string second;
  std::getline(lines, first);
  std::getline(lines, second);
  EXPECT_THAT(first, HasSubstr("# throttr-7.1/u16/"));
  EXPECT_THAT(second, testing::StartsWith("c1: 0"));
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

TEST_F(Reproductions, AreOfStreamsOnly) {
  const auto run = hallmark({"certify", "udp://127.0.0.1:1", "--reproductions", "found"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_THAT(run.err, HasSubstr("--reproductions with --dialect ratelimit-udp"));
}

}  // namespace
}  // namespace hallmark::e2e
