
#include "base/tests/parsed.hpp"
#include "cmake/places/places.hpp"
#include "conformance/certificate/sha256.hpp"
#include "conformance/certificate/zstd_stream.hpp"
#include "e2e/fixture.hpp"

namespace hallmark::e2e {
namespace {

using base::Json;
using base::test::parsed;
using testing::HasSubstr;

class Certificates : public EndToEnd {
 protected:
  Outcome certify(const std::string& target, Arguments more) {
    more.insert(more.begin(), {"certify", target});
    more.insert(more.end(), {"--certificate", "run.certificate"});
    return hallmark(more);
  }

  Outcome verify(const Arguments& more = {}) {
    Arguments arguments = {"verify", "run.certificate", "--json", "verification.json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    std::filesystem::remove(path("verification.json"));
    auto outcome = hallmark(arguments);
    verification_ = exists("verification.json") ? parsed(read("verification.json")) : Json();
    return outcome;
  }

  /// The text of the certificate.
  std::string text() const {
    const std::string file = read("run.certificate");
    std::string_view rest = file;
    certificate::Decompressor decompressor;
    std::string text;
    while (!decompressor.ended()) text += decompressor.next(rest).value();
    return text;
  }

  /// Another text in its place, with its hash computed anew.
  void change_to(std::string text) const {
    text.erase(text.rfind("{\"end\""));
    text += "{\"end\":{\"sha256\":\"" + certificate::sha256_of(text) + "\"}}\n";
    certificate::Compressor compressor;
    std::string file = compressor.add(text);
    write("run.certificate", file + compressor.finish());
  }

  void expect_verified(const Outcome& outcome) const {
    EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("VERIFIED  the same verdicts: "));
    EXPECT_EQ(verification_["complete"], true);
    EXPECT_EQ(verification_["refuted"], Json::array());
  }

