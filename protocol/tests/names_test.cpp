#include "protocol/names.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>
#include <string>

#include "base/text.hpp"
#include "protocol/chosen.hpp"
#include "protocol/dialects.hpp"
#include "protocol/well_formed.hpp"

namespace hallmark::protocol {
namespace {

using Names = std::set<std::string, std::less<>>;

template <class Name>
std::vector<std::string> listed() {
  std::vector<std::string> all;
  Name::for_each([&](Name each) { all.emplace_back(each); });
  return all;
}

void note_fields(std::span<const Field> fields, Names& into) {
  for (const Field& field : fields) {
    if (!is_named_as_spelled(field)) into.emplace(field.name);
    if (const auto* const group = field.as<kinds::Group>()) {
      note_fields(group->head, into);
      note_fields(group->tail, into);
    }
  }
}

void note_fields(const Message& message, Names& into) {
  note_fields(message.fields, into);
  note_fields(message.on_success, into);
}

Names fields_of_all() {
  Names all;
  for (const Dialect* const dialect : all_dialects) {
    for (const Operation& one : dialect->operations) {
      note_fields(one.request, all);
      note_fields(one.reply, all);
    }
    for (const Push& one : dialect->pushes) note_fields(one.message, all);
    for (const Format& one : dialect->formats) note_fields(one.message, all);
  }
  return all;
}

Names messages_of_all() {
  Names all;
  for (const Dialect* const dialect : all_dialects) {
    for (const Operation& one : dialect->operations) all.emplace(one.name);
    for (const Push& one : dialect->pushes) all.emplace(one.name);
    for (const Format& one : dialect->formats) all.emplace(one.name);
  }
  return all;
}

/// The readings of all dialects as `reading=answer`, one for each answer.
Names answers_of_all() {
  Names all;
  for (const Dialect* const dialect : all_dialects) {
    for (const Reading& one : dialect->readings) {
      for (const Answer& answer : one.answers)
        all.insert(std::string(one.id) + "=" + std::string(answer.id));
    }
  }
  return all;
}

/// The answers as the vocabulary lists them.
Names listed_answers() {
  Names all;
  const std::string_view list = ReadingNames::pass_to([](const char* text) { return text; });
  for (const std::string_view entry : base::split(list.substr(list.find(':') + 1), ',')) {
    const auto parts = base::split(entry.substr(1), '=');
    for (const std::string_view answer : base::split(parts.back(), '|'))
      all.insert(std::string(parts.front()) + "=" + std::string(answer));
  }
  return all;
}

TEST(Names, AreTheFieldsOfTheDialects) {
  EXPECT_THAT(listed<FieldName>(), ::testing::ElementsAreArray(fields_of_all()));
}

TEST(Names, AreTheMessagesOfTheDialects) {
  EXPECT_THAT(listed<MessageName>(), ::testing::ElementsAreArray(messages_of_all()));
}

TEST(Names, AreTheReadingsOfTheDialectsWithTheirAnswers) {
  EXPECT_THAT(listed_answers(), ::testing::ElementsAreArray(answers_of_all()));
}

TEST(Names, AreInTheOrderOfTheAlphabet) {
  EXPECT_TRUE(std::ranges::is_sorted(listed<ReadingName>()));
}

template <class Name>
class Vocabulary : public ::testing::Test {};

using Vocabularies = ::testing::Types<FieldName, MessageName, ReadingName>;
TYPED_TEST_SUITE(Vocabulary, Vocabularies);

TYPED_TEST(Vocabulary, HasEachOfItsNames) {
  for (const std::string& name : listed<TypeParam>()) {
    EXPECT_TRUE(TypeParam::exists(name.c_str())) << name;
    EXPECT_EQ(TypeParam::find(name), TypeParam::unchecked(name)) << name;
  }
}

TYPED_TEST(Vocabulary, HasNothingElse) {
  for (const std::string& name : listed<TypeParam>()) {
    for (const std::string& other : {name + "x", "x" + name, name.substr(1), name + ", "}) {
      const auto all = listed<TypeParam>();
      if (std::ranges::find(all, other) != all.end()) continue;
      EXPECT_FALSE(TypeParam::exists(other.c_str())) << other;
      EXPECT_FALSE(TypeParam::find(other)) << other;
    }
  }
  EXPECT_FALSE(TypeParam::exists(""));
}

TEST(Chosen, ExistsForAnAnswerOfItsReadingOnly) {
  EXPECT_TRUE(Chosen::exists("ttl-zero", "forever"));
  EXPECT_FALSE(Chosen::exists("ttl-zero", "saturated"));
  EXPECT_FALSE(Chosen::exists("ttl-zero", "for"));
  EXPECT_FALSE(Chosen::exists("ttl-zero", ""));
  EXPECT_FALSE(Chosen::exists("ttl", "expired"));
}

}  // namespace
}  // namespace hallmark::protocol
