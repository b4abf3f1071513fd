#include "conformance/supervisor/process_supervisor.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <thread>

#include "base/descriptor.hpp"
#include "base/tests/temporary_directory.hpp"
#include "conformance/engine/clock.hpp"
#include "conformance/isolation/canary.hpp"
#include "conformance/supervisor/output_tail.hpp"
#include "conformance/supervisor/post_mortem.hpp"
#include "conformance/tests/fake_process.hpp"
#include "conformance/tests/fixture.hpp"

namespace hallmark::conformance::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr Time second = 1'000'000'000;

/// Looks into the deaths of a run that has left no process alone so far.
void hold_post_mortem(Attendant& attendant, const PlayAlone& play_alone, const WireFormat* format,
                      reports::CertifyResult& result) {
  Vigils none;
  conformance::hold_post_mortem(attendant, play_alone, format, result, none);
}

TEST(OutputTail, KeepsTheEndOfWhateverIsWritten) {
  base::Pipe pipe = base::make_pipe().value();
  OutputTail tail(std::move(pipe.read));
  // Far more than a pipe holds: writing goes on because it is read meanwhile.
  const std::string much(std::size_t{1} << 20, 'x');
  for (std::size_t at = 0; at < much.size();) {
    const ssize_t written = ::write(pipe.write.get(), much.data() + at, much.size() - at);
    ASSERT_GT(written, 0);
    at += static_cast<std::size_t>(written);
  }
  ASSERT_EQ(::write(pipe.write.get(), "\none\ntwo\nthree\n\n", 16), 16);
  EXPECT_THAT(tail.lines(2), ElementsAre("two", "three"));
  const auto all = tail.lines(100);
  EXPECT_EQ(all.size(), 4U);
  EXPECT_LE(all.front().size(), OutputTail::most_bytes);
}

TEST(OutputTail, OfNothingIsNothing) {
  base::Pipe pipe = base::make_pipe().value();
  EXPECT_THAT(OutputTail(std::move(pipe.read)).lines(3), ElementsAre());
}

/// A command that serves at once, as far as anybody can tell.
std::unique_ptr<ProcessSupervisor> supervised(const std::string& command) {
  ProcessSupervisor::Transport transport;
  transport.await = [](Process&, Time) { return base::Expected<void, std::string>(); };
  transport.refuses = [](std::uint16_t) { return true; };
  auto started = ProcessSupervisor::start({command, {}}, second, std::move(transport));
  return started ? std::move(*started) : nullptr;
}

/// Targets wait for it before they end: as many of them end as it is pulled times.
class Trigger {
 public:
  Trigger() {
    if (::mkfifo(path().c_str(), 0600) != 0) throw std::runtime_error("no FIFO");
    // Written lines stay there as long as this end is open.
    fifo_ = base::Descriptor(::open(path().c_str(), O_RDWR | O_CLOEXEC));
  }
  void pull(std::size_t times = 1) const {
    const std::string lines(times, '\n');
    ASSERT_EQ(::write(fifo_.get(), lines.data(), lines.size()), static_cast<ssize_t>(times));
  }
  /// Returns a command that does `then` when the trigger is pulled.
  std::string command(const std::string& then) const {
    return "sh -c 'read line < " + path() + "; " + then + "' {port}";
  }

 private:
  std::string path() const { return directory_ / "pull"; }

  base::test::TemporaryDirectory directory_;
  base::Descriptor fifo_;
};

void await_death(Supervisor& supervisor) {
  ASSERT_NE(supervisor.end_within(10 * second), "");
  ASSERT_TRUE(supervisor.has_died());
}

TEST(Supervisor, TellsHowItDiedWhichCasesRanAndWhatWasSentLast) {
  const Trigger trigger;
  const auto supervisor = supervised(trigger.command("echo going; kill -SEGV $$"));
  ASSERT_NE(supervisor, nullptr);
  supervisor->begin_case("case");
  const auto connection = supervisor->opened(1);
  supervisor->sent(connection, base::as_bytes("abc"));
  trigger.pull();
  await_death(*supervisor);
  EXPECT_TRUE(supervisor->end_case(false));
  const auto casualties = supervisor->casualties();
  ASSERT_EQ(casualties.size(), 1U);
  const reports::Death& death = casualties.front().death;
  EXPECT_THAT(death.how, HasSubstr("killed by signal 11"));
  EXPECT_THAT(death.output, ElementsAre("going"));
  EXPECT_THAT(death.running, ElementsAre("case"));
  ASSERT_EQ(death.last_sent.size(), 1U);
  EXPECT_EQ(death.last_sent.front().bytes, base::to_bytes("abc"));
}

