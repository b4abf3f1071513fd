#include "conformance/record/recording_supervisor.hpp"

#include <gmock/gmock.h>

#include "conformance/record/played_supervisor.hpp"
#include "conformance/record/process_answers.hpp"

namespace hallmark::conformance::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

Casualty some_casualty() {
  Casualty casualty;
  casualty.death.how = "killed by signal 11 (Segmentation fault)";
  casualty.death.hung = true;
  casualty.death.at = std::chrono::nanoseconds(7);
  casualty.death.lived = std::chrono::nanoseconds(5);
  casualty.death.output = {"last \"words\""};
  casualty.death.running = {"throttr-7.1/u16/a"};
  reports::Exchange& exchange = casualty.death.last_sent.emplace_back();
  exchange.connection = "connection 1";
  exchange.bytes = {0, 255};
  casualty.before = {"throttr-7.1/u16/b"};
  return casualty;
}

TEST(ProcessAnswers, AreReadBack) {
  EXPECT_EQ(casualty_in(text_of(some_casualty())), some_casualty());
  const ProcessFigures figures{2, 14'123'008, 9, 3, 1'100'000'000, 1};
  EXPECT_EQ(figures_in(text_of(figures)), figures);
  for (const auto* const text : {"", "1 2 3", "1 2 3 4 5 6 7", "1 2 3 4 5 -6", "a 2 3 4 5 6"})
    EXPECT_FALSE(figures_in(text)) << text;
  for (const auto* const text : {"", "{}", R"({"death": {}, "before": []})"})
    EXPECT_FALSE(casualty_in(text)) << text;
}

/// A process that dies once, of the first case.
class Mortal : public Supervisor {
 public:
  Time now() const override { return 5; }
  base::Expected<void, std::string> renew() override {
    if (++generation_ > 2) return std::string("the run takes too long");
    return {};
  }
  void end_by(Time) override {}
  void set_reviving(bool) override {}
  unsigned generation() override { return generation_; }
  std::string given_up() override { return generation_ > 2 ? "it died" : ""; }
  void begin_case(const std::string&) override {}
  bool end_case(bool passed) override { return !passed; }
  Watched watch() override { return {nullptr, true}; }
  bool starved(const Watched&) override { return true; }
  bool stuck(const Watched&) override { return true; }
  void answered() override {}
  bool end_hung(const Watched&) override { return true; }
  bool has_died() override { return generation_ == 1; }
  bool is_gone() override { return generation_ == 1; }
  std::size_t deaths() override { return generation_; }
  bool last_hung() override { return generation_ == 2; }
  base::Expected<void, std::string> revive() override {
    if (generation_ > 1) return std::string("the run takes too long");
    return {};
  }
  void claim(std::size_t, const std::string&, std::string_view) override {}
  std::string end_within(Time) override { return "exited with code 3"; }
  ProcessFigures figures(Thoroughness) override { return {generation_, 100, 9, 3, 70}; }
  std::vector<Casualty> casualties() override {
    return std::vector<Casualty>(generation_, some_casualty());
  }
  std::size_t examined() override { return 1; }
  void set_examined() override {}

 private:
  unsigned generation_ = 1;
};

/// Asks all that a run may ask, in two parts.
std::vector<std::string> learned_from(Supervisor& supervisor,
                                      const std::function<void(std::string_view)>& begin_part) {
  std::vector<std::string> learned;
  const auto learn = [&](const auto& what) {
    if constexpr (std::is_convertible_v<decltype(what), std::string>)
      learned.push_back(what);
    else
      learned.push_back(std::to_string(what));
  };
  for (const auto* const part : {"first", "second"}) {
    begin_part(part);
    learn(supervisor.generation());
    learn(supervisor.has_died());
    learn(supervisor.end_case(false));
    const Watched watched = supervisor.watch();
    learn(watched.running);
    learn(supervisor.starved(watched));
    learn(supervisor.stuck(watched));
    learn(supervisor.end_hung(watched));
    learn(text_of(supervisor.measure()));
    const auto casualties = supervisor.casualties();
    learn(casualties.size());
    learn(casualties.empty() ? std::string() : casualties.back().death.how);
    learn(supervisor.examined());
    learn(supervisor.is_gone());
    learn(supervisor.deaths());
    learn(supervisor.last_hung());
    const auto revived = supervisor.revive();
    learn(revived ? "revived" : revived.error());
    learn(supervisor.end_within(3));
    const auto renewed = supervisor.renew();
    learn(renewed ? "renewed" : renewed.error());
    learn(supervisor.given_up());
  }
  const auto use = supervisor.use();
  learn(use ? use->memory : 0);
  return learned;
}

struct KeptParts : PartSink {
  std::vector<Part> parts;
  void take(Part part) override { parts.push_back(std::move(part)); }
};

struct Record {
  std::vector<Part> parts;
  std::vector<std::string> learned;
};

Record of_a_mortal() {
  KeptParts kept;
  Recorder recorder(kept);
  recorder.start(Links::of_part, 0);
  Mortal mortal;
  RecordingSupervisor recording(mortal, recorder);
  Record record;
  record.learned = learned_from(
      recording, [&](std::string_view part) { recorder.begin_part(part, mortal.now()); });
  recorder.finish();
  record.parts = std::move(kept.parts);
  return record;
}

std::vector<std::string> played(Playback& playback) {
  PlayedSupervisor supervisor(playback);
  return learned_from(supervisor, [&](std::string_view part) { playback.begin_part(part); });
}

TEST(RecordingSupervisor, KeepsWhatARunLearnsOfItsProcess) {
  const Record record = of_a_mortal();
  Playback playback(record.parts, Links::of_part);
  EXPECT_TRUE(playback.started_here());
  EXPECT_EQ(played(playback), record.learned);
  EXPECT_THAT(playback.finish(), IsEmpty());
}

TEST(RecordingSupervisor, OfNoProcessLeavesNothing) {
  const std::vector<Part> parts = {{"basis", 0, 0, {}}};
  EXPECT_FALSE(Playback(parts, Links::of_part).started_here());
}

/// Plays the record with one of its crossings changed.
std::vector<Divergence> played_without(std::string_view question,
                                       const std::function<void(Crossing&)>& change) {
  Record record = of_a_mortal();
  auto& crossings = record.parts.at(1).crossings;
  change(*std::ranges::find(crossings, question, &Crossing::name));
  Playback playback(record.parts, Links::of_part);
  played(playback);
  return playback.finish();
}

TEST(PlayedSupervisor, RefusesARecordThatTellsSomethingElse) {
  const auto garbage = [](Crossing& one) { one.bytes = Packed(base::as_bytes("{}")); };
  const auto renamed = [](Crossing& one) { one.name = "starved"; };
  const auto counted = [](Crossing& one) { one.number = 9; };
  const struct {
    std::string_view question;
    std::function<void(Crossing&)> change;
    std::string_view what;
  } rows[] = {
      {"casualty", garbage, "a death that is not written as one"},
      {"figures", garbage, "where the record has none"},
      {"casualties", counted, "counts other deaths"},
      {"died", renamed, "asks for the process (died) where the record does not"},
  };
  for (const auto& row : rows) {
    const auto divergences = played_without(row.question, row.change);
    ASSERT_FALSE(divergences.empty()) << row.question;
    EXPECT_EQ(divergences.front().part, "first");
    EXPECT_THAT(divergences.front().what, HasSubstr(row.what));
  }
}

}  // namespace
}  // namespace hallmark::conformance::testing
