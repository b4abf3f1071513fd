#include "conformance/isolation/trials.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "conformance/suites/throttr/support.hpp"
#include "conformance/tests/scripted_network.hpp"

namespace hallmark::conformance::testing {
namespace {

using reports::CaseResult;
using reports::Verdict;

using EffectsOfBytes = std::map<std::uint8_t, Effect>;

/// Bytes from the first to the last that all do the same.
EffectsOfBytes all_from(unsigned first, unsigned last, Effect effect) {
  EffectsOfBytes script;
  for (unsigned byte = first; byte <= last; ++byte)
    script[static_cast<std::uint8_t>(byte)] = effect;
  return script;
}

struct ScriptedRun {
  explicit ScriptedRun(EffectsOfBytes script, bool started_here = true)
      : network(std::move(script), started_here) {}

  CaseResult play(const Unit& unit) {
    Housekeeper housekeeper(context);
    return play_unit(context, housekeeper, unit).front();
  }

  ScriptedNetwork network;
  Patience patience{test_deadline};
  RunContext context{.network = network, .format = format_u16(), .patience = patience};
};

/// Sends each of the bytes and then a QUERY, which has to find what the set-up made. A byte of 0 is
/// not sent.
Unit unit_of_bytes(std::vector<std::uint8_t> bytes) {
  return unit_that("case", [bytes = std::move(bytes)](Stage& stage) {
    const Series series{"byte", "bytes"};
    Trials trials(stage, [&] { stage.connection().ask(insert("made", 1), success()); });
    for (const std::uint8_t byte : bytes) {
      trials.attempt({series, fmt::format("{:02x}", byte), byte}, [=, &stage] {
        if (byte != 0) stage.connection("wrong").send_raw(base::ByteView(&byte, 1));
        stage.close("wrong");
        stage.connection().ask(query("made"), counter_of(1));
      });
    }
    trials.conclude();
  });
}

TEST(Trials, TellWhatEachInputDoes) {
  EffectsOfBytes script = all_from(0x40, 0x44, Effect::kills);
  script[0x1c] = Effect::refuses;
  script[0x31] = Effect::mutes;
  script[0x60] = Effect::hangs;
  script[0x62] = Effect::kills;
  const Unit unit = unit_of_behaviour("robustness/unknown-opcodes");
  ScriptedRun run(script);
  const CaseResult result = run.play(unit);
  EXPECT_EQ(result.verdict, Verdict::fail);
  EXPECT_EQ(result.reason,
            "opcodes 40..44, 62 kill the process; opcode 60 hangs the target; "
            "after opcode 31 this connection never answers again; "
            "opcode 1c is answered with 00, the end of the connection was expected");
  EXPECT_EQ(text_of(*result.code),
            "crash opcode 40..44,62 + hang opcode 60 + silent opcode 31 + broken-promise opcode 1c "
            "'is answered with 00, the end of the connection was expected'");
  EXPECT_EQ(result.reproduction.size(), 1U) << "the input that did the worst, and nothing else";

  ScriptedRun again(script);
  const CaseResult second = again.play(unit);
  EXPECT_EQ(second.reason, result.reason);
  EXPECT_EQ(second.code, result.code);
  EXPECT_EQ(second.reproduction, result.reproduction);
}

TEST(Trials, OfACorrectTargetPassOnOneProcess) {
  ScriptedRun run({});
  EXPECT_EQ(run.play(unit_of_behaviour("robustness/unknown-opcodes")).verdict, Verdict::pass);
  EXPECT_EQ(run.network.starts(), 1U);
}

TEST(Trials, GiveAProcessNoMoreInputsThanItMayMeet) {
  const Unit as_many = unit_of_bytes(std::vector<std::uint8_t>(Trials::most_on_one_process));
  ScriptedRun enough({});
  EXPECT_EQ(enough.play(as_many).verdict, Verdict::pass);
  EXPECT_EQ(enough.network.starts(), 1U);

  const Unit one_more = unit_of_bytes(std::vector<std::uint8_t>(Trials::most_on_one_process + 1));
  ScriptedRun run({});
  EXPECT_EQ(run.play(one_more).verdict, Verdict::pass);
  EXPECT_EQ(run.network.starts(), 2U);

  ScriptedRun of_somebody_else({}, false);
  EXPECT_EQ(of_somebody_else.play(one_more).verdict, Verdict::pass);
  EXPECT_EQ(of_somebody_else.network.starts(), 1U);
}

TEST(Trials, TryAgainOnAFreshProcessWhatKills) {
  ScriptedRun run({{0x41, Effect::kills}});
  run.play(unit_of_behaviour("robustness/unknown-opcodes"));
  EXPECT_EQ(run.network.starts(), 3U) << "once after each death of it";
}

/// As a target that lacks descriptors in the middle of any input.
TEST(Trials, BlameNoInputOfWhichAFreshProcessDoesNotHang) {
  ScriptedRun once({{0x41, Effect::hangs_once}});
  EXPECT_EQ(once.play(unit_of_behaviour("robustness/unknown-opcodes")).verdict, Verdict::fail);
  EXPECT_THAT(once.network.blamed(), ::testing::IsEmpty()) << "the death is looked into";

  ScriptedRun always({{0x41, Effect::hangs}});
  always.play(unit_of_behaviour("robustness/unknown-opcodes"));
  EXPECT_THAT(always.network.blamed(), ::testing::ElementsAre("opcode 41"));
}

TEST(Trials, BlameTheInputBeforeIfTheTargetDiesLate) {
  ScriptedRun run({{0x41, Effect::kills_late}});
  const CaseResult result = run.play(unit_of_bytes({0x00, 0x41, 0x00, 0x00}));
  EXPECT_EQ(result.reason, "byte 41 kills the process");
}

TEST(Trials, MakeWhatInputsRestOnInEachProcess) {
  ScriptedRun run({{0x41, Effect::kills}});
  const CaseResult result = run.play(unit_of_bytes({0x00, 0x41, 0x00}));
  EXPECT_EQ(result.reason, "byte 41 kills the process");
}

TEST(Trials, StopAtATargetOfSomebodyElseThatIsGone) {
  ScriptedRun run({{0x41, Effect::kills}}, false);
  const CaseResult result = run.play(unit_of_behaviour("robustness/unknown-opcodes"));
  EXPECT_EQ(result.reason,
            "opcode 41 kills the process; opcodes 42..ff were not tried: the target takes no "
            "connections any more");
  EXPECT_EQ(text_of(*result.code), "crash opcode 41");
}

TEST(Trials, StopAtATargetOfSomebodyElseThatHangs) {
  ScriptedRun run({{0xfe, Effect::hangs}}, false);
  const CaseResult result = run.play(unit_of_behaviour("robustness/unknown-opcodes"));
  EXPECT_EQ(result.reason,
            "opcode fe hangs the target; opcode ff was not tried: the target hangs: it answers no "
            "new connection");
  EXPECT_EQ(text_of(*result.code), "hang opcode fe");
}

struct Bound {
  Effect effect;
  const char* reason;
};

void PrintTo(const Bound& row, std::ostream* out) { *out << row.reason; }

class TrialsStop : public ::testing::TestWithParam<Bound> {};

TEST_P(TrialsStop, AtTheirBounds) {
  ScriptedRun run(all_from(0x40, 0xff, GetParam().effect));
  const CaseResult result = run.play(unit_of_behaviour("robustness/unknown-opcodes"));
  EXPECT_EQ(result.reason, GetParam().reason);
}

INSTANTIATE_TEST_SUITE_P(
    Bounds, TrialsStop,
    ::testing::Values(Bound{Effect::kills,
                            "opcodes 40..5f kill the process; opcodes 60..ff were not tried: the "
                            "target died 32 times"},
                      Bound{Effect::hangs,
                            "opcodes 40, 41 hang the target; opcodes 42..ff were not tried: the "
                            "target hung 2 times"},
                      Bound{Effect::mutes,
                            "after opcodes 40..47 this connection never answers again; opcodes "
                            "48..ff were not tried: 8 inputs were followed by silence"}));

}  // namespace
}  // namespace hallmark::conformance::testing
