#include "conformance/certificate/verify.hpp"

#include <gmock/gmock.h>

#include "conformance/certificate/verify_report.hpp"
#include "conformance/identify/tests/fake_throttr.hpp"
#include "conformance/judgement/basis.hpp"
#include "protocol/dialects.hpp"

namespace hallmark::certificate {
namespace {

using conformance::Crossing;
using conformance::Part;
using conformance::Stage;
using conformance::Unit;
using conformance::WireFormat;
using conformance::testing::FakeThrottr;
using conformance::testing::TestNetwork;
using protocol::Profile;
using protocol::Readings;
using protocol::Width;
using reports::ExitCode;
using reports::Verdict;
using ::testing::Contains;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

using SuiteResult = base::Expected<conformance::Suite, std::string>;

Unit unit(const std::string& id, std::function<void(Stage&)> run) {
  Unit made;
  made.name = id;
  made.run = std::move(run);
  made.cases.push_back({"throttr-7.1/u16/" + id, "A case", "QUERY", protocol::Level::must, {}, {}});
  return made;
}

/// A case whose replies are free in part, and one with several connections.
SuiteResult some_suite(const WireFormat& format) {
  using namespace conformance;
  Suite suite = suite_of_readings(format.dialect(), id_prefix(&format.dialect(), format.width()));
  suite.push_back(unit("round-trip", [](Stage& stage) {
    const std::string key = stage.key("k");
    stage.connection().ask(insert(key, 5, {TtlUnit::seconds, 30}), success());
    stage.require(stage.connection().ask(query(key)).number_or("quota", 0) == 5,
                  "not what was stored");
  }));
  suite.push_back(unit("who", [](Stage& stage) {
    const auto one = stage.connection("a").ask(bare("WHOAMI")).bytes_of("id");
    stage.require(stage.connection("b").ask(bare("WHOAMI")).bytes_of("id") != one, "the same id");
  }));
  return suite;
}

Suites suites_with(std::function<SuiteResult(const WireFormat&)> make = some_suite) {
  Suites suites;
  suites.vectors_directory = "/nowhere";
  suites.cases = [make = std::move(make)](
                     const WireFormat& format,
                     const Commission&) -> conformance::OrReason<conformance::Cases> {
    auto suite = make(format);
    if (!suite) return suite.error();
    return conformance::Cases{std::move(*suite)};
  };
  return suites;
}

class Sink : public conformance::PartSink {
 public:
  void take(Part part) override { parts.push_back(std::move(part)); }
  std::vector<Part> parts;
};

struct GoodServer : FakeThrottr {
  explicit GoodServer(Width width = Width::u16)
      : FakeThrottr(width, Readings(protocol::throttr_7_1, Profile::deployed)) {}
};

Certificate certified(FakeThrottr& target, const conformance::Filter& filter = {},
                      std::size_t stop_after = 0) {
  Certificate made;
  made.tool = "0.1.0";
  made.commission = {{.dialect = &protocol::throttr_7_1, .width = Width::u16}, filter, "", ""};
  TestNetwork network(target);
  Sink sink;
  conformance::Recorder recorder(sink);
  std::atomic<bool> stop{false};
  conformance::CertifyOptions options;
  options.target_text = "simulated";
  options.asked = made.commission.asked;
  options.schedule.jobs = 2;
  options.schedule.stop = &stop;
  options.schedule.on_progress = [&](const conformance::Progress& progress) {
    if (progress.done == stop_after) stop = true;
  };
  if (stop_after > 0) options.schedule.jobs = 1;
  options.recorder = &recorder;
  made.result = *conformance::certify_over(
      network,
      [&](const WireFormat& format) { return conformance::chosen(*some_suite(format), filter); },
      options);
  made.parts = std::move(sink.parts);
  const auto held = held_in(made.result.header);
  if (held)
    made.suite =
        *identity_of(suites_with(), made.commission, WireFormat(held->width, held->readings));
  return made;
}

Certificate certified(const conformance::Filter& filter = {}, std::size_t stop_after = 0) {
  GoodServer target;
  return certified(target, filter, stop_after);
}

Verification verified(const Certificate& certificate) {
  auto verification = verify(certificate, suites_with());
  EXPECT_TRUE(verification) << verification.error().message;
  return verification ? *verification : Verification();
}

auto refutes(const std::string& id, const std::string& what) {
  return Contains(::testing::AllOf(Field(&Refutation::id, HasSubstr(id)),
                                   Field(&Refutation::what, HasSubstr(what))));
}

reports::CaseResult& case_of(Certificate& certificate, const std::string& end) {
  return *std::ranges::find_if(certificate.result.cases,
                               [&](const auto& one) { return one.id.ends_with(end); });
}

TEST(Verify, ArrivesAtTheSameVerdicts) {
  const Certificate certificate = certified();
  const Verification verification = verified(certificate);
  EXPECT_THAT(verification.refutations, IsEmpty());
  EXPECT_THAT(verification.missing, IsEmpty());
  EXPECT_EQ(verification.judged, certificate.result.cases.size());
  EXPECT_EQ(exit_code(certificate, verification), ExitCode::as_expected);
}

TEST(Verify, AFailureIsVerifiedAndNoPass) {
  GoodServer target;
  target.fickle = true;
  const Certificate certificate = certified(target);
  ASSERT_EQ(reports::exit_code(certificate.result), ExitCode::failures);
  const Verification verification = verified(certificate);
  EXPECT_THAT(verification.refutations, IsEmpty());
  EXPECT_EQ(exit_code(certificate, verification), ExitCode::failures);
}

TEST(Verify, SaysWhatTheTargetLacks) {
  GoodServer target;
  target.without = {"WHOAMI"};
  const Certificate certificate = certified(target);
  const Verification verification = verified(certificate);
  EXPECT_THAT(verification.refutations, IsEmpty());
  EXPECT_EQ(exit_code(certificate, verification), ExitCode::as_expected);
  EXPECT_THAT(render_terminal(certificate, verification, {}),
              HasSubstr("\nVERIFIED WITHOUT WHOAMI  the same verdicts: "));
  EXPECT_THAT(render_json(certificate, verification),
              HasSubstr("\"verdict\": \"VERIFIED WITHOUT WHOAMI\""));
}

TEST(Verify, RefutesAnotherListOfMissingOperations) {
  GoodServer target;
  target.without = {"WHOAMI"};
  Certificate certificate = certified(target);
  certificate.result.missing_operations.clear();
  EXPECT_THAT(verified(certificate).refutations, refutes("run", "to lack other operations"));
}

TEST(Verify, WhatSpeaksSomethingElseIsVerifiedAsThat) {
  GoodServer target(Width::u32);
  const Certificate certificate = certified(target);
  ASSERT_EQ(certificate.result.cases.front().verdict, Verdict::fail);
  EXPECT_THAT(verified(certificate).refutations, IsEmpty());
}

TEST(Verify, ChosenCasesAreIncomplete) {
  conformance::Filter filter;
  filter.ids = {"*/round-trip"};
  const Certificate certificate = certified(filter);
  const Verification verification = verified(certificate);
  EXPECT_THAT(verification.refutations, IsEmpty());
  EXPECT_THAT(verification.missing, Contains("throttr-7.1/u16/who"));
  EXPECT_EQ(exit_code(certificate, verification), ExitCode::indeterminate);
}

TEST(Verify, ExcludedCasesAreMissing) {
  conformance::Filter filter;
  filter.excluded = {"*/who"};
  const Certificate certificate = certified(filter);
  const Verification verification = verified(certificate);
  EXPECT_THAT(verification.refutations, IsEmpty());
  EXPECT_THAT(verification.missing, Contains("throttr-7.1/u16/who"));
  EXPECT_EQ(exit_code(certificate, verification), ExitCode::indeterminate);
}

TEST(Verify, AnInterruptedRunIsIncomplete) {
  const Certificate certificate = certified({}, 1);
  ASSERT_TRUE(certificate.result.interrupted);
  const Verification verification = verified(certificate);
  EXPECT_THAT(verification.refutations, IsEmpty());
  EXPECT_THAT(verification.missing, Contains("throttr-7.1/u16/who"));
  EXPECT_EQ(exit_code(certificate, verification), ExitCode::indeterminate);
}

TEST(Verify, RefutesASwappedVerdict) {
  GoodServer target;
  target.without = {"WHOAMI"};
  Certificate certificate = certified(target);
  reports::CaseResult& one = case_of(certificate, "/who");
  ASSERT_NE(one.verdict, Verdict::pass);
  one.verdict = Verdict::pass;
  one.reason.clear();
  EXPECT_THAT(verified(certificate).refutations,
              refutes("/who", "is certified as pass, and judged:"));
}

TEST(Verify, RefutesACaseThatIsLeftOutAddedOrTwice) {
  const Certificate original = certified();
  Certificate less = original;
  std::erase_if(less.result.cases, [](const auto& one) { return one.id.ends_with("/who"); });
  EXPECT_THAT(verified(less).refutations, refutes("/who", "has no verdict in the certificate"));
  EXPECT_THAT(verified(less).missing, Contains("throttr-7.1/u16/who"));
  Certificate more = original;
  more.result.cases.push_back(more.result.cases.back());
  EXPECT_THAT(verified(more).refutations, refutes("/sanity/after", "certified twice"));
  Certificate swapped = original;
  std::swap(swapped.result.cases[1], swapped.result.cases[2]);
  EXPECT_THAT(verified(swapped).refutations, refutes("run", "in another order"));
}

TEST(Verify, RefutesATranscriptThatIsLeftOutOrSwapped) {
  const Certificate original = certified();
  Certificate less = original;
  std::erase_if(less.parts, [](const Part& part) { return part.name.ends_with("/who"); });
  EXPECT_THAT(verified(less).refutations, refutes("/who", "has no transcript"));
  Certificate swapped = original;
  for (Part& part : swapped.parts) {
    if (part.name.ends_with("/who")) {
      part.name = "throttr-7.1/u16/round-trip";
    } else if (part.name.ends_with("/round-trip")) {
      part.name = "throttr-7.1/u16/who";
    }
  }
  EXPECT_THAT(verified(swapped).refutations, refutes("/who", "sends"));
}

TEST(Verify, RefutesOtherOptionsReadingsAndNotes) {
  const Certificate original = certified();
  Certificate other = original;
  other.result.header.answers.front().told = "something else";
  EXPECT_THAT(verified(other).refutations, refutes("run", "held to something else"));
  other = original;
  for (reports::Option& option : other.result.header.options) {
    if (option.name == "seed") option.value = "77";
  }
  EXPECT_FALSE(verified(other).refutations.empty()) << "the seed is in the keys that are sent";
  other = original;
  other.result.header.duration += std::chrono::nanoseconds(1);
  EXPECT_THAT(verified(other).refutations, refutes("run", "another time"));
}

TEST(Verify, RefusesWhatIsOfAnotherSuite) {
  Certificate certificate = certified();
  const auto other = [](const WireFormat& format) -> SuiteResult {
    auto suite = some_suite(format);
    suite->pop_back();
    return suite;
  };
  const auto refused = verify(certificate, suites_with(other));
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("its case throttr-7.1/u16/who is not here"));
  certificate.suite.vectors.push_back({"throttr-7.1/u16/query.json", "00"});
  const auto differs = verify(certificate, suites_with());
  ASSERT_FALSE(differs);
  EXPECT_THAT(differs.error().message, HasSubstr("throttr-7.1/u16/query.json are not here"));
}

TEST(Verify, RefusesOptionsThatNoRunHas) {
  Certificate certificate = certified();
  certificate.result.header.options.push_back({"jobs", "1000000"});
  const auto refused = verify(certificate, suites_with());
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("jobs=1000000"));
}

