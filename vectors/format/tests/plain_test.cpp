#include "vectors/format/plain.hpp"

#include <gmock/gmock.h>

#include <algorithm>

#include "cmake/places/places.hpp"
#include "protocol/dialects.hpp"
#include "vectors/format/json.hpp"
#include "vectors/format/state_json.hpp"

namespace hallmark::vectors {
namespace {

using base::Json;
using protocol::Profile;
using protocol::Readings;
using protocol::Width;
using testing::HasSubstr;

const protocol::Dialect& dialect_called(std::string_view name) {
  return **std::ranges::find(protocol::all_dialects, name, &protocol::Dialect::name);
}

/// Makes the plain vectors of the committed files for servers with these answers.
Json plain_of(const Readings& readings, Width width, std::size_t* vectors_in_files = nullptr) {
  const std::string directory = places::source("vectors");
  const protocol::Dialect& dialect = readings.dialect();
  PlainSource source{.files = {}, .invalid = {}, .states = {}};
  std::vector<VectorFile> files;
  std::vector<StateVectorFile> states;
  std::size_t count = 0;
  if (dialect.transport == protocol::Transport::at_rest) {
    states = *load_state_directory(directory);
    for (const auto& file : states) count += file.vectors.size();
  } else {
    files = *load_directory(directory, dialect.name, width);
    for (const auto& file : files) count += file.vectors.size();
  }
  if (vectors_in_files != nullptr) *vectors_in_files = count;
  const auto invalid = load_invalid_file(directory + "/" + invalid_path_of(dialect.name));
  source.files = files;
  source.states = states;
  source.invalid = std::ranges::find(*invalid, width, &InvalidFile::width)->messages;
  const auto plain = plain_vectors(readings, width, source);
  EXPECT_TRUE(plain.has_value()) << plain.error().message;
  return plain ? *plain : Json::object();
}

const Json& called(const Json& list, const std::string& id) {
  const auto& all = list.items();
  const auto found =
      std::ranges::find_if(all, [&](const Json& one) { return one["id"].string() == id; });
  EXPECT_NE(found, all.end()) << id;
  static const Json none;
  return found == all.end() ? none : *found;
}

Json from(std::string_view text) { return *base::parse_json(text); }

TEST(Plain, LeavesOutNoVectorThatIsRightForTheServer) {
  for (const protocol::Dialect* const dialect : protocol::all_dialects) {
    for (const Profile profile : {Profile::deployed, Profile::literal}) {
      SCOPED_TRACE(dialect->name);
      std::size_t in_files = 0;
      const Json plain = plain_of(Readings(*dialect, profile), dialect->widths.front(), &in_files);
      EXPECT_THAT(plain["layouts"].dump(), testing::Not(HasSubstr("\"when\"")));
      if (dialect->transport == protocol::Transport::at_rest) {
        EXPECT_GT(plain["skipped"].natural(), 0U);  // what strategies decide
        continue;
      }
      EXPECT_EQ(plain["vectors"].size() + plain["skipped"].natural(), in_files);
      EXPECT_GT(plain["vectors"].size(), 80U);
    }
  }
}

TEST(Plain, SpellsOutAVector) {
  const Json plain =
      plain_of(Readings(dialect_called("throttr-7.1"), Profile::deployed), Width::u16);
  const Json& vector = called(plain["vectors"], "throttr-7.1/u16/insert/typical");
  const std::string key = "68616c6c6d61726b2f696e736572742f7479706963616c";
  ASSERT_EQ(vector["steps"].size(), 4U);
  EXPECT_EQ(vector["steps"][0], from(R"({"on": "a", "send": "010700043c0017)" + key + "\"}"));
  EXPECT_EQ(vector["steps"][1]["answers"], Json(0));
  EXPECT_EQ(vector["steps"][1]["expect"],
            from(R"([[{"field": "status", "match": "equals", "value": "1"}]])"));
  EXPECT_EQ(vector["steps"][3]["answers"], Json(2));
  EXPECT_EQ(vector["steps"][3]["expect"], from(R"([[
    {"field": "ttl", "match": "remaining", "full": "60", "unit_ns": "1000000000", "since": 0},
    {"field": "status", "match": "equals", "value": "1"},
    {"field": "quota", "match": "equals", "value": "7"},
    {"field": "ttl_type", "match": "equals", "value": "4"}]])"));
  const std::size_t query = vector["steps"][3]["layout"].natural();
  EXPECT_EQ(plain["layouts"][query]["message"], Json("QUERY"));
  EXPECT_EQ(plain["layouts"][query]["kind"], Json("reply"));
  ASSERT_EQ(vector["cleanup"].size(), 2U);
  EXPECT_THAT(vector["cleanup"][0]["send"].string(), testing::EndsWith("17" + key));
  EXPECT_EQ(vector["cleanup"][1]["expect"], from("[[]]"));
}