TEST(Supervisor, StartsItAfreshSoManyTimesAndNoMore) {
  const auto supervisor = supervised("sh -c 'exit 3' {port}");
  ASSERT_NE(supervisor, nullptr);
  for (unsigned i = 1; i <= ProcessSupervisor::most_deaths; ++i) {
    await_death(*supervisor);
    EXPECT_EQ(static_cast<bool>(supervisor->serving()), i < ProcessSupervisor::most_deaths) << i;
  }
  EXPECT_EQ(supervisor->given_up(), "the target died 10 times");
  EXPECT_EQ(supervisor->generation(), ProcessSupervisor::most_deaths);
}

TEST(Supervisor, WhatIsStartedAfreshOutlivesTheThreadThatAskedForIt) {
  const Trigger trigger;
  const auto supervisor = supervised(trigger.command("exit 5"));
  ASSERT_NE(supervisor, nullptr);
  std::string thread;
  std::jthread([&] {
    thread = "/proc/self/task/" + std::to_string(::gettid());
    EXPECT_TRUE(supervisor->renew());
  }).join();
  // A thread can be joined before it is gone; what its end does to the process has then been done.
  while (std::filesystem::exists(thread)) std::this_thread::yield();
  trigger.pull();
  EXPECT_EQ(supervisor->end_within(10 * second), "exited with code 5");
}

TEST(Supervisor, StartsNothingWhenTheRunIsOver) {
  const auto supervisor = supervised("sh -c 'exit 3' {port}");
  ASSERT_NE(supervisor, nullptr);
  await_death(*supervisor);
  supervisor->end_by(monotonic_now());
  EXPECT_FALSE(supervisor->serving());
  EXPECT_THAT(supervisor->given_up(), HasSubstr("the run takes too long"));
}

TEST(Supervisor, RenewsWhatWasGivenUp) {
  const auto supervisor = supervised("sh -c 'exit 3' {port}");
  ASSERT_NE(supervisor, nullptr);
  for (unsigned i = 1; i <= ProcessSupervisor::most_deaths; ++i) {
    await_death(*supervisor);
    static_cast<void>(supervisor->serving());
  }
  EXPECT_TRUE(supervisor->renew());
  EXPECT_EQ(supervisor->given_up(), "");
}

/// Until its processes have begun, and sleep; false: that takes longer than anybody expects.
bool await_sleep(Supervisor& supervisor) {
  const Time until = monotonic_now() + 10 * second;
  const Watched watched = supervisor.watch();
  while (supervisor.starved(watched) && monotonic_now() < until) std::this_thread::yield();
  return !supervisor.starved(watched);
}

TEST(Canary, LostRepliesAreNotAHang) {
  const auto supervisor = supervised("sleep 1000 {port}");
  ASSERT_NE(supervisor, nullptr);
  ASSERT_TRUE(await_sleep(*supervisor));
  int lost = 0;
  std::vector<Time> waits;  // ms
  const Canary canary{.supervisor = supervisor.get(),
                      .sings = true,
                      .suspicion = second,
                      .deadline = second,
                      .ask = [&](Time wait, const InVain&) {
                        waits.push_back(wait / 1'000'000);
                        return lost-- > 0 ? SignOfLife::silent : SignOfLife::answers;
                      }};
  for (const int times : {1, 2}) {
    lost = times;
    EXPECT_EQ(examine(canary), Examined::well);
    EXPECT_EQ(supervisor->deaths(), 0U);
  }
  lost = 3;
  waits.clear();
  EXPECT_EQ(examine(canary), Examined::was_ended);
  EXPECT_EQ(supervisor->deaths(), 1U);
  EXPECT_THAT(waits, ElementsAre(200, 1000, 800)) << "the second meets another thread soon";

  ASSERT_TRUE(supervisor->revive());
  ASSERT_TRUE(await_sleep(*supervisor));
  lost = 2;
  waits.clear();
  EXPECT_EQ(examine(canary), Examined::was_ended);
  EXPECT_THAT(waits, ElementsAre(200, 1000)) << "it is known to hang";
}

