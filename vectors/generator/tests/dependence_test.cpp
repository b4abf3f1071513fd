#include "vectors/generator/dependence.hpp"

#include <gmock/gmock.h>

#include <random>

#include "protocol/dialects.hpp"
#include "vectors/generator/generator.hpp"
#include "vectors/generator/rehearsal.hpp"

namespace hallmark::vectors::generator {
namespace {

using protocol::Profile;
using protocol::Readings;
using protocol::Width;
using Answers = std::map<std::string, std::string>;

std::string legible(std::string_view text) {
  std::string name(text);
  std::ranges::replace_if(
      name, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

struct Row {
  const protocol::Dialect& dialect;
  Width width;
  Profile profile;
  std::string_view vector;
  Answers answers;
};

const std::pair<const std::string, std::string> rounded{"ttl-left", "left-rounded-down"};

const Row rows[] = {
    {protocol::throttr_7_1, Width::u16, Profile::deployed, "query/missing", {}},
    {protocol::throttr_7_1, Width::u16, Profile::deployed, "insert/typical", {rounded}},
    {protocol::throttr_7_1,
     Width::u16,
     Profile::deployed,
     "list/both-kinds",
     {{"set-value-size", "value-width"}, {"status-prefix", "yes"}}},
    // A width of one byte leaves no choice.
    {protocol::throttr_7_1,
     Width::u8,
     Profile::deployed,
     "list/both-kinds",
     {{"status-prefix", "yes"}}},
    {protocol::throttr_7_1,
     Width::u16,
     Profile::literal,
     "channels/subscribed",
     {{"channels-subscribers", "four-bytes"}, {"status-prefix", "no"}}},
    {protocol::throttr_7_1,
     Width::u16,
     Profile::literal,
     "connection/first",
     {{"connection-id", "index"}, {"connection-index", "from-0"}}},
    // A server that answers nothing has no say about the status.
    {protocol::throttr_7_1,
     Width::u16,
     Profile::deployed,
     "publish/nobody",
     {{"publish-reply", "none"}}},
    {protocol::throttr_7_3,
     Width::u16,
     Profile::deployed,
     "publish/nobody",
     {{"publish-nobody", "refused"}}},
    // The answers in the next rows make a difference only when time passes.
    {protocol::throttr_7_3,
     Width::u16,
     Profile::deployed,
     "update/ttl-patch-hours",
     {rounded, {"ttl-update", "unit-of-record-from-now"}}},
    {protocol::throttr_7_3,
     Width::u16,
     Profile::deployed,
     "insert/ttl-type-microseconds",
     {rounded, {"expired-when", "time-point"}}},
    {protocol::throttr_6_0,
     Width::u8,
     Profile::deployed,
     "set/value-255",
     {rounded, {"maximum-values", "valid"}}},
    {protocol::throttr_2_0,
     Width::u64,
     Profile::deployed,
     "query/in-flight",
     {rounded, {"reply-order", "request-order"}}},
    {protocol::throttr_2_0,
     Width::u64,
     Profile::deployed,
     "insert/pair-identity",
     {rounded, {"pair-identity", "pair"}}},
    {protocol::throttr_2_0,
     Width::u64,
     Profile::literal,
     "insert/existing",
     {rounded, {"insert-existing", "replaced"}}},
};

class Dependence : public ::testing::TestWithParam<Row> {};

TEST_P(Dependence, IsOnTheseAnswers) {
  const Row& row = GetParam();
  const Readings readings(row.dialect, row.profile);
  const auto vectors = rehearsed(row.width, readings, row.profile);
  ASSERT_TRUE(vectors.has_value()) << vectors.error().message;
  const auto found = std::ranges::find_if(*vectors, [&](const Vector& vector) {
    return vector.id.ends_with("/" + std::string(row.vector));
  });
  ASSERT_NE(found, vectors->end());
  EXPECT_EQ(dependence_of(*found, row.width, readings), row.answers);
}

INSTANTIATE_TEST_SUITE_P(Generator, Dependence, ::testing::ValuesIn(rows), [](const auto& row) {
  return legible(std::string(row.param.dialect.name) + "_" +
                 std::string(protocol::name_of(row.param.width)) + "_" +
                 std::string(protocol::name_of(row.param.profile)) + "_" +
                 std::string(row.param.vector));
});

class Dialects : public ::testing::TestWithParam<const protocol::Dialect*> {
 protected:
  /// The width that the properties are shown for.
  static Width width() {
    return GetParam()->widths.size() == 1 ? GetParam()->widths.front() : Width::u16;
  }
};

/// Answers drawn at random but for those that the vector names.
Readings answers_around(const Vector& vector, const Readings& written, std::mt19937_64& random) {
  Readings readings = written;
  for (const protocol::Reading& reading : written.dialect().readings) {
    if (vector.readings.contains(std::string(reading.id))) continue;
    const auto& answer = reading.answers[random() % reading.answers.size()];
    if (answer.served == protocol::Served::no) continue;
    EXPECT_TRUE(readings.set(reading.id, answer.id));
  }
  return readings;
}

/// Dependence is found by changing one answer at a time; servers differ in many.
TEST_P(Dialects, VectorsAreRightForEveryServerThatGivesTheAnswersTheyName) {
  constexpr int draws = 8;
  std::mt19937_64 random(1);
  const auto files = generate(*GetParam(), width());
  ASSERT_TRUE(files.has_value()) << files.error().message;
  for (const VectorFile& file : *files) {
    const Readings written(*GetParam(), file.profile);
    for (const Vector& vector : file.vectors) {
      for (int i = 0; i < draws; ++i) {
        const Readings served = answers_around(vector, written, random);
        EXPECT_TRUE(holds_under(vector, width(), written, served, usual_pace)) << vector.id;
      }
    }
  }
}

/// The scenarios say what follows from every answer, not only from those of the profiles: the model
/// has to agree. Vectors can say only "rounded down" of what is left of a TTL.
TEST_P(Dialects, ScenariosAndModelAgreeUnderEveryAnswer) {
  for (const protocol::Reading& reading : GetParam()->readings) {
    if (reading.id == "ttl-left") continue;
    for (const protocol::Answer& answer : reading.answers) {
      if (answer.served == protocol::Served::no) continue;
      Readings readings(*GetParam(), Profile::deployed);
      ASSERT_TRUE(readings.set(reading.id, answer.id));
      const auto vectors = rehearsed(width(), readings, Profile::deployed);
      EXPECT_TRUE(vectors.has_value())
          << reading.id << "=" << answer.id << ": " << vectors.error().message;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Generator, Dialects, ::testing::ValuesIn(protocol::throttr_dialects),
                         [](const auto& row) { return legible(row.param->name); });

}  // namespace
}  // namespace hallmark::vectors::generator