TEST(Plain, SaysWhatACodecHasToWriteToReadAndToRefuse) {
  const Json plain =
      plain_of(Readings(dialect_called("throttr-7.1"), Profile::deployed), Width::u16);
  const Json& request = called(plain["examples"], "throttr-7.1/u16/insert/typical");
  EXPECT_EQ(request["hex"].string().substr(0, 14), "010700043c0017");
  EXPECT_EQ(request["fields"]["quota"], Json("7"));
  const Json& unlisted = called(plain["examples"], "throttr-7.1/u16/insert/ttl-type-unknown");
  EXPECT_EQ(unlisted["unlisted"], Json(true));
  const Json& bytes = called(plain["examples"], "invalid/QUERY/reply/cut-inside:quota");
  EXPECT_EQ(bytes["refused"], Json("quota"));
  EXPECT_FALSE(bytes.contains("fields"));
  const Json& values = called(plain["examples"], "invalid/INSERT/request/beyond:quota");
  EXPECT_EQ(values["refused"], Json("quota"));
  EXPECT_EQ(values["fields"]["quota"], Json("65536"));
  EXPECT_EQ(values["fields"]["key"], Json("6b6579"));
  EXPECT_FALSE(values.contains("hex"));
}

TEST(Plain, LeadsToGroupsWithinGroups) {
  const Json plain =
      plain_of(Readings(dialect_called("throttr-7.1"), Profile::deployed), Width::u16);
  const Json& vector = called(plain["vectors"], "throttr-7.1/u16/list/fragments");
  const auto& steps = vector["steps"].items();
  const auto listing = std::ranges::find_if(steps, [&](const Json& step) {
    return step["expect"].dump().find("set_of") != std::string::npos;
  });
  ASSERT_NE(listing, steps.end());
  EXPECT_EQ((*listing)["expect"][0][0]["path"], from(R"(["fragments", "keys"])"));
}

TEST(Plain, PutsARequestInThePlaceOfSilence) {
  const Json plain =
      plain_of(Readings(dialect_called("ratelimit-udp"), Profile::deployed), Width::none);
  EXPECT_THAT(plain["vectors"].dump(),
              HasSubstr(R"({"on":"a","send":"313233343332312070696e67"},)"));
}

TEST(Plain, HasStatesWithinStates) {
  const Json plain =
      plain_of(Readings(dialect_called("ratelimit-state"), Profile::deployed), Width::none);
  std::size_t of_the_example = 0;
  for (const Json& one : plain["examples"].items()) {
    const std::string& message = plain["layouts"][one["layout"].natural()]["message"].string();
    if (one["id"] != Json("ratelimit-state/composite/decode/example")) continue;
    ++of_the_example;
    EXPECT_THAT(message, testing::AnyOf("composite/51", "fixed-window/23", "token-bucket/12"));
  }
  EXPECT_EQ(of_the_example, 3U);
}

TEST(Plain, LeavesOutWhatIsRefusedWhereTheServerIsNotAsReleasedOnes) {
  Readings readings(dialect_called("throttr-7.1"), Profile::deployed);
  ASSERT_TRUE(readings.set("insert-existing", "replaced"));
  const Json plain = plain_of(readings, Width::u16);
  EXPECT_THAT(plain["examples"].dump(), testing::Not(HasSubstr("\"refused\"")));
  EXPECT_EQ(plain["answers"]["insert-existing"], Json("replaced"));
}

TEST(Plain, RefusesAVectorThatWaits) {
  VectorFile file;
  file.dialect = "throttr-7.1";
  file.width = Width::u16;
  file.operation = "INSERT";
  file.vectors.push_back({.id = "waits",
                          .title = {},
                          .operation = "INSERT",
                          .clauses = {},
                          .flags = {},
                          .readings = {},
                          .preconditions = {},
                          .keys = {},
                          .steps = {{"a", Pause{5}}}});
  const auto plain = plain_vectors(Readings(dialect_called("throttr-7.1"), Profile::deployed),
                                   Width::u16, {.files = {&file, 1}, .invalid = {}, .states = {}});
  ASSERT_TRUE(plain.has_error());
  EXPECT_EQ(plain.error().message, "waits: waits, which golden vectors do not");
}

TEST(Plain, HasAPathForEachKindOfServer) {
  EXPECT_EQ(plain_path_of("throttr-7.1", Width::u16, Profile::deployed),
            "plain/throttr-7.1-u16.json");
  EXPECT_EQ(plain_path_of("throttr-7.1", Width::u16, Profile::literal),
            "plain/throttr-7.1-u16-literal.json");
  EXPECT_EQ(plain_path_of("ratelimit-udp", Width::none, Profile::deployed),
            "plain/ratelimit-udp.json");
}

}  // namespace
}  // namespace hallmark::vectors
