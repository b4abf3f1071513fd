#include "vectors/format/format_2.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <set>
#include <sstream>

#include "cmake/places/places.hpp"
#include "protocol/dialects.hpp"
#include "vectors/format/tests/digest.hpp"

// The files of format 2 are gone; what their vectors said is kept in format_2.digests.
namespace hallmark::vectors {
namespace {

using ::testing::HasSubstr;

/// The number of vectors in format 2, without those that say something else since.
constexpr std::size_t vectors_of_format_2 = 2293;

/// The keys of fragments became fewer and longer, and TTLs are over at once or not soon; all else
/// of them stayed.
constexpr std::string_view changed[] = {"/list/fragments",
                                        "/list/fragments-exactly",
                                        "/stats/fragments",
                                        "/stats/fragments-exactly",
                                        "/insert/ttl-type-nanoseconds",
                                        "/insert/ttl-type-microseconds",
                                        "/insert/ttl-type-milliseconds",
                                        "/set/ttl-type-nanoseconds",
                                        "/set/ttl-type-microseconds",
                                        "/set/ttl-type-milliseconds"};

bool is_changed(std::string_view id) {
  return std::ranges::any_of(changed, [&](std::string_view end) { return id.ends_with(end); });
}

test::Digests recorded() {
  std::ifstream file(places::source("vectors/format/tests/format_2.digests"));
  std::ostringstream text;
  text << file.rdbuf();
  return test::read_lines(text.str());
}

/// The vectors of the tree, of all dialects and widths.
test::Digests committed() {
  test::Digests all;
  for (const protocol::Dialect* const dialect : protocol::all_dialects) {
    if (dialect->transport == protocol::Transport::at_rest) continue;
    for (const protocol::Width width : dialect->widths) {
      const auto files = load_directory(places::source("vectors"), dialect->name, width);
      EXPECT_TRUE(files.has_value()) << files.error().message;
      all.merge(test::digests_of(*files));
    }
  }
  return all;
}

TEST(Format2, EveryVectorSaysTheSameInFormat3AndTheChangedOnesAreNotRecorded) {
  const test::Digests before = recorded();
  ASSERT_EQ(before.size(), vectors_of_format_2);
  const test::Digests now = committed();
  for (const auto& [id, digest] : before) {
    const auto found = now.find(id);
    ASSERT_NE(found, now.end()) << id << " is gone";
    EXPECT_EQ(found->second, digest) << id << " says something else";
  }
  std::size_t found = 0;
  for (const auto& [id, digest] : now) {
    if (!is_changed(id)) continue;
    ++found;
    EXPECT_FALSE(before.contains(id)) << id;
  }
  EXPECT_EQ(found, 156U);
}

VectorFile small() {
  VectorFile file;
  file.dialect = "throttr-7.1";
  file.operation = "INSERT";
  Vector& vector = file.vectors.emplace_back();
  vector.id = "throttr-7.1/u8/insert/small";
  FieldPattern ttl;
  ttl.field = "ttl";
  vector.steps = {{"a", Send{"INSERT", {{"quota", 7UL}}, {1, 7}, {}}},
                  {"a", Expect{{{"INSERT", false, {ttl}, {1}, {}}}}}};
  return file;
}

std::string digest_after(const std::function<void(Vector&)>& change) {
  VectorFile file = small();
  change(file.vectors.front());
  return test::digest_of(file, file.vectors.front());
}

FieldPattern& ttl_of(Vector& vector) {
  return std::get<Expect>(vector.steps[1].action).any_of.front().fields.front();
}

/// A digest that does not see a change would prove nothing.
TEST(Digest, SeesEveryChange) {
  const std::function<void(Vector&)> changes[] = {
      [](Vector&) {},
      [](Vector& v) { v.id = "throttr-7.1/u8/insert/other"; },
      [](Vector& v) { v.clauses = {"insert.code"}; },
      [](Vector& v) { v.flags = {"silent"}; },
      [](Vector& v) {
        v.readings = {{"ttl-left", "any"}};
      },
      [](Vector& v) {
        v.keys = {{{"key", Bytes{1}}}};
      },
      [](Vector& v) { v.preconditions = {Precondition::empty}; },
      [](Vector& v) { v.steps.pop_back(); },
      [](Vector& v) { v.steps[0].connection = "b"; },
      [](Vector& v) { std::get<Send>(v.steps[0].action).bytes.push_back(0); },
      [](Vector& v) { std::get<Send>(v.steps[0].action).fields.set("quota", 8UL); },
      [](Vector& v) { ttl_of(v).match = Match::any; },
      [](Vector& v) { ttl_of(v).value = std::uint64_t{1}; },
      [](Vector& v) { ttl_of(v).lifetime.since = 1; },
      [](Vector& v) { ttl_of(v).offset = 1; },
      [](Vector& v) { ttl_of(v).length = 1; }};
  std::set<std::string> digests;
  for (const auto& change : changes) digests.insert(digest_after(change));
  EXPECT_EQ(digests.size(), std::size(changes));
}

const char* const file_of_format_2 = R"({
 "format": 2, "dialect": "throttr-7.1", "profile": "deployed", "width": "u8",
 "operation": "INSERT", "flags": {},
 "vectors": [{
  "id": "throttr-7.1/u8/insert/small", "title": "small", "level": "MUST",
  "clauses": ["insert.code"], "flags": [], "readings": {}, "preconditions": [],
  "keys": [{"key": {"hex": "61"}}],
  "steps": [
   {"connection": "a", "send": {"message": "INSERT", "hex": "0107040301", "fields": {"quota": "7"}}},
   {"connection": "a", "expect": [{"message": "INSERT", "hex": "01", "fields": [
    {"field": "status", "offset": 0, "length": 1, "match": "equals", "value": "1"}]}]}]}]})";

TEST(Format2, IsReadAndWrittenAsFormat3) {
  EXPECT_TRUE(is_format_2(file_of_format_2));
  const auto file = read_format_2(file_of_format_2);
  ASSERT_TRUE(file.has_value()) << file.error().message;
  const std::string text = write_json(*file);
  EXPECT_FALSE(is_format_2(text));
  EXPECT_THAT(text,
              HasSubstr(R"({"on": "a", "expect": "INSERT", "fields": {"status": "success"})"));
  const auto again = read_json(text);
  ASSERT_TRUE(again.has_value()) << again.error().message;
  EXPECT_EQ(*again, std::vector{*file});
}

TEST(Format2, IsRefusedWithItsPlace) {
  std::string text = file_of_format_2;
  text.replace(text.find("0107040301"), 10, "0g07040301");
  EXPECT_THAT(read_format_2(text).error().message,
              HasSubstr("line 9, column 61: /vectors/0/steps/0/send/hex: expected pairs of"));
}

}  // namespace
}  // namespace hallmark::vectors
