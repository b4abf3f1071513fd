#include "conformance/record/playback.hpp"

#include <gmock/gmock.h>

#include "conformance/identify/tests/test_network.hpp"
#include "conformance/record/played_network.hpp"
#include "conformance/record/recording_network.hpp"

namespace hallmark::conformance::testing {
namespace {

using base::Bytes;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using Kind = Crossing::Kind;

struct Kept : PartSink {
  std::vector<Part> parts;
  void take(Part part) override { parts.push_back(std::move(part)); }
};

/// Answers each segment with itself, and ends the connection at an empty key.
Stranger echo() {
  return Stranger([](base::ByteView segment) -> Stranger::Answer {
    return {{segment.begin(), segment.end()}, segment.front() == 0};
  });
}

/// Does what a case might do, in two parts. `last`: the byte that it sends last.
void talk(Network& network, std::vector<std::uint64_t>& learned, std::uint8_t last) {
  network.begin_part("first");
  learned.push_back(network.shared(Shared::serial, 5));
  learned.push_back(network.shared(Shared::curtailed, 40));
  if (const auto link = network.connect(network.now() + 10)) {
    (*link)->send(Bytes{1, 2}, network.now() + 10);
    Bytes heard;
    (*link)->receive(heard, network.now() + 1'000);
    network.judged("echo", heard);
    learned.insert(learned.end(), heard.begin(), heard.end());
    learned.push_back(network.now());
  }
  network.wait_until(network.now() + 500);
  learned.push_back(network.shared(Shared::curtailed, 40));
  network.begin_part("second");
  if (const auto link = network.connect(network.now() + 10)) {
    (*link)->send(Bytes{last}, network.now() + 10);
    Bytes heard;
    (*link)->receive(heard, network.now() + 1'000);
    learned.push_back(static_cast<std::uint64_t>((*link)->receive(heard, network.now() + 1'000)));
    learned.push_back(network.shared(Shared::curtailed, 0));
  }
}

std::vector<std::uint64_t> talk(Network& network, std::uint8_t last = 0) {
  std::vector<std::uint64_t> learned;
  talk(network, learned, last);
  return learned;
}

struct Recorded {
  std::vector<Part> parts;
  std::vector<std::uint64_t> learned;
};

Recorded recorded() {
  Stranger target = echo();
  TestNetwork network(target);
  Kept kept;
  Recorder recorder(kept);
  RecordingNetwork recording(network, recorder);
  Recorded made;
  made.learned = talk(recording);
  recorder.finish();
  made.parts = std::move(kept.parts);
  return made;
}

std::vector<Divergence> played(const std::vector<Part>& parts, std::uint8_t last = 0) {
  Playback playback(parts, Links::of_part);
  PlayedNetwork network(playback);
  talk(network, last);
  return playback.finish();
}

TEST(Playback, TellsACaseTheSameAgain) {
  const Recorded run = recorded();
  Playback playback(run.parts, Links::of_part);
  PlayedNetwork network(playback);
  std::vector<std::uint64_t> learned = talk(network);
  // Times are counted from the beginning of the run.
  learned[4] += 1'000'000'000;
  EXPECT_EQ(learned, run.learned);
  EXPECT_THAT(playback.finish(), IsEmpty());
}

TEST(Playback, KeepsEveryPartInItsOrder) {
  const Recorded run = recorded();
  ASSERT_THAT(run.parts, SizeIs(3));
  EXPECT_EQ(run.parts[0].name, "basis");
  EXPECT_EQ(run.parts[1].name, "first");
  EXPECT_EQ(run.parts[2].name, "second");
  std::vector<Kind> kinds;
  for (const Crossing& one : run.parts[1].crossings) kinds.push_back(one.kind);
  EXPECT_THAT(kinds, ::testing::ElementsAre(Kind::shared, Kind::shared, Kind::open, Kind::send,
                                            Kind::receive, Kind::judged, Kind::close, Kind::wait));
  EXPECT_EQ(run.parts[2].crossings.front().link, 1U) << "connections are counted anew";
}

TEST(Playback, NamesWhatIsSentOtherwise) {
  const auto divergences = played(recorded().parts, 9);
  ASSERT_THAT(divergences, SizeIs(1));
  EXPECT_EQ(divergences.front().part, "second");
  EXPECT_EQ(divergences.front().at, 2U);
  EXPECT_THAT(divergences.front().what, HasSubstr("sends 1 bytes where the record has 1"));
}

TEST(Playback, NamesAPartThatHasNoRecordAndOneThatIsNotPlayed) {
  auto parts = recorded().parts;
  parts[1].name = "other";
  const auto divergences = played(parts);
  ASSERT_THAT(divergences, SizeIs(2));
  EXPECT_EQ(divergences[0].part, "first");
  EXPECT_EQ(divergences[0].what, "has no transcript");
  EXPECT_EQ(divergences[1].part, "other");
  EXPECT_EQ(divergences[1].what, "was recorded and is not played");
}

/// Whatever is changed in a record, the part that it is in no longer fits; nothing hangs.
TEST(Playback, NoticesEveryCrossingThatIsMissingDoubledOrChanged) {
  const std::vector<Part> original = recorded().parts;
  for (std::size_t p = 1; p < original.size(); ++p) {
    for (std::size_t c = 0; c < original[p].crossings.size(); ++c) {
      const auto changed = [&](const auto& change) {
        std::vector<Part> parts = original;
        change(parts[p].crossings, static_cast<std::ptrdiff_t>(c));
        return played(parts);
      };
      using Crossings = std::vector<Crossing>;
      const auto removed = changed([](Crossings& all, auto at) { all.erase(all.begin() + at); });
      const auto doubled = changed(
          [](Crossings& all, auto at) { all.insert(all.begin() + at, all[std::size_t(at)]); });
      const auto later = changed([](Crossings& all, auto at) { ++all[std::size_t(at)].took; });
      const auto cut =
          changed([](Crossings& all, auto at) { all.erase(all.begin() + at, all.end()); });
      const std::string_view kind = name_of(original[p].crossings[c].kind);
      // The test depends on none of these numbers.
      const Shared what = original[p].crossings[c].what;
      const bool without_effect = what == Shared::curtailed ||
                                  what == Shared::curtailed_deliveries ||
                                  what == Shared::curtailed_farewells;
      EXPECT_EQ(removed.empty(), without_effect) << p << " " << c << " " << kind;
      EXPECT_FALSE(doubled.empty()) << p << " " << c << " " << kind;
      EXPECT_FALSE(later.empty()) << p << " " << c << " " << kind;
      EXPECT_FALSE(cut.empty()) << p << " " << c << " " << kind;
    }
  }
}

TEST(Playback, OfATargetThatIsDeadLetsAllTimePass) {
  Playback playback({}, Links::of_part);
  PlayedNetwork network(playback);
  network.begin_part("none");
  EXPECT_FALSE(network.connect(1'000));
  EXPECT_GE(network.now(), 1'000U);
  network.wait_until(5'000);
  EXPECT_GE(network.now(), 5'000U);
  const Time before = network.now();
  EXPECT_GT(network.now(), before) << "a loop that looks at the clock alone ends";
}

TEST(Recorder, TellsANumberThatIsSharedAnewOnlyBehindACrossing) {
  Stranger target = echo();
  TestNetwork network(target);
  Kept kept;
  Recorder recorder(kept);
  RecordingNetwork recording(network, recorder);
  EXPECT_EQ(recording.shared(Shared::curtailed, 0), 0U);
  EXPECT_EQ(recording.shared(Shared::curtailed, 90), 0U);
  EXPECT_EQ(recording.shared(Shared::serial, 1), 1U);
  EXPECT_EQ(recording.shared(Shared::serial, 2), 2U);
  recording.wait_until(recording.now() + 1);
  EXPECT_EQ(recording.shared(Shared::curtailed, 90), 90U);
  EXPECT_EQ(recording.shared(Shared::curtailed, 80), 90U);
}

}  // namespace
}  // namespace hallmark::conformance::testing
