#include <csignal>

#include "base/tests/parsed.hpp"
#include "e2e/fixture.hpp"

/// `hallmark certify` of a server that dies of what no document describes, and of one that others
/// use.
namespace hallmark::e2e {
namespace {

using base::Json;
using base::test::parsed;
using testing::ContainsRegex;
using testing::HasSubstr;

class CertifyDanger : public EndToEnd {
 protected:
  /// A server that runs until the test ends it, or a bug does.
  Server serving(const std::string& mutant) const {
    return {"u16", directory_.string(), {"tcp://127.0.0.1:0"}, {"--mutant", mutant}};
  }

  Outcome certify(const Server& server, const Arguments& further) {
    Arguments all{"certify", server.target(), "--json", "run.json"};
    all.insert(all.end(), further.begin(), further.end());
    const auto outcome = hallmark(all);
    EXPECT_EQ(violations("certify.schema.json", "run.json"), "");
    result_ = parsed(read("run.json"));
    return outcome;
  }

  const Json& of(const std::string& end) const {
    for (const Json& one : result_["cases"].items()) {
      if (one["id"].string().ends_with(end)) return one;
    }
    throw std::runtime_error("no case " + end);
  }

  std::string why_not_asked(const std::string& reading) const {
    for (const Json& one : result_["header"]["answers"].items()) {
      if (one["reading"] == reading) return one["not_asked"].string();
    }
    return "there is no such reading";
  }

  Json result_;
};

constexpr const char* deadly_opcode = "resources.unknown-opcode-crashes";

TEST_F(CertifyDanger, AServerThatDiesOfAnUnknownOpcodeIsAskedAllThatIsDocumentedFirst) {
  Server server = serving(deadly_opcode);
  const auto outcome = certify(server, {});
  EXPECT_EQ(outcome.exit_code, 3) << outcome.out;
  EXPECT_EQ(of("/insert/typical")["verdict"], "pass");
  EXPECT_EQ(of("/behaviour/update/below-zero")["verdict"], "pass");
  EXPECT_EQ(of("/behaviour/ttl/zero")["verdict"], "pass");
  EXPECT_GT(result_["summary"]["pass"].natural(), 700U) << outcome.out;
  EXPECT_EQ(result_["summary"]["fail"].natural(), 0U) << outcome.out;
  EXPECT_THAT(of("/robustness/unknown-opcodes")["reason"].string(), HasSubstr("not played"));
  EXPECT_THAT(result_["run_error"].string(), HasSubstr("readings/opcode-unknown"));
}

TEST_F(CertifyDanger, AFilterAsksForTheReadingsOnlyThatItsCasesRestOn) {
  Server server = serving(deadly_opcode);
  const auto outcome = certify(server, {"--filter", "*/behaviour/update/below-zero"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out;
  EXPECT_EQ(why_not_asked("opcode-unknown"), "no chosen case rests on it");
  EXPECT_EQ(why_not_asked("insert-existing"), "no chosen case rests on it");
  EXPECT_EQ(server.stop(SIGTERM).exit_code, 0);
}

TEST_F(CertifyDanger, APinnedReadingIsNotAskedFor) {
  Server server = serving(deadly_opcode);
  const auto outcome =
      certify(server, {"--reading", "opcode-unknown=closed", "--exclude", "*/robustness/*"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out;
  EXPECT_EQ(why_not_asked("opcode-unknown"), "pinned to closed");
  EXPECT_EQ(of("/readings/opcode-unknown")["reason"], "not asked: pinned to closed");
  EXPECT_EQ(server.stop(SIGTERM).exit_code, 0);
}

TEST_F(CertifyDanger, APoliteRunLeavesAFragileServerAlive) {
  for (const char* const mutant :
       {deadly_opcode, "death.inside-request", "death.of-empty-key", "death.of-many-connections"}) {
    Server server = serving(mutant);
    const auto outcome = certify(server, {"--polite"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.out;
    EXPECT_THAT(result_["verdict"].string(),
                ContainsRegex("^CERTIFIED WITHOUT [0-9]+ cases \\(--polite\\)$"));
    EXPECT_THAT(outcome.out, HasSubstr(result_["verdict"].string()));
    EXPECT_EQ(of("/robustness/truncated")["reason"], "not played: --polite");
    EXPECT_EQ(of("/behaviour/info/contents-exactly")["reason"], "not played: --polite");
    EXPECT_EQ(of("/behaviour/resources/churn")["reason"], "not played: --polite");
    EXPECT_EQ(why_not_asked("ttl-zero"), "--polite");
    EXPECT_EQ(server.stop(SIGTERM).exit_code, 0);
  }
}

TEST_F(CertifyDanger, ACertificateOfAPartComesOutTheSame) {
  Server server = serving("death.inside-request");
  certify(server, {"--polite", "--certificate", "polite.certificate"});
  const auto polite = hallmark({"verify", "polite.certificate"});
  EXPECT_EQ(polite.exit_code, 4) << polite.out << polite.err;
  EXPECT_THAT(polite.out, HasSubstr("INCOMPLETE  the same verdicts"));
  certify(server, {"--filter", "*/update/*", "--certificate", "some.certificate"});
  const auto some = hallmark({"verify", "some.certificate"});
  EXPECT_EQ(some.exit_code, 4) << some.out << some.err;
  EXPECT_THAT(some.out, HasSubstr("INCOMPLETE  the same verdicts"));
}

TEST_F(CertifyDanger, PoliteAndExclusiveExcludeEachOther) {
  const auto outcome = hallmark({"certify", "tcp://127.0.0.1:1", "--polite", "--exclusive"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, one_line_with({"--polite", "--exclusive"}));
}

}  // namespace
}  // namespace hallmark::e2e
