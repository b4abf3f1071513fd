#include "vectors/format/plain.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>

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
  EXPECT_EQ(vector["steps"][1]["expect"],
            from(R"([{"field": "status", "match": "equals", "value": "1"}])"));
  EXPECT_EQ(vector["steps"][3]["expect"], from(R"([
    {"field": "status", "match": "equals", "value": "1"},
    {"field": "quota", "match": "equals", "value": "7"},
    {"field": "ttl_type", "match": "equals", "value": "4"},
    {"field": "ttl", "match": "remaining", "full": "60", "unit": 1000000000, "slack": 0,
     "set": 0, "confirmed": 1, "asked": 2}])"));
  const std::size_t query = vector["steps"][3]["layout"].natural();
  EXPECT_EQ(plain["layouts"][query]["message"], Json("QUERY"));
  EXPECT_EQ(plain["layouts"][query]["kind"], Json("reply"));
  ASSERT_EQ(vector["cleanup"].size(), 2U);
  EXPECT_THAT(vector["cleanup"][0]["send"].string(), testing::EndsWith("17" + key));
  EXPECT_EQ(vector["cleanup"][1]["expect"], Json::array());
}

/// docs/vectors.md shows a plain vector, with a shorter key.
TEST(Plain, TheExampleOfThePageIsAVector) {
  std::ifstream page(places::source("docs/vectors.md"));
  const std::string text(std::istreambuf_iterator<char>(page), {});
  const std::string fence = "```json\n";
  const auto begin = text.find(fence, text.find("\n## Plain vectors\n"));
  ASSERT_NE(begin, std::string::npos);
  const auto end = text.find("```", begin + fence.size());
  const Json shown = from(text.substr(begin + fence.size(), end - begin - fence.size()));
  const Json plain =
      plain_of(Readings(dialect_called("throttr-7.1"), Profile::deployed), Width::u16);
  std::string written = called(plain["vectors"], shown["id"].string()).dump();
  const std::string key = "1768616c6c6d61726b2f696e736572742f7479706963616c";
  while (written.find(key) != std::string::npos)
    written.replace(written.find(key), key.size(), "03612f62");
  EXPECT_EQ(shown, from(written));
}

TEST(Plain, SaysWhatACodecHasToWriteToReadAndToRefuse) {
  const Json plain =
      plain_of(Readings(dialect_called("throttr-7.1"), Profile::deployed), Width::u16);
  const Json& request = called(plain["examples"], "throttr-7.1/u16/insert/typical")["steps"];
  ASSERT_EQ(request.size(), 2U);
  EXPECT_EQ(request[0]["encode"]["quota"], Json("7"));
  EXPECT_EQ(request[0]["result"].string().substr(0, 14), "010700043c0017");
  EXPECT_EQ(request[1]["decode"], request[0]["result"]);
  EXPECT_EQ(request[1]["result"], request[0]["encode"]);
  const Json& unlisted = called(plain["examples"], "throttr-7.1/u16/insert/ttl-type-unknown");
  ASSERT_EQ(unlisted["steps"].size(), 1U);
  EXPECT_TRUE(unlisted["steps"][0].contains("encode"));
  const Json& bytes = called(plain["examples"], "invalid/QUERY/reply/cut-inside:quota");
  EXPECT_EQ(bytes["refused"], from(R"({"quota": "truncated"})"));
  EXPECT_TRUE(bytes["steps"][0].contains("decode"));
  EXPECT_FALSE(bytes["steps"][0].contains("result"));
  const Json& values = called(plain["examples"], "invalid/INSERT/request/beyond:quota");
  EXPECT_EQ(values["refused"], from(R"({"quota": "beyond-width"})"));
  EXPECT_EQ(values["steps"][0]["encode"]["quota"], Json("65536"));
  EXPECT_EQ(values["steps"][0]["encode"]["key"], Json("6b6579"));
  EXPECT_FALSE(values["steps"][0].contains("result"));
  const Json& surplus = called(plain["examples"], "invalid/QUERY/reply/surplus");
  EXPECT_EQ(surplus["refused"], from(R"({"end": "surplus"})"));
}

TEST(Plain, NamesAllFieldsWhereACodecMayNoticeAWrongSize) {
  const Json plain =
      plain_of(Readings(dialect_called("throttr-7.1"), Profile::deployed), Width::u16);
  const Json& wrong =
      called(plain["examples"], "invalid/CHANNEL/reply/size-1:number_of_subscribers");
  for (const char* const field : {"end", "status", "subscribers", "connection_id"})
    EXPECT_EQ(wrong["refused"][field], Json("size")) << field;
}