  Json verification_;
};

/// Replaces the first `from` behind `after` in the text.
std::string replaced(std::string text, std::string_view after, std::string_view from,
                     std::string_view to) {
  const auto begin = text.find(after);
  EXPECT_NE(begin, std::string::npos) << after;
  const auto at = text.find(from, begin);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

/// Replaces every `from`.
std::string everywhere(std::string text, std::string_view from, std::string_view to) {
  EXPECT_NE(text.find(from), std::string::npos) << from;
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

/// Removes the text from `begin` to the end of the first line that starts with `last` behind it.
std::string without(std::string text, std::string_view begin, std::string_view last) {
  const auto at = text.find(begin);
  EXPECT_NE(at, std::string::npos) << begin;
  const auto end = text.find('\n', text.find(last, at));
  return text.erase(at, end + 1 - at);
}

TEST_F(Certificates, ThatWereChangedAreRefuted) {
  {
    const Server target("u16", directory_.string());
    const auto outcome = certify(target.target(), {"--width", "u16", "--operation", "QUERY"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
  }
  const auto chosen = verify();
  EXPECT_EQ(chosen.exit_code, 4) << chosen.out << chosen.err;
  EXPECT_THAT(chosen.out, HasSubstr("INCOMPLETE  the same verdicts: "));
  EXPECT_EQ(verification_["complete"], false);

  const std::string file = read("run.certificate");
  const std::string original = text();
  const std::string part = R"({"part":"throttr-7.1/u16/query/found",)";
  const std::string result = R"({"case":{"id":"throttr-7.1/u16/query/found",)";
  const struct {
    std::string text;
    std::string what;
  } changes[] = {
      {replaced(original, part, R"({"receive":1,"bytes":"0107)", R"({"receive":1,"bytes":"0108)"),
       "takes for QUERY"},
      {replaced(original, part, R"({"send":1,"bytes":"0)", R"({"send":1,"bytes":"1)"), "sends"},
      {replaced(original, part, "\"ns\":", "\"ns\":1"), " ns"},
      {without(original, part, "{\"part_ended_ns\""), "has no transcript"},
      {replaced(original, result, R"("verdict":"pass")", R"("verdict":"skipped")"),
       "is certified as skipped, and judged: pass"},
      {without(original, result, "{"), "has no verdict in the certificate"},
  };
  for (const auto& change : changes) {
    change_to(change.text);
    const auto outcome = verify();
    EXPECT_EQ(outcome.exit_code, 1) << change.what << outcome.out << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("REFUTED"));
    EXPECT_THAT(outcome.out, HasSubstr("refuted  throttr-7.1/u16/query/found"));
    ASSERT_FALSE(verification_["refuted"].empty());
    EXPECT_THAT(verification_["refuted"][0]["what"].string(), HasSubstr(change.what));
  }

  write("run.certificate", file.substr(0, file.size() / 2));
  const auto cut = verify();
  EXPECT_EQ(cut.exit_code, 2);
  EXPECT_THAT(cut.err, one_line_with({"hallmark verify: ", "run.certificate", "is cut off"}));
}

TEST_F(Certificates, OfEveryTransportIsVerified) {
  {
    const Server target("u16", directory_.string());
    certify(target.target(), {"--width", "u16", "--exclusive"});
  }
  expect_verified(verify());
  EXPECT_LT(std::filesystem::file_size(path("run.certificate")), 8U << 20);
  {
    const Server target("u64", directory_.string(), {"tcp://127.0.0.1:0"},
                        {"--dialect", "throttr-2.0"});
    certify(target.target(), {"--dialect", "throttr-2.0", "--exclusive"});
  }
  expect_verified(verify());
  {
    const Server target("", directory_.string(), {"udp://127.0.0.1:0"},
                        {"--dialect", "ratelimit-udp"});
    certify(target.target(),
            {"--rules", places::source("docs/example.rules"), "--estimator", "exponential"});
  }
  expect_verified(verify());
  certify("pipe:" + command({}).front() + " serve --stdio", {});
  expect_verified(verify());
}

TEST_F(Certificates, OfATargetThatFailsIsVerifiedAsFailed) {
  {
    const Server target("u16", directory_.string(), {"tcp://127.0.0.1:0"},
                        {"--mutant", "query.consumes"});
    EXPECT_EQ(certify(target.target(), {"--width", "u16", "--operation", "QUERY"}).exit_code, 1);
  }
  const auto outcome = verify();
  EXPECT_EQ(outcome.exit_code, 1) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("FAILED  the same verdicts: "));
  EXPECT_EQ(verification_["refuted"], Json::array());
  EXPECT_EQ(verification_["complete"], false);
}

/// The clock of a record stands still while nothing crosses the seam, and a TTL is judged by it.
TEST_F(Certificates, LeaveTheVerdictsAsTheyAre) {
  const std::string target =
      "exec:" + places::program() +
      " serve --dialect throttr-7.3 --width u8 --mutant ttl.shown-rounded-up "
      "--listen tcp://127.0.0.1:{port}";
  const Arguments options = {
      "--dialect", "throttr-7.3", "--width", "u8",      "--reading", "ttl-left=left-rounded-down",
      "--filter",  "*/insert/q*", "--json",  "run.json"};
  Arguments alone = {"certify", target};
  alone.insert(alone.end(), options.begin(), options.end());
  hallmark(alone);
  const Json without_record = parsed(read("run.json"));
  certify(target, options);
  const Json with_record = parsed(read("run.json"));
  EXPECT_GT(without_record["summary"]["fail"].natural(), 0U);
  EXPECT_EQ(with_record["summary"], without_record["summary"]);
}

TEST_F(Certificates, OfALimiterThatWasStartedHereIsVerified) {
  certify("exec:" + command({}).front() +
              " serve --dialect ratelimit-udp --listen udp://127.0.0.1:{port}",
          {"--dialect", "ratelimit-udp"});
  expect_verified(verify());
}

/// All that a run learns of an adapter crosses the seam, its hangs as well.
TEST_F(Certificates, OfAnAdapterThatHangsIsJudgedAsAWhole) {
  EXPECT_EQ(certify("pipe:" + places::hostile_target() + " lines sleeps:4",
                    {"--deadline", "1s", "--operation", "adapter"})
                .exit_code,
            1);
  const auto outcome = verify();
  EXPECT_EQ(outcome.exit_code, 1) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("FAILED  the same verdicts: "));
  EXPECT_EQ(verification_["refuted"], Json::array());
}

/// The reference with these bugs, started by the run itself.
std::string started_with(const Arguments& bugs) {
  std::string command = "exec:" + places::program() +
                        " serve --dialect throttr-7.1 --width u16 --listen tcp://127.0.0.1:{port}";
  for (const std::string& bug : bugs) command += " --mutant " + bug;
  return command;
}

TEST_F(Certificates, OfATargetThatDiesAndHangsIsJudgedInAllItsCases) {
  const auto outcome =
      certify(started_with({"death.of-empty-key", "hang.spins-on-unlisted-change"}),
              {"--dialect", "throttr-7.1", "--width", "u16", "--filter", "*/purge/*", "--filter",
               "*change*", "--deadline", "1s", "--json", "run.json"});
  EXPECT_EQ(outcome.exit_code, 1) << outcome.out << outcome.err;
  const Json run = parsed(read("run.json"));
  ASSERT_GE(run["deaths"].size(), 2U);
  const auto verified = verify();
  EXPECT_EQ(verified.exit_code, 1) << verified.out << verified.err;
  EXPECT_THAT(verified.out, HasSubstr("FAILED  the same verdicts: "));
  EXPECT_EQ(verification_["refuted"], Json::array());
  EXPECT_EQ(verification_["judged"], run["cases"].size());

  const std::string original = text();
  const std::string changes[] = {
      everywhere(original, R"(\"how\":\")", R"(\"how\":\"not )"),
      without(original, R"({"process":"renewed")", R"({"process":"renewed")"),
      everywhere(original, R"({"process":"figures","text":"1 )",
                 R"({"process":"figures","text":"1 9)"),
      replaced(original, R"({"result":)", R"("cause":"case")", R"("cause":"itself")"),
  };
  for (const std::string& change : changes) {
    SCOPED_TRACE(&change - changes);
    ASSERT_NE(change, original);
    change_to(change);
    const auto refuted = verify();
    EXPECT_EQ(refuted.exit_code, 1) << refuted.out << refuted.err;
    EXPECT_THAT(refuted.out, HasSubstr("REFUTED"));
  }
}

TEST_F(Certificates, OfAnAdapterThatDiesIsJudgedInAllItsCases) {
  EXPECT_EQ(certify("pipe:" + places::program() + " serve --stdio --mutant death.of-nested-state",
                    {"--json", "run.json"})
                .exit_code,
            1);
  const auto outcome = verify();
  EXPECT_EQ(outcome.exit_code, 1) << outcome.out << outcome.err;
  EXPECT_EQ(verification_["refuted"], Json::array());
  EXPECT_EQ(verification_["judged"], parsed(read("run.json"))["cases"].size());
}

TEST_F(Certificates, OfNobodyAndOfNothingAreToldApart) {
  const Nobody nobody;
  EXPECT_EQ(certify(nobody.target(), {"--width", "u16"}).exit_code, 3);
  const auto outcome = verify();
  EXPECT_EQ(outcome.exit_code, 3) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("UNDECIDED"));
  write("run.certificate", "no certificate");
  EXPECT_THAT(verify().err, one_line_with({"run.certificate: is no certificate"}));
  const auto missing = hallmark({"verify", "missing"});
  EXPECT_EQ(missing.exit_code, 2);
  EXPECT_THAT(
      missing.err,
      one_line_with({"cannot read missing: No such file or directory; expected a certificate"}));
}

}  // namespace
}  // namespace hallmark::e2e
