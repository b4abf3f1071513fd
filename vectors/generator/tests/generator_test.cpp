#include "vectors/generator/generator.hpp"
#include "protocol/text/state.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <set>

#include "base/hex.hpp"
#include "protocol/dialects.hpp"
#include "protocol/little_endian.hpp"
#include "vectors/format/match.hpp"

namespace hallmark::vectors::generator {
namespace {

using protocol::Profile;

struct Shelf {
  const protocol::Dialect* dialect;
  protocol::Width width;
};

std::vector<Shelf> shelves() {
  std::vector<Shelf> all;
  for (const auto* const dialect : protocol::throttr_dialects) {
    for (const protocol::Width width : dialect->widths) all.push_back({dialect, width});
  }
  return all;
}

std::string name_of(const Shelf& shelf) {
  std::string name =
      std::string(shelf.dialect->name) + "_" + std::string(protocol::name_of(shelf.width));
  std::ranges::replace_if(
      name, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

class Shelves : public ::testing::TestWithParam<Shelf> {
 protected:
  static std::vector<VectorFile> files() {
    auto result = generate(*GetParam().dialect, GetParam().width);
    EXPECT_TRUE(result.has_value()) << result.error().message;
    return std::move(result.value());
  }

  /// All vectors of both profiles.
  static std::vector<Vector> vectors() {
    std::vector<Vector> all;
    for (const Profile profile : {Profile::deployed, Profile::literal}) {
      auto of_profile = rehearsed(GetParam().width, readings(profile), profile);
      EXPECT_TRUE(of_profile.has_value()) << of_profile.error().message;
      std::ranges::move(*of_profile, std::back_inserter(all));
    }
    return all;
  }

  static protocol::Readings readings(Profile profile) { return {*GetParam().dialect, profile}; }

  static std::string prefix(Profile profile) {
    return std::string(GetParam().dialect->name) +
           (profile == Profile::literal ? "/literal/" : "/") +
           std::string(protocol::name_of(GetParam().width)) + "/";
  }
};

/// The part of an id that both profiles share.
std::string scenario_of(const Vector& vector) {
  return vector.id.substr(vector.id.rfind('/', vector.id.rfind('/') - 1) + 1);
}

bool agrees(const Vector& vector, const protocol::Readings& readings) {
  return std::ranges::all_of(vector.readings, [&](const auto& answer) {
    return readings.answer_called(answer.first) == answer.second;
  });
}

TEST_P(Shelves, EveryOperationHasVectors) {
  std::set<std::string> operations;
  for (const Vector& vector : vectors()) operations.insert(vector.operation);
  for (const protocol::Operation& operation : GetParam().dialect->operations) {
    EXPECT_TRUE(operations.contains(std::string(operation.name))) << operation.name;
  }
}

TEST_P(Shelves, IdsAreUnique) {
  std::set<std::string> ids;
  for (const Vector& vector : vectors()) EXPECT_TRUE(ids.insert(vector.id).second) << vector.id;
  EXPECT_TRUE(ids.contains(prefix(Profile::deployed) + "insert/typical"));
}

/// A server of either profile finds one vector of each scenario that is made for it.
TEST_P(Shelves, OfBothProfilesOneVectorOfAScenarioIsRightForEach) {
  const protocol::Readings literal = readings(Profile::literal);
  std::set<std::string> right_for_both;
  std::set<std::string> literal_only;
  for (const VectorFile& file : files()) {
    for (const Vector& vector : file.vectors) {
      EXPECT_TRUE(agrees(vector, readings(file.profile))) << vector.id;
      EXPECT_TRUE(vector.id.starts_with(prefix(file.profile))) << vector.id;
      if (file.profile == Profile::literal) {
        literal_only.insert(scenario_of(vector));
      } else if (agrees(vector, literal)) {
        right_for_both.insert(scenario_of(vector));
      }
    }
  }
  for (const std::string& name : literal_only) EXPECT_FALSE(right_for_both.contains(name)) << name;
  const auto all = rehearsed(GetParam().width, literal, Profile::literal);
  ASSERT_TRUE(all.has_value()) << all.error().message;
  EXPECT_EQ(right_for_both.size() + literal_only.size(), all->size());
}

std::string text_of(const Record& key) {
  std::string text;
  for (const auto& [field, value] : key.fields())
    text += field + "=" + base::to_hex(std::get<Bytes>(value)) + " ";
  return text;
}

/// Vectors run in parallel: only names that leave no choice may be shared.
TEST_P(Shelves, KeysBelongToOneVector) {
  std::map<std::string, std::string> owner;
  for (const Vector& vector : vectors()) {
    const bool shares = std::ranges::any_of(
        vector.flags, [](const std::string& f) { return f.ends_with("-name"); });
    for (const Record& key : vector.keys) {
      const auto [other, fresh] = owner.emplace(text_of(key), scenario_of(vector));
      EXPECT_TRUE(fresh || shares || other->second == scenario_of(vector))
          << vector.id << " and " << other->second;
    }
  }
}

template <class Visit>
void for_each_expected(const std::vector<Vector>& vectors, const Visit& visit) {
  for (const Vector& vector : vectors) {
    for (const Step& step : vector.steps) {
      const auto* const expect = std::get_if<Expect>(&step.action);
      if (expect == nullptr) continue;
      for (const Expected& expected : expect->any_of) visit(vector, expected);
    }
  }
}

TEST_P(Shelves, ExamplesAreWholeMessagesAndPlacesLieInside) {
  for_each_expected(vectors(), [](const Vector& vector, const Expected& expected) {
    EXPECT_FALSE(expected.example.empty()) << vector.id;
    for (const FieldPattern& field : expected.fields) {
      EXPECT_LE(field.offset + field.length, expected.example.size())
          << vector.id << " " << field.field;
      EXPECT_GT(field.length + (field.match == Match::set_of || field.match == Match::equals), 0U)
          << vector.id << " " << field.field;
    }
  });
}

struct Boundaries {
  std::set<std::uint64_t> quotas;
  std::set<std::uint64_t> ttls;
  std::set<std::size_t> names;
  std::set<std::size_t> values;
};

void note_sizes(const Send& send, Boundaries& boundaries) {
  if (send.operation == "INSERT") {
    boundaries.quotas.insert(send.fields.number("quota"));
    boundaries.ttls.insert(send.fields.number("ttl"));
  }
  for (const protocol::FieldName field :
       std::initializer_list<protocol::FieldName>{"key", "consumer_id", "resource_id"}) {
    if (const Value* name = send.fields.find(field))
      boundaries.names.insert(std::get<Bytes>(*name).size());
  }
  if (const Value* value = send.fields.find("value"); send.operation == "SET") {
    boundaries.values.insert(std::get<Bytes>(*value).size());
  }
}

TEST_P(Shelves, BoundariesAreThere) {
  Boundaries boundaries;
  for (const Vector& vector : vectors()) {
    for (const Step& step : vector.steps) {
      if (const auto* const send = std::get_if<Send>(&step.action)) note_sizes(*send, boundaries);
    }
  }
  const std::uint64_t max = protocol::max_of_width(protocol::bytes_of(GetParam().width));
  for (const std::uint64_t n : {std::uint64_t{0}, std::uint64_t{1}, max})
    EXPECT_TRUE(boundaries.quotas.contains(n)) << n;
  for (const std::uint64_t n : {std::uint64_t{0}, max})
    EXPECT_TRUE(boundaries.ttls.contains(n)) << n;
  for (const std::size_t n : {0U, 1U, 255U}) EXPECT_TRUE(boundaries.names.contains(n)) << n;
  if (protocol::find_operation(*GetParam().dialect, "SET") == nullptr) return;
  for (const std::size_t n : {0U, 1U, 255U, 65'535U, 70'000U})
    EXPECT_EQ(boundaries.values.contains(n), n <= max) << n;
}

/// If requests have ids, every reply is expected to repeat the id of its request.
TEST_P(Shelves, EveryReplyBringsItsRequestsIdBack) {
  if (GetParam().dialect != &protocol::throttr_2_0) return;
  for_each_expected(vectors(), [](const Vector& vector, const Expected& expected) {
    ASSERT_FALSE(expected.fields.empty());
    EXPECT_EQ(expected.fields.front().field, "request_id") << vector.id;
    EXPECT_EQ(expected.fields.front().match, Match::equals) << vector.id;
  });
}

/// Those that are about several fragments.
TEST_P(Shelves, ListingsOfManyKeysTakeSeveralFragments) {
  for_each_expected(vectors(), [](const Vector& vector, const Expected& expected) {
    if (vector.id.find("/fragments") == std::string::npos || expected.message == "INSERT") return;
    const bool literal = vector.id.find("/literal/") != std::string::npos;
    const protocol::Readings answers(*GetParam().dialect,
                                     literal ? Profile::literal : Profile::deployed);
    const auto layout = layout_of(expected, GetParam().width, answers);
    const auto message = protocol::decode(*layout, expected.example);
    ASSERT_TRUE(message.has_value()) << vector.id;
    const auto* const fragments = message->find("fragments");
    ASSERT_NE(fragments, nullptr) << vector.id;
    EXPECT_GE(std::get<std::vector<Record>>(*fragments).size(), 3U) << vector.id;
  });
}

INSTANTIATE_TEST_SUITE_P(Generator, Shelves, ::testing::ValuesIn(shelves()),
                         [](const auto& row) { return name_of(row.param); });

std::size_t literal_files(const std::map<std::string, std::string>& texts, const char* dialect) {
  const std::string prefix = std::string(dialect) + "/literal/";
  return static_cast<std::size_t>(std::ranges::count_if(
      texts, [&](const auto& text) { return text.first.starts_with(prefix); }));
}

TEST(GenerateAll, NamesAFileForEachOperationAndProfileThatDiffers) {
  const auto texts = generate_all();
  ASSERT_TRUE(texts.has_value()) << texts.error().message;
  EXPECT_TRUE(texts->contains("throttr-7.1/unsubscribe.json"));
  EXPECT_TRUE(texts->contains("throttr-7.1/literal/publish.json"));
  EXPECT_TRUE(texts->contains("throttr-2.0/literal/insert.json"));
  EXPECT_EQ(literal_files(*texts, "throttr-2.0"), 1U);
  // The profiles of 7.3 are alike: no document says anything else than its servers.
  EXPECT_EQ(literal_files(*texts, "throttr-7.3"), 0U);
  std::size_t files = 0;
  for (const auto* const dialect : protocol::all_dialects) {
    files += dialect->operations.size() + literal_files(*texts, std::string(dialect->name).c_str());
    files += protocol::state::strategies(*dialect).size();
    for (const char* const folder : {"layouts", "invalid"}) {
      EXPECT_TRUE(texts->contains(fmt::format("{}/{}.json", folder, dialect->name))) << folder;
      ++files;
    }
  }
  EXPECT_EQ(texts->size(), files);
}

/// People read them, and every difference in them.
TEST(GenerateAll, IsSmallEnoughToRead) {
  const auto texts = generate_all();
  ASSERT_TRUE(texts.has_value()) << texts.error().message;
  std::size_t bytes = 0;
  std::size_t lines = 0;
  for (const auto& [path, text] : *texts) {
    bytes += text.size();
    lines += static_cast<std::size_t>(std::ranges::count(text, '\n'));
  }
  EXPECT_LT(bytes, 4'000'000U);
  EXPECT_LT(lines, 40'000U);
}

}  // namespace
}  // namespace hallmark::vectors::generator