/// Wants to run, gets no time, and is ended if it is taken to hang.
class StarvedProcess : public FakeProcess {
 public:
  StarvedProcess() : FakeProcess([] { return ProcessFigures(); }) {}
  Watched watch() override { return {nullptr, true}; }
  bool starved(const Watched&) override { return true; }
  bool end_hung(const Watched&) override { return true; }
};

TEST(Canary, AStarvedProcessHasSeveralDeadlines) {
  for (const Time needs : {3 * second, 5 * second}) {
    StarvedProcess process;
    Time waited = 0;
    const Canary canary{.supervisor = &process,
                        .sings = true,
                        .suspicion = second / 2,
                        .deadline = second,
                        .ask = [&](Time wait, const InVain&) {
                          waited += wait;
                          return waited < needs ? SignOfLife::silent : SignOfLife::answers;
                        }};
    EXPECT_EQ(examine(canary), needs < 4 * second ? Examined::well : Examined::was_ended);
    EXPECT_LT(waited, 5 * second);
  }
}

TEST(PostMortem, TellsATargetThatEndsByItselfFromOneThatACaseKills) {
  // It lives so long that cases begin before it ends, however slowly it starts: one that ended
  // before would be started afresh, and that is a death more.
  const Trigger trigger;
  const auto supervisor = supervised(trigger.command("sleep 0.5; exit 3"));
  ASSERT_NE(supervisor, nullptr);
  supervisor->begin_case("a");
  trigger.pull(10);
  await_death(*supervisor);
  supervisor->end_case(true);
  reports::CertifyResult result;
  result.cases.emplace_back().id = "a";
  hold_post_mortem(
      *supervisor,
      [&](const std::string& id) {
        reports::CaseResult alone;
        alone.id = id;
        alone.verdict = reports::Verdict::pass;
        await_death(*supervisor);
        return std::optional(alone);
      },
      nullptr, result);
  ASSERT_EQ(result.deaths.size(), 1U);
  EXPECT_EQ(result.deaths[0].cause, reports::DeathCause::by_itself);
  EXPECT_THAT(result.run_error, HasSubstr("exited with code 3; it ends by itself"));
  EXPECT_EQ(result.cases[0].verdict, reports::Verdict::indeterminate);
}

TEST(PostMortem, LeavesACaseOpenThatIsNotPlayedAgainWhereTheTargetEndsByItself) {
  const Trigger trigger;
  const auto supervisor = supervised(trigger.command("sleep 0.5; exit 3"));
  ASSERT_NE(supervisor, nullptr);
  supervisor->begin_case("sanity");
  trigger.pull(10);
  await_death(*supervisor);
  supervisor->end_case(false);
  reports::CertifyResult result;
  result.cases.emplace_back().id = "sanity";
  result.cases[0].verdict = reports::Verdict::fail;
  hold_post_mortem(
      *supervisor, [](const std::string&) { return std::optional<reports::CaseResult>(); }, nullptr,
      result);
  ASSERT_EQ(result.deaths.size(), 1U);
  EXPECT_EQ(result.deaths[0].cause, reports::DeathCause::by_itself);
  EXPECT_EQ(result.cases[0].verdict, reports::Verdict::indeterminate);
}

TEST(PostMortem, NamesTheCaseThatKillsItAlone) {
  const Trigger trigger;
  const auto supervisor = supervised(trigger.command("kill -ABRT $$"));
  ASSERT_NE(supervisor, nullptr);
  supervisor->begin_case("killer");
  trigger.pull();
  await_death(*supervisor);
  supervisor->end_case(false);
  reports::CertifyResult result;
  result.cases.emplace_back().id = "killer";
  hold_post_mortem(
      *supervisor,
      [&](const std::string& id) {
        trigger.pull();
        await_death(*supervisor);
        reports::CaseResult alone;
        alone.id = id;
        alone.verdict = reports::Verdict::fail;
        alone.reason = "closed";
        alone.operation = "INSERT";
        alone.evidence.resize(1);
        alone.evidence[0].bytes = {0x02, 0x01, 'k'};
        alone.evidence[0].fields = {{"opcode", 0, 1, "QUERY", false, ""}};
        return std::optional(alone);
      },
      &format_u16(), result);
  ASSERT_EQ(result.deaths.size(), 1U);
  EXPECT_EQ(result.deaths[0].cause, reports::DeathCause::one_case);
  EXPECT_EQ(result.deaths[0].killer, "killer");
  EXPECT_EQ(result.cases[0].verdict, reports::Verdict::fail);
  EXPECT_THAT(result.cases[0].reason, HasSubstr("the target died of it: killed by signal 6"));
  EXPECT_EQ(reports::text_of(result.cases[0].code.value()), "crash QUERY");
  EXPECT_EQ(result.run_error, "");
}

