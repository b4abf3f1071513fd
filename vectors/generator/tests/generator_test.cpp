#include "vectors/generator/generator.hpp"

#include <gmock/gmock.h>

#include <set>

#include "reference/protocol/dialects/throttr_7_1.hpp"
#include "vectors/generator/rehearsal.hpp"
#include "vectors/generator/suite.hpp"

namespace hallmark::vectors::generator {
namespace {

using ::testing::HasSubstr;

const protocol::Readings deployed(protocol::throttr_7_1, protocol::Profile::deployed);

class Widths : public ::testing::TestWithParam<protocol::Width> {
 protected:
  static std::vector<VectorFile> files() {
    auto result = generate(protocol::throttr_7_1, GetParam(), protocol::Profile::deployed);
    EXPECT_TRUE(result.has_value()) << result.error().message;
    return std::move(result.value());
  }
};

TEST_P(Widths, EveryOperationHasVectors) {
  const auto all = files();
  std::set<std::string> operations;
  for (const VectorFile& file : all) operations.insert(file.operation);
  for (const protocol::Operation& operation : protocol::throttr_7_1.operations) {
    EXPECT_TRUE(operations.contains(std::string(operation.name))) << operation.name;
  }
}

TEST_P(Widths, IdsAreUniqueAndStable) {
  const auto all = files();
  std::set<std::string> ids;
  for (const VectorFile& file : all) {
    for (const Vector& vector : file.vectors)
      EXPECT_TRUE(ids.insert(vector.id).second) << vector.id;
  }
  EXPECT_TRUE(ids.contains("throttr-7.1/" + std::string(protocol::name_of(GetParam())) +
                           "/insert/typical"));
}

/// Vectors run in parallel: only names that leave no choice may be shared.
TEST_P(Widths, KeysBelongToOneVector) {
  const auto all = files();
  std::map<Bytes, std::string> owner;
  for (const VectorFile& file : all) {
    for (const Vector& vector : file.vectors) {
      const bool shares = std::ranges::any_of(
          vector.flags, [](const std::string& f) { return f.ends_with("-name"); });
      for (const Bytes& key : vector.keys) {
        const bool fresh = owner.emplace(key, vector.id).second;
        EXPECT_TRUE(fresh || shares) << vector.id << " and " << owner[key];
      }
    }
  }
}

TEST_P(Widths, ExamplesAreWholeMessagesAndPlacesLieInside) {
  for (const VectorFile& file : files()) {
    for (const Vector& vector : file.vectors) {
      for (const Step& step : vector.steps) {
        const auto* const expect = std::get_if<Expect>(&step.action);
        if (expect == nullptr) continue;
        for (const Expected& expected : expect->any_of) {
          EXPECT_FALSE(expected.example.empty()) << vector.id;
          for (const FieldPattern& field : expected.fields) {
            EXPECT_LE(field.offset + field.length, expected.example.size())
                << vector.id << " " << field.field;
          }
        }
      }
    }
  }
}

TEST_P(Widths, BoundariesAreThere) {
  std::set<std::uint64_t> quotas;
  std::set<std::uint64_t> ttls;
  std::set<std::size_t> keys;
  std::set<std::size_t> values;
  for (const VectorFile& file : files()) {
    for (const Vector& vector : file.vectors) {
      for (const Step& step : vector.steps) {
        const auto* const send = std::get_if<Send>(&step.action);
        if (send == nullptr) continue;
        if (send->operation == "INSERT") quotas.insert(send->fields.number("quota"));
        if (send->operation == "INSERT") ttls.insert(send->fields.number("ttl"));
        if (const Value* key = send->fields.find("key")) keys.insert(std::get<Bytes>(*key).size());
        if (const Value* value = send->fields.find("value"); send->operation == "SET") {
          values.insert(std::get<Bytes>(*value).size());
        }
      }
    }
  }
  const std::uint64_t max = protocol::max_of_width(protocol::bytes_of(GetParam()));
  for (const std::uint64_t n : {std::uint64_t{0}, std::uint64_t{1}, max}) {
    EXPECT_TRUE(quotas.contains(n)) << n;
    EXPECT_TRUE(ttls.contains(n)) << n;
  }
  for (const std::size_t n : {0U, 1U, 255U}) EXPECT_TRUE(keys.contains(n)) << n;
  for (const std::size_t n : {0U, 1U, 255U, 65'535U, 70'000U})
    EXPECT_EQ(values.contains(n), n <= max) << n;
}

INSTANTIATE_TEST_SUITE_P(Generator, Widths, ::testing::ValuesIn(protocol::throttr_7_1.widths),
                         [](const auto& row) { return std::string(protocol::name_of(row.param)); });

Scenario scenario() {
  Scenario s(protocol::throttr_7_1, protocol::Width::u16, deployed, "QUERY", "test", "a test");
  s.cites({"query.found"});
  return s;
}

TEST(Rehearsal, RefusesWhatTheModelDoesNotAnswer) {
  Scenario s = scenario();
  const Lifetime lifetime = s.insert(s.key(), 7, hours, 1);
  s.query(s.key(), 8, hours, lifetime);
  const auto result = rehearse(s.vector(), protocol::Width::u16, deployed);
  ASSERT_TRUE(result.has_error());
  EXPECT_THAT(
      result.error().message,
      HasSubstr("throttr-7.1/u16/query/test: step 3: quota: expected 8, the model answers 7"));
}

TEST(Rehearsal, RefusesRepliesThatNoStepExpects) {
  Scenario s = scenario();
  s.send("WHOAMI", {});
  EXPECT_THAT(rehearse(s.vector(), protocol::Width::u16, deployed).error().message,
              HasSubstr("that no step expects"));
}

TEST(Rehearsal, RefusesRepliesThatDoNotCome) {
  Scenario s = scenario();
  s.send("WHOAMI", {});
  s.expect({is("status", 1), any("id")});
  s.expect({is("status", 1), any("id")});
  EXPECT_TRUE(rehearse(s.vector(), protocol::Width::u16, deployed).has_error());
}

TEST(Rehearsal, RefusesADeliveryThatDoesNotCome) {
  Scenario s = scenario();
  s.on("b").publish(s.key(), Bytes{1});
  s.on("a").expect_push("DELIVERY", {is("payload", Bytes{1})});
  EXPECT_TRUE(rehearse(s.vector(), protocol::Width::u16, deployed).has_error());
}

TEST(GenerateAll, NamesAFileForEachOperationAndWidth) {
  const auto texts = generate_all();
  ASSERT_TRUE(texts.has_value()) << texts.error().message;
  EXPECT_EQ(texts->size(), 4 * protocol::throttr_7_1.operations.size());
  EXPECT_TRUE(texts->contains("throttr-7.1/u64/unsubscribe.json"));
}

}  // namespace
}  // namespace hallmark::vectors::generator
