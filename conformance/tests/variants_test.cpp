#include "conformance/drivers/stream/variants.hpp"

#include <gmock/gmock.h>

#include "conformance/tests/fixture.hpp"
#include "protocol/codec/encode.hpp"
#include "protocol/dialects.hpp"

namespace hallmark::conformance::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;
using vectors::Expect;
using vectors::Expected;
using vectors::Match;
using vectors::Send;
using vectors::Vector;
using vectors::VectorFile;

protocol::Readings readings_with(std::initializer_list<protocol::When> answers) {
  protocol::Readings readings(protocol::throttr_7_1, protocol::Profile::deployed);
  for (const protocol::When& answer : answers)
    EXPECT_TRUE(readings.set(answer.reading, answer.answer));
  return readings;
}

/// A SET and a LIST as they are under those readings, which the vector names.
Vector set_and_list(const std::string& id, std::initializer_list<protocol::When> answers) {
  const WireFormat format(protocol::Width::u16, readings_with(answers));
  Vector vector;
  vector.id = id;
  for (const protocol::When& answer : answers)
    vector.readings.emplace(answer.reading, answer.answer);
  const Outgoing sent = encoded(format, set("k", "value"));
  vector.steps.push_back({"a", Send{"SET", set("k", "value").values, sent.bytes, {}}});
  Expected listed;
  listed.message = "LIST";
  vectors::FieldPattern group;
  group.field = "keys";
  group.match = Match::set_of;
  group.entries = {{{is("key", "k")}}};
  group.offset = 16;
  listed.fields = {group};
  protocol::Record values{{"fragments", std::vector<protocol::Record>{}}};
  if (answers.begin()->answer == std::string_view("yes")) {
    listed.fields.insert(listed.fields.begin(), is("status", 1));
    listed.fields.back().offset = 17;
    values.set("status", std::uint64_t{1});
  }
  listed.example = protocol::encode(format.reply(format.operation("LIST")), values).value();
  vector.steps.push_back({"a", Expect{{listed}}});
  return vector;
}

Vector deployed() {
  return set_and_list("throttr-7.1/u16/set/x",
                      {{"status-prefix", "yes"}, {"set-value-size", "value-width"}});
}
Vector literal() {
  return set_and_list("throttr-7.1/literal/u16/set/x",
                      {{"status-prefix", "no"}, {"set-value-size", "one-byte"}});
}

std::vector<VectorFile> files_of(std::vector<Vector> vectors) {
  VectorFile file;
  file.vectors = std::move(vectors);
  return {file};
}

std::vector<std::string> ids_of(const Variants& variants) {
  std::vector<std::string> ids;
  for (const auto& one : variants.playable) ids.push_back(one->id);
  return ids;
}

TEST(Variants, AreTheOnesWhoseReadingsTheFormatHas) {
  const auto files = files_of({deployed(), literal()});
  const WireFormat as_text(protocol::Width::u16, readings_with({{"status-prefix", "no"},
                                                                {"set-value-size", "one-byte"}}));
  EXPECT_THAT(ids_of(variants_for(files, format_u16())), ElementsAre("throttr-7.1/u16/set/x"));
  EXPECT_THAT(ids_of(variants_for(files, as_text)), ElementsAre("throttr-7.1/literal/u16/set/x"));
}

TEST(Variants, AreNeverTwoOfOneScenario) {
  Vector first = deployed();
  Vector second = literal();
  first.readings.clear();
  second.readings.clear();
  EXPECT_THAT(ids_of(variants_for(files_of({first, second}), format_u16())),
              ElementsAre("throttr-7.1/u16/set/x"));
}

