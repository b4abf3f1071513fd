#include "base/tests/parsed.hpp"
#include "e2e/lacking_server.hpp"

namespace hallmark::e2e {
namespace {

using base::Json;
using base::test::parsed;
using testing::HasSubstr;

class MissingOperations : public EndToEnd {
 protected:
  Outcome certify(std::set<std::string> operations, const Arguments& more = {}) {
    const LackingServer lacking(server_.target(), std::move(operations));
    Arguments arguments = {"certify", lacking.target(), "--dialect", "throttr-7.1", "--width",
                           "u16",     "--exclusive",    "--json",    "run.json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return hallmark(arguments);
  }

  Server server_{"u16", directory_.string()};
};

TEST_F(MissingOperations, AreNamedByEveryReportOfTheRun) {
  const auto outcome = certify({"PUBLISH"}, {"--junit", "run.xml", "--tap", "run.tap", "--badge",
                                             "run.svg", "--certificate", "run.certificate"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("\nCERTIFIED WITHOUT PUBLISH  "));
  EXPECT_EQ(violations("certify.schema.json", "run.json"), "");
  const Json result = parsed(read("run.json"));
  EXPECT_EQ(result["missing_operations"], Json::array({"PUBLISH"}));
  EXPECT_EQ(result["verdict"], "CERTIFIED WITHOUT PUBLISH");
  EXPECT_GT(result["summary"]["unsupported"].natural(), 0);
  EXPECT_THAT(read("run.xml"), HasSubstr("value=\"CERTIFIED WITHOUT PUBLISH\""));
  EXPECT_THAT(read("run.tap"), HasSubstr("\n# CERTIFIED WITHOUT PUBLISH\n"));
  EXPECT_THAT(read("run.svg"), HasSubstr("certified without PUBLISH, "));
  EXPECT_EQ(hallmark({"report", "run.json"}).out, outcome.out);
  const auto verified = hallmark({"verify", "run.certificate", "--json", "verification.json"});
  EXPECT_EQ(verified.exit_code, 0) << verified.out << verified.err;
  EXPECT_THAT(verified.out, HasSubstr("\nVERIFIED WITHOUT PUBLISH  the same verdicts: "));
  EXPECT_EQ(parsed(read("verification.json"))["missing_operations"], Json::array({"PUBLISH"}));
}

TEST_F(MissingOperations, AreNamedInTheDocumentsOrder) {
  const auto outcome = certify({"WHOAMI", "SET", "PUBLISH", "CONNECTIONS"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("\nCERTIFIED WITHOUT SET, PUBLISH, CONNECTIONS, WHOAMI  "));
}

TEST_F(MissingOperations, OfWhatWasNotChosenAreNotKnown) {
  const auto outcome = certify({"PUBLISH"}, {"--operation", "UPDATE"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("\nCERTIFIED  "));
  EXPECT_EQ(parsed(read("run.json")).find("missing_operations"), nullptr);
}

}  // namespace
}  // namespace hallmark::e2e