TEST(PostMortem, SaysWhenNoCaseKillsItAlone) {
  const Trigger trigger;
  const auto supervisor = supervised(trigger.command("kill -ABRT $$"));
  ASSERT_NE(supervisor, nullptr);
  supervisor->begin_case("innocent");
  trigger.pull();
  await_death(*supervisor);
  supervisor->end_case(false);
  reports::CertifyResult result;
  result.cases.emplace_back().id = "innocent";
  hold_post_mortem(
      *supervisor,
      [&](const std::string& id) {
        reports::CaseResult alone;
        alone.id = id;
        alone.verdict = reports::Verdict::pass;
        return std::optional(alone);
      },
      nullptr, result);
  ASSERT_EQ(result.deaths.size(), 1U);
  EXPECT_EQ(result.deaths[0].cause, reports::DeathCause::unknown);
  EXPECT_EQ(result.cases[0].verdict, reports::Verdict::pass);
  EXPECT_EQ(result.deaths[0].conclusion, "none of the 1 case that ran then kills it alone");
  EXPECT_EQ(result.run_error, "");
}

std::optional<reports::CaseResult> never_played(const std::string& id) {
  ADD_FAILURE() << id << " is played again";
  return std::nullopt;
}

void hang(Supervisor& supervisor) { ASSERT_TRUE(supervisor.end_hung(supervisor.watch())); }

TEST(PostMortem, TellsATargetThatHangsByItselfFromOneThatACaseHangs) {
  for (const bool by_itself : {true, false}) {
    const auto supervisor = supervised("sleep 1000 {port}");
    ASSERT_NE(supervisor, nullptr);
    supervisor->begin_case("suspect");
    hang(*supervisor);
    supervisor->end_case(false);
    reports::CertifyResult result;
    result.cases.resize(2);
    result.cases[0].id = "suspect";
    result.cases[0].verdict = reports::Verdict::fail;
    result.cases[1].id = "passed";
    result.cases[1].verdict = reports::Verdict::pass;
    hold_post_mortem(
        *supervisor,
        [&](const std::string& id) {
          reports::CaseResult alone;
          alone.id = id;
          const bool hangs = by_itself || id == "suspect";
          alone.verdict = hangs ? reports::Verdict::fail : reports::Verdict::pass;
          if (hangs) hang(*supervisor);
          return std::optional(alone);
        },
        nullptr, result);
    ASSERT_EQ(result.deaths.size(), 1U);
    EXPECT_EQ(result.cases[1].verdict, reports::Verdict::pass);
    if (by_itself) {
      EXPECT_EQ(result.deaths[0].cause, reports::DeathCause::by_itself);
      EXPECT_THAT(result.run_error, HasSubstr("it hangs by itself"));
      EXPECT_EQ(result.cases[0].verdict, reports::Verdict::indeterminate);
    } else {
      EXPECT_EQ(result.deaths[0].killer, "suspect");
      EXPECT_EQ(result.run_error, "");
      EXPECT_EQ(result.cases[0].verdict, reports::Verdict::fail);
    }
  }
}

TEST(PostMortem, ClearsNoCaseWhereTheTargetCannotBeStartedAgain) {
  const Trigger trigger;
  ProcessSupervisor::Transport transport;
  transport.await = [starts = 0](Process&, Time) mutable {
    return ++starts == 1 ? base::Expected<void, std::string>() : std::string("in use");
  };
  transport.refuses = [](std::uint16_t) { return true; };
  auto started = ProcessSupervisor::start({trigger.command("kill -ABRT $$"), {}}, second,
                                          std::move(transport));
  ASSERT_TRUE(started);
  ProcessSupervisor& supervisor = **started;
  supervisor.begin_case("passed");
  supervisor.end_case(true);
  supervisor.begin_case("running");
  trigger.pull();
  await_death(supervisor);
  supervisor.end_case(true);
  reports::CertifyResult result;
  hold_post_mortem(supervisor, never_played, nullptr, result);
  ASSERT_EQ(result.deaths.size(), 1U);
  EXPECT_THAT(result.deaths[0].conclusion, HasSubstr("was played again: "));
  EXPECT_THAT(result.deaths[0].conclusion, HasSubstr("in use"));
}

