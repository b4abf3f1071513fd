#include "conformance/engine/play_order.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "conformance/engine/certify.hpp"
#include "conformance/identify/tests/fake_throttr.hpp"
#include "protocol/dialects.hpp"
#include "reports/certify/run_verdict.hpp"

namespace hallmark::conformance::testing {
namespace {

using protocol::Profile;
using protocol::Readings;
using protocol::Width;
using reports::Verdict;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::string_view undefined_opcode = "an undefined opcode";
constexpr std::string_view prefix = "throttr-7.1/u16";

/// Notes, in one list with what cases note, that an opcode came which nobody defines.
struct Diary : FakeThrottr {
  explicit Diary(const Readings& readings = {protocol::throttr_7_1, Profile::deployed})
      : FakeThrottr(Width::u16, readings) {}

  void receive(Connection connection, base::ByteView segment, Time now) override {
    if (segment.front() == 0x00 || segment.front() == 0xff) note(undefined_opcode);
    FakeThrottr::receive(connection, segment, now);
  }

  void note(std::string_view what) {
    if (entries.empty() || entries.back() != what) entries.emplace_back(what);
  }

  std::vector<std::string> entries;
};

Unit noting(Diary& diary, const std::string& name, Danger danger) {
  Unit unit;
  unit.name = name;
  unit.run = [&diary, name](Stage&) { diary.note(name); };
  unit.cases.push_back({fmt::format("{}/{}", prefix, name),
                        name,
                        "INSERT",
                        protocol::Level::must,
                        {},
                        Delivery::whole,
                        danger});
  return unit;
}

/// The most dangerous first, and all readings before them.
Suite backwards(Diary& diary) {
  Suite suite = suite_of_readings(protocol::throttr_7_1, std::string(prefix));
  suite.push_back(noting(diary, "resources", Danger::resources));
  suite.push_back(noting(diary, "malformed", Danger::malformed));
  suite.push_back(noting(diary, "unlisted", Danger::unlisted));
  suite.push_back(noting(diary, "open", Danger::open));
  suite.push_back(noting(diary, "documented", Danger::documented));
  return suite;
}

struct Certified {
  explicit Certified(const std::function<void(CertifyOptions&)>& change = [](CertifyOptions&) {}) {
    CertifyOptions options;
    options.asked = {.dialect = &protocol::throttr_7_1, .width = Width::u16};
    options.schedule.jobs = 1;
    change(options);
    TestNetwork network(diary);
    result = *certify_over(
        network, [&](const WireFormat&) { return backwards(diary); }, options);
  }

  const reports::CaseResult& of(std::string_view end) const {
    return *std::ranges::find_if(
        result.cases, [&](const reports::CaseResult& one) { return one.id.ends_with(end); });
  }
  const reports::ReadingAnswer& answer(std::string_view reading) const {
    return *std::ranges::find(result.header.answers, reading, &reports::ReadingAnswer::reading);
  }

  Diary diary;
  reports::CertifyResult result;
};

TEST(PlayOrder, GoesFromTheLeastDangerToTheGreatest) {
  const Certified run;
  EXPECT_THAT(run.diary.entries, ElementsAre("documented", "open", undefined_opcode, "unlisted",
                                             "malformed", "resources"));
}

TEST(PlayOrder, ReportsInTheOrderOfTheSuite) {
  const Certified run;
  std::vector<std::string> ids;
  for (const reports::CaseResult& one : run.result.cases) {
    if (one.id.find("/readings/") == std::string::npos) ids.push_back(one.id);
  }
  EXPECT_THAT(ids, ElementsAre(EndsWith("/dialect"), EndsWith("/before"), EndsWith("/resources"),
                               EndsWith("/malformed"), EndsWith("/unlisted"), EndsWith("/open"),
                               EndsWith("/documented"), EndsWith("/after")));
  EXPECT_THAT(run.result.cases[1].id, HasSubstr("/readings/"));
  EXPECT_EQ(run.of("/readings/opcode-unknown").verdict, Verdict::pass);
}

TEST(PlayOrder, DoesNotAskForAnAnswerThatIsGiven) {
  const Certified run([](CertifyOptions& options) {
    options.asked.pins = {{"opcode-unknown", "ignored"}, {"status-prefix", "yes"}};
  });
  EXPECT_THAT(run.diary.entries, Not(Contains(undefined_opcode)));
  EXPECT_EQ(run.of("/readings/opcode-unknown").verdict, Verdict::skipped);
  EXPECT_EQ(run.of("/readings/opcode-unknown").reason, "not asked: pinned to ignored");
  EXPECT_EQ(run.answer("opcode-unknown"),
            (reports::ReadingAnswer{"opcode-unknown", "ignored", "", "pinned to ignored"}));
  EXPECT_EQ(run.answer("status-prefix").not_asked, "pinned to yes");
  EXPECT_EQ(run.of("/readings/status-prefix").verdict, Verdict::skipped);
}

TEST(PlayOrder, AsksForTheReadingsOnlyThatAreNeeded) {
  const Certified run([](CertifyOptions& options) {
    options.readings_needed = [](const WireFormat&) {
      return std::optional(std::set<std::string>{"ttl-update", "opcode-unknown"});
    };
  });
  std::vector<std::string> asked;
  for (const reports::CaseResult& one : run.result.cases) {
    if (one.id.find("/readings/") != std::string::npos && !one.reason.starts_with("not asked"))
      asked.push_back(one.id);
  }
  // The rest of a TTL shows how it was updated.
  EXPECT_THAT(
      asked, ElementsAre(EndsWith("ttl-left"), EndsWith("ttl-update"), EndsWith("opcode-unknown")));
  EXPECT_EQ(run.answer("ttl-zero").not_asked, "no chosen case rests on it");
  EXPECT_EQ(run.answer("status-prefix").told, "yes") << "which identification found anyway";
}

TEST(PlayOrder, ATargetThatOthersUseIsSparedAllThatIsDangerous) {
  const Certified run([](CertifyOptions& options) { options.schedule.polite = true; });
  EXPECT_THAT(run.diary.entries, ElementsAre("documented"));
  EXPECT_EQ(run.of("/open").reason, reports::spared);
  EXPECT_EQ(run.of("/readings/insert-existing").reason, "not asked: --polite");
  EXPECT_EQ(run.of("/readings/ttl-left").verdict, Verdict::pass);
  EXPECT_THAT(reports::run_verdict(run.result), HasSubstr("CERTIFIED WITHOUT 4 cases (--polite)"));
}

TEST(PlayOrder, TheSuiteIsMadeAgainForAnAnswerThatChangesIt) {
  Readings ignoring(protocol::throttr_7_1, Profile::deployed);
  ignoring.choose({"opcode-unknown", "ignored"});
  Diary diary(ignoring);
  TestNetwork network(diary);
  CertifyOptions options;
  options.asked = {.dialect = &protocol::throttr_7_1, .width = Width::u16};
  options.schedule.jobs = 1;
  std::vector<std::string> made_for;
  const auto make = [&](const WireFormat& format) {
    made_for.emplace_back(format.readings().answer("opcode-unknown"));
    Suite suite = backwards(diary);
    if (format.reads({"opcode-unknown", "ignored"}))
      suite.push_back(noting(diary, "ignored", Danger::documented));
    return suite;
  };
  const auto result = *certify_over(network, make, options);
  EXPECT_THAT(made_for, ElementsAre("closed", "ignored"));
  EXPECT_THAT(diary.entries, ElementsAre("documented", "open", undefined_opcode, "unlisted",
                                         "ignored", "malformed", "resources"));
}

}  // namespace
}  // namespace hallmark::conformance::testing