TEST(Variants, AreLaidOutAnewWhereNoneFits) {
  const WireFormat mixed(protocol::Width::u16, readings_with({{"status-prefix", "no"}}));
  const Variants made = variants_for(files_of({deployed(), literal()}), mixed);
  EXPECT_THAT(made.left_out, IsEmpty());
  ASSERT_EQ(made.playable.size(), 1U);
  const Vector& vector = *made.playable.front();
  EXPECT_EQ(vector.readings.at("status-prefix"), "no");
  EXPECT_EQ(std::get<Send>(vector.steps[0].action).bytes, encoded(mixed, set("k", "value")).bytes);
  const Expected& listed = std::get<Expect>(vector.steps[1].action).any_of.front();
  ASSERT_EQ(listed.fields.size(), 1U);
  EXPECT_EQ(listed.fields.front().offset, 0U) << "where the first count stands";
  EXPECT_EQ(listed.example, base::Bytes(8, 0));
}

TEST(Variants, AreLeftOutWithTheAnswerThatTheyNeed) {
  Vector vector = deployed();
  vector.readings.emplace("ttl-left", "as-set");
  const Variants made = variants_for(files_of({vector}), format_u16());
  EXPECT_THAT(made.playable, IsEmpty());
  EXPECT_THAT(made.left_out, ElementsAre(Pair("ttl-left=as-set", 1)));
}

TEST(Adapted, GainsAStatusThatSaysSuccess) {
  const auto vector = adapted(literal(), format_u16());
  ASSERT_TRUE(vector);
  const Expected& listed = std::get<Expect>(vector->steps[1].action).any_of.front();
  ASSERT_EQ(listed.fields.size(), 2U);
  EXPECT_EQ(listed.fields.front().field, "status");
  EXPECT_EQ(listed.fields.front().value, vectors::Value(std::uint64_t{1}));
  EXPECT_EQ(listed.fields.back().offset, 1U) << "behind the status";
  EXPECT_EQ(listed.example, (base::Bytes{1, 0, 0, 0, 0, 0, 0, 0, 0}));
}

TEST(Adapted, FindsSubstitutedFieldsAgain) {
  Vector vector = deployed();
  auto& send = std::get<Send>(vector.steps[0].action);
  const Outgoing whole = encoded(format_u16(), set("k", "value"));
  send.substitutions = {{"value", whole.bytes.size() - 5, 5, "captured"}};
  const WireFormat other(protocol::Width::u16, readings_with({{"set-value-size", "one-byte"}}));
  const auto made = adapted(vector, other);
  ASSERT_TRUE(made);
  const auto& anew = std::get<Send>(made->steps[0].action);
  EXPECT_EQ(anew.substitutions.front().offset, whole.bytes.size() - 6);
  EXPECT_EQ(anew.substitutions.front().length, 5U);
}

TEST(Adapted, IsNothingWhereMoreThanLayoutsDiffers) {
  Vector behaves = deployed();
  behaves.readings.emplace("purge-missing", "accepted");
  EXPECT_FALSE(adapted(behaves, format_u16()));
  Vector answered = deployed();
  answered.readings.emplace("publish-reply", "status");
  EXPECT_FALSE(adapted(answered, format_u16()));
}

TEST(Adapted, IsNothingWhereARequestNeedsWhatItDoesNotHave) {
  Vector vector;
  vector.id = "throttr-7.1/u16/connection/x";
  vector.readings = {{"connection-id", "id"}};
  vector.steps.push_back({"a", Send{"CONNECTION", {{"id", base::Bytes(16, 1)}}, {}, {}}});
  const WireFormat by_index(protocol::Width::u16, readings_with({{"connection-id", "index"}}));
  EXPECT_FALSE(adapted(vector, by_index));
}

TEST(Adapted, IsNothingWhereAValueThatIsJudgedIsNotThere) {
  Vector vector;
  vector.id = "throttr-7.1/u16/whoami/x";
  vector.readings = {{"whoami", "id"}};
  Expected named;
  named.message = "WHOAMI";
  named.fields = {is("status", 1), any("id")};
  vector.steps = {{"a", Send{"WHOAMI", {}, {0x18}, {}}}, {"a", Expect{{named}}}};
  const WireFormat by_index(protocol::Width::u16, readings_with({{"whoami", "index"}}));
  EXPECT_FALSE(adapted(vector, by_index));
}

}  // namespace
}  // namespace hallmark::conformance::testing