/// Plays the case, which goes on behind inputs that the process dies of.
void play_with_deadly_inputs(Supervisor& supervisor, const Trigger& trigger, unsigned inputs) {
  supervisor.begin_case("suite/behaviour/loop");
  for (unsigned input = 1; input <= inputs; ++input) {
    const std::size_t deaths = supervisor.deaths();
    trigger.pull();
    await_death(supervisor);
    supervisor.claim(deaths, fmt::format("input {}", input));
    ASSERT_TRUE(supervisor.revive());
  }
  supervisor.end_case(true);
}

reports::CaseResult played(const std::string& id, reports::Verdict verdict) {
  reports::CaseResult result;
  result.id = id;
  result.verdict = verdict;
  return result;
}

/// Has died several times, and says how long each process is left alone.
class LeftAlone : public FakeProcess {
 public:
  /// `hung`: whether those did that died after 0.1, 1, 0.5 and 2 s; `running`: the case that ran
  /// when the first of them did.
  LeftAlone(std::array<bool, 4> hung, Time lives, const std::string& running = {})
      : FakeProcess([] { return ProcessFigures(); }), lives_(lives) {
    for (std::size_t i = 0; const int lived : {100, 1000, 500, 2000})
      died_.push_back(of(hung[i++], lived));
    if (!running.empty()) died_.front().death.running = {running};
  }
  std::string end_within(Time vigil) override {
    vigils.push_back(vigil / 1'000'000);
    if (vigil < lives_) return {};
    died_.push_back(of(false, static_cast<int>(lives_ / 1'000'000)));
    return died_.back().death.how;
  }
  std::vector<Casualty> casualties() override { return died_; }

  std::vector<Time> vigils;  ///< ms

 private:
  static Casualty of(bool hung, int lived) {
    Casualty one;
    one.death.how = "exited with code 1";
    one.death.hung = hung;
    one.death.lived = std::chrono::milliseconds(lived);
    return one;
  }

  Time lives_;  ///< ns, when nobody asks anything
  std::vector<Casualty> died_;
};

TEST(PostMortem, LeavesTwoProcessesAloneAtMost) {
  constexpr Time forever = 3600 * second;
  constexpr std::array<std::array<bool, 4>, 3> hangs{
      {{}, {true, true, true, true}, {false, true, false, true}}};
  for (const auto& hung : hangs) {
    LeftAlone process(hung, forever);
    reports::CertifyResult result;
    result.cases.push_back(played("suite/passes", reports::Verdict::pass));
    hold_post_mortem(
        process, [&](const auto&) { return std::optional(result.cases.front()); }, nullptr, result);
    EXPECT_THAT(process.vigils, ElementsAre(1000, 5000));
    for (const reports::Death& death : result.deaths)
      EXPECT_NE(death.cause, reports::DeathCause::by_itself);
  }
}

/// A process that nobody can ask anything does not show that it would hang.
TEST(PostMortem, LeavesNoSecondProcessAloneForNothing) {
  LeftAlone process({true, true, true, true}, 3600 * second);
  reports::CertifyResult result;
  hold_post_mortem(process, never_played, nullptr, result);
  EXPECT_THAT(process.vigils, ElementsAre(1000));
  for (const reports::Death& death : result.deaths)
    EXPECT_NE(death.cause, reports::DeathCause::by_itself);
}

/// A death may make a case fail that ran beside it.
TEST(PostMortem, ConfirmsWhatFailsAloneAsItDidBefore) {
  for (const bool alike : {true, false}) {
    LeftAlone process({}, 3600 * second, "suite/fails");
    reports::CertifyResult result;
    result.cases.push_back(played("suite/fails", reports::Verdict::fail));
    result.cases[0].code = Code{.kind = Code::Kind::closed};
    auto alone = result.cases[0];
    if (!alike) alone.code = Code{.kind = Code::Kind::wrong_field};
    hold_post_mortem(
        process, [&](const auto&) { return std::optional(alone); }, nullptr, result);
    EXPECT_EQ(result.cases[0].code, alone.code);
    EXPECT_EQ(result.cases[0].repeated.played, alike ? 1U : 0U);
  }
}