/// Changes one thing after the other; each has to be noticed.
class OneChange {
 public:
  explicit OneChange(Certificate certificate) : certificate_(std::move(certificate)) {}

  template <class Change>
  void everywhere(const Change& change) {
    for (Part& part : certificate_.parts) {
      for (Crossing& crossing : part.crossings) {
        const Crossing original = crossing;
        if (change(crossing)) {
          ++changed_;
          EXPECT_FALSE(verified(certificate_).refutations.empty())
              << part.name << ": " << name_of(original.kind) << " on " << original.link;
        }
        crossing = original;
      }
    }
  }

  std::size_t changed() const { return changed_; }

 private:
  Certificate certificate_;
  std::size_t changed_ = 0;
};

/// Without any hash in the way: what is read is already changed. Of each crossing another byte.
TEST(Verify, RefutesAChangedByteOfEveryKind) {
  OneChange one(certified());
  std::size_t turn = 0;
  one.everywhere([&](Crossing& crossing) {
    const auto held = crossing.bytes.held();
    if (held.empty() || ++turn % 4 != 0) return false;
    base::Bytes bytes(held.begin(), held.end());
    bytes[turn % bytes.size()] ^= static_cast<std::uint8_t>(1U << (turn % 8));
    crossing.bytes = conformance::Packed(std::move(bytes), crossing.bytes.repeats());
    return true;
  });
  EXPECT_GT(one.changed(), 50U);
}

TEST(Verify, RefutesAChangedTime) {
  OneChange one(certified());
  std::size_t turn = 0;
  one.everywhere([&](Crossing& crossing) {
    if (++turn % 5 != 0) return false;
    crossing.took ^= 1;
    return true;
  });
  EXPECT_GT(one.changed(), 50U);
}

}  // namespace
}  // namespace hallmark::certificate