TEST(Plain, SpellsOutWholeFields) {
  const Json datagrams =
      plain_of(Readings(dialect_called("ratelimit-udp"), Profile::deployed), Width::none);
  const Json& with_id = called(datagrams["examples"], "ratelimit-udp/get_size/id-leading-zeros");
  EXPECT_EQ(with_id["steps"][0]["encode"]["request_id"], Json("30303038363734363520"));
  const Json plain =
      plain_of(Readings(dialect_called("throttr-7.1"), Profile::deployed), Width::u16);
  const Json& padded = called(plain["examples"], "invalid/CONNECTION/reply/beyond:port");
  EXPECT_EQ(padded["steps"][0]["encode"]["ip"].string().size(), 32U);
}

TEST(Plain, PutsNamesInThePlaceOfCapturedValues) {
  const Json plain =
      plain_of(Readings(dialect_called("throttr-7.1"), Profile::deployed), Width::u16);
  const Json& found = called(plain["vectors"], "throttr-7.1/u16/connection/other")["steps"];
  EXPECT_EQ(found[1]["expect"][1], from(R"({"field": "id", "match": "capture", "name": "other"})"));
  EXPECT_EQ(found[2]["send"], Json("15{other}"));
  EXPECT_EQ(found[3]["expect"][1],
            from(R"({"field": "id", "match": "equals", "value": "{other}"})"));
  const Json newer =
      plain_of(Readings(dialect_called("throttr-7.3"), Profile::deployed), Width::u16);
  EXPECT_THAT(called(newer["vectors"], "throttr-7.3/u16/channels/own").dump(),
              HasSubstr(R"("value":"{own.hex}")"));
}

TEST(Plain, SaysWhichRepliesAreRight) {
  const Json plain =
      plain_of(Readings(dialect_called("throttr-7.1"), Profile::deployed), Width::u16);
  const Json& short_lived =
      called(plain["vectors"], "throttr-7.1/u16/insert/ttl-type-nanoseconds")["steps"][3]["expect"];
  ASSERT_EQ(short_lived.size(), 1U);
  EXPECT_EQ(short_lived[0]["match"], Json("either"));
  EXPECT_EQ(short_lived[0]["either"][0]["value"], Json("1"));
  EXPECT_EQ(short_lived[0]["or"][0]["value"], Json("0"));
  EXPECT_EQ(short_lived[0]["or"][1]["match"], Json("over"));
  const Json& connection =
      called(plain["vectors"], "throttr-7.1/u16/connection/other")["steps"][3]["expect"];
  EXPECT_EQ(connection[2], from(R"({"match": "either",
    "either": [{"field": "ip_version", "match": "equals", "value": "4"}],
    "or": [{"field": "ip_version", "match": "equals", "value": "6"}]})"));
}

TEST(Plain, CountsRecordsOfGroupsWithinGroups) {
  const Json plain =
      plain_of(Readings(dialect_called("throttr-7.1"), Profile::deployed), Width::u16);
  const Json& vector = called(plain["vectors"], "throttr-7.1/u16/list/fragments");
  const auto& steps = vector["steps"].items();
  const auto listing = std::ranges::find_if(steps, [&](const Json& step) {
    return step["expect"].dump().find("\"records\"") != std::string::npos;
  });
  ASSERT_NE(listing, steps.end());
  const auto& patterns = (*listing)["expect"].items();
  const auto records = std::ranges::find_if(
      patterns, [](const Json& one) { return one["match"] == Json("records"); });
  ASSERT_NE(records, patterns.end());
  EXPECT_EQ((*records)["path"], Json("fragments/keys"));
  EXPECT_EQ((*records)["times"], Json(1));
  EXPECT_EQ(called(plain["vectors"], "throttr-7.1/u16/list/empty")["steps"][1]["expect"][1],
            from(R"({"match": "records", "path": "fragments/keys", "records": [], "times": 0})"));
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
    const std::string& message =
        plain["layouts"][one["steps"][0]["layout"].natural()]["message"].string();
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

TEST(Plain, RefusesAVectorThatWaitsOrCloses) {
  for (const Step& step : {Step{"a", Pause{5}}, Step{"a", Close{}}}) {
    VectorFile file;
    file.dialect = "throttr-7.1";
    file.width = Width::u16;
    file.operation = "INSERT";
    file.vectors.push_back({.id = "one",
                            .title = {},
                            .operation = "INSERT",
                            .clauses = {},
                            .flags = {},
                            .readings = {},
                            .preconditions = {},
                            .keys = {},
                            .steps = {step}});
    const auto plain =
        plain_vectors(Readings(dialect_called("throttr-7.1"), Profile::deployed), Width::u16,
                      {.files = {&file, 1}, .invalid = {}, .states = {}});
    ASSERT_TRUE(plain.has_error());
    EXPECT_EQ(plain.error().message,
              "one: waits or closes a connection, which golden vectors do not");
  }
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
