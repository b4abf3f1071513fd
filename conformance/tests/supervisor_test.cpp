#include "conformance/supervisor.hpp"

#include <gmock/gmock.h>
#include <unistd.h>

#include "base/descriptor.hpp"
#include "base/tests/temporary_directory.hpp"
#include "conformance/clock.hpp"
#include "conformance/output_tail.hpp"
#include "conformance/post_mortem.hpp"

namespace hallmark::conformance::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr Time second = 1'000'000'000;

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
std::unique_ptr<Supervisor> supervised(const std::string& command) {
  Supervisor::Transport transport;
  transport.await = [](Process&, Time) { return boost::system::result<void, std::string>(); };
  transport.refuses = [](std::uint16_t) { return true; };
  auto started = Supervisor::start(command, second, std::move(transport));
  return started ? std::move(*started) : nullptr;
}

void await_death(Supervisor& supervisor) {
  ASSERT_NE(supervisor.end_within(10 * second), "");
  ASSERT_TRUE(supervisor.has_died());
}

TEST(Supervisor, TellsHowItDiedWhichCasesRanAndWhatWasSentLast) {
  const auto supervisor = supervised("sh -c 'echo going; kill -SEGV $$' {port}");
  ASSERT_NE(supervisor, nullptr);
  const auto connection = supervisor->opened(1);
  supervisor->sent(connection, protocol::as_bytes("abc"));
  supervisor->begin_case("case");
  EXPECT_TRUE(supervisor->end_case(false) || supervisor->has_died());
  await_death(*supervisor);
  const auto casualties = supervisor->casualties();
  ASSERT_GE(casualties.size(), 1U);
  const reports::Death& death = casualties.front().death;
  EXPECT_THAT(death.how, HasSubstr("killed by signal 11"));
  EXPECT_THAT(death.output, ElementsAre("going"));
  EXPECT_LE(supervisor->casualties().size(), Supervisor::most_deaths);
}

TEST(Supervisor, StartsItAfreshSoManyTimesAndNoMore) {
  const auto supervisor = supervised("sh -c 'exit 3' {port}");
  ASSERT_NE(supervisor, nullptr);
  for (unsigned i = 1; i <= Supervisor::most_deaths; ++i) {
    await_death(*supervisor);
    EXPECT_EQ(static_cast<bool>(supervisor->serving()), i < Supervisor::most_deaths) << i;
  }
  EXPECT_EQ(supervisor->given_up(), "the target died 10 times");
  EXPECT_EQ(supervisor->generation(), Supervisor::most_deaths);
}

TEST(Supervisor, WhatIsStartedAfreshOutlivesTheThreadThatAskedForIt) {
  const auto supervisor = supervised("sh -c 'sleep 1000' {port}");
  ASSERT_NE(supervisor, nullptr);
  std::jthread([&] { EXPECT_TRUE(supervisor->renew()); }).join();
  constexpr Time while_after = 100'000'000;
  EXPECT_EQ(supervisor->end_within(while_after), "");
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
  for (unsigned i = 1; i <= Supervisor::most_deaths; ++i) {
    await_death(*supervisor);
    static_cast<void>(supervisor->serving());
  }
  EXPECT_TRUE(supervisor->renew());
  EXPECT_EQ(supervisor->given_up(), "");
}

TEST(PostMortem, TellsATargetThatEndsByItselfFromOneThatACaseKills) {
  // One that ended before the case began would be started afresh, and that is a death more.
  const auto supervisor = supervised("sh -c 'sleep 1; exit 3' {port}");
  ASSERT_NE(supervisor, nullptr);
  supervisor->begin_case("a");
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

/// A file that a case of the test makes, and that the target waits for.
class Trigger {
 public:
  std::string path() const { return directory_ / "pull"; }
  void pull() const { directory_.write("pull", ""); }
  /// Dies, and removes the file, when it is there.
  std::string command() const {
    return "sh -c 'while [ ! -e " + path() + " ]; do sleep 0.01; done; rm " + path() +
           "; kill -ABRT $$' {port}";
  }

 private:
  base::test::TemporaryDirectory directory_;
};

TEST(PostMortem, NamesTheCaseThatKillsItAlone) {
  const Trigger trigger;
  const auto supervisor = supervised(trigger.command());
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
        return std::optional(alone);
      },
      nullptr, result);
  ASSERT_EQ(result.deaths.size(), 1U);
  EXPECT_EQ(result.deaths[0].cause, reports::DeathCause::one_case);
  EXPECT_EQ(result.deaths[0].killer, "killer");
  EXPECT_EQ(result.cases[0].verdict, reports::Verdict::fail);
  EXPECT_THAT(result.cases[0].reason, HasSubstr("the target died of it: killed by signal 6"));
  EXPECT_EQ(result.run_error, "");
}

TEST(PostMortem, SaysWhenNoCaseKillsItAlone) {
  const Trigger trigger;
  const auto supervisor = supervised(trigger.command());
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
  EXPECT_THAT(result.run_error, HasSubstr("none of the 1 case that ran then kills it alone"));
}

}  // namespace
}  // namespace hallmark::conformance::testing