/// The second process is left alone for longer than the dead one lived: what it does after that
/// says nothing.
TEST(PostMortem, KnowsAfterHowLongAProcessEndsByItself) {
  LeftAlone process({}, 4 * second);
  reports::CertifyResult result;
  hold_post_mortem(process, never_played, nullptr, result);
  EXPECT_THAT(process.vigils, ElementsAre(1000, 5000));
  std::vector<bool> by_itself;
  for (const reports::Death& death : result.deaths)
    by_itself.push_back(death.cause == reports::DeathCause::by_itself);
  EXPECT_THAT(by_itself, ElementsAre(false, false, false, true));
}

TEST(PostMortem, BelievesACaseThatKnowsWhichOfItsInputsKills) {
  const Trigger trigger;
  const auto supervisor = supervised(trigger.command("kill -ABRT $$"));
  ASSERT_NE(supervisor, nullptr);
  play_with_deadly_inputs(*supervisor, trigger, 2);
  reports::CertifyResult result;
  result.cases.emplace_back().id = "suite/behaviour/loop";
  result.cases[0].verdict = reports::Verdict::fail;
  result.cases[0].reason = "inputs 1, 2 kill the process";
  hold_post_mortem(*supervisor, never_played, nullptr, result);
  ASSERT_EQ(result.deaths.size(), 1U) << "the case tells of the others";
  EXPECT_EQ(result.deaths[0].cause, reports::DeathCause::one_case);
  EXPECT_EQ(result.deaths[0].killer, "suite/behaviour/loop");
  EXPECT_EQ(result.deaths[0].conclusion, "suite/behaviour/loop kills it: input 1");
  EXPECT_EQ(result.cases[0].repeated.failed, 1U) << "each input was tried again";
  EXPECT_EQ(result.cases[0].reason, "inputs 1, 2 kill the process");
  EXPECT_EQ(result.run_error, "");
}

TEST(PostMortem, BlamesTheCaseThatIsAboutTheInput) {
  const Trigger trigger;
  const auto supervisor = supervised(trigger.command("kill -ABRT $$"));
  ASSERT_NE(supervisor, nullptr);
  supervisor->begin_case("suite/behaviour/that-rests-on-it");
  trigger.pull();
  await_death(*supervisor);
  supervisor->claim(0, "a long value", "about/it");
  supervisor->end_case(true);
  reports::CertifyResult result;
  result.cases.emplace_back().id = "suite/behaviour/about/it";
  hold_post_mortem(*supervisor, never_played, nullptr, result);
  ASSERT_EQ(result.deaths.size(), 1U);
  EXPECT_EQ(result.deaths[0].killer, "suite/behaviour/about/it");
  EXPECT_EQ(result.run_error, "");
}

TEST(Supervisor, SuspectsNoCaseThatHadEndedOnceAnotherKnowsTheInput) {
  for (const bool is_claimed : {false, true}) {
    const Trigger trigger;
    const auto supervisor = supervised(trigger.command("kill -ABRT $$"));
    ASSERT_NE(supervisor, nullptr);
    supervisor->begin_case("over");
    supervisor->end_case(false);
    supervisor->begin_case("loop");
    trigger.pull();
    await_death(*supervisor);
    if (is_claimed) supervisor->claim(0, "input 1");
    const auto running = supervisor->casualties().front().death.running;
    EXPECT_EQ(std::ranges::count(running, "loop"), 1);
    EXPECT_EQ(std::ranges::count(running, "over"), is_claimed ? 0 : 1);
    supervisor->end_case(false);
  }
}

TEST(Supervisor, GoesOnAfterDeathsWhoseCauseIsKnown) {
  const Trigger trigger;
  const auto supervisor = supervised(trigger.command("kill -ABRT $$"));
  ASSERT_NE(supervisor, nullptr);
  play_with_deadly_inputs(*supervisor, trigger, Supervisor::most_deaths + 1);
  EXPECT_TRUE(supervisor->serving());
  EXPECT_EQ(supervisor->given_up(), "");
}

}  // namespace
}  // namespace hallmark::conformance::testing
