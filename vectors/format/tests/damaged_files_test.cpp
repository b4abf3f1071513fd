#include <gmock/gmock.h>

#include "vectors/format/json.hpp"
#include "vectors/format/state_json.hpp"

/// Vector files that somebody changed by hand: each is refused, with its line and with what is
/// allowed there.
namespace hallmark::vectors {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr std::string_view of_streams = R"({
 "format": 3, "dialect": "throttr-7.1", "profile": "deployed",
 "widths": ["u8", "u16"],
 "operation": "INSERT",
 "flags": {"largest": "as large as its width allows"},
 "vectors": [
  {"id": "throttr-7.1/{width}/insert/one", "title": "one", "level": "MUST",
   "clauses": ["insert.code", "query.found"],
   "flags": ["largest"],
   "readings": {"ttl-left": "left-rounded-down", "whoami": "id"},
   "preconditions": ["empty"],
   "keys": [{"key": "k"}],
   "steps": [
    {"on": "a", "send": "INSERT", "fields": {"quota": 5, "ttl_type": 4, "ttl": 9, "key": "k"}, "hex": {"u8": "01050409016b", "u16": "010500040900016b"}},
    {"on": "a", "expect": "INSERT", "fields": {"status": "success"}, "hex": "01"},
    {"on": "a", "send": "QUERY", "fields": {"key": "k"}, "hex": "02016b"},
    {"on": "a", "expect": "QUERY", "fields": {"status": "success", "quota": {"match": "range", "min": 1, "max": 5, "at": {"u8": [1, 1], "u16": [1, 2]}}, "ttl_type": 4, "ttl": {"match": "remaining", "full": 9, "unit_ns": 1000000000, "since": 0, "at": {"u8": [3, 1], "u16": [4, 2]}}}, "hex": {"u8": "01050409", "u16": "010500040900"}},
    {"on": "a", "send": "WHOAMI", "hex": "18"},
    {"on": "a", "expect": "WHOAMI", "fields": {"status": "success", "id": {"match": "capture", "name": "own", "at": [1, 16]}}, "hex": "01000102030405060708090a0b0c0d0e0f"},
    {"on": "a", "send": "CONNECTION", "fields": {"id": {"hex": "eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"}}, "substitute": {"id": {"name": "own", "at": [1, 16]}}, "hex": "15eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"}
   ]}
 ]
})";

constexpr std::string_view of_datagrams = R"({
 "format": 3, "dialect": "ratelimit-udp", "profile": "deployed",
 "operation": "get_size",
 "vectors": [
  {"id": "ratelimit-udp/get_size/id", "title": "with an id", "level": "MUST",
   "clauses": ["get_size.format"],
   "steps": [
    {"on": "a", "send": "get_size", "fields": {"request_id": "78229"}, "hex": "3738323239206765745f73697a65"},
    {"on": "a", "expect": "get_size", "fields": {"request_id": "78229", "size": {"match": "any", "at": [11, 1]}, "keys": {"match": "any", "at": [18, 1]}}, "hex": "37383232392073697a653d30206b6579733d30"},
    {"on": "a", "silence": true}
   ]}
 ]
})";

constexpr std::string_view of_states = R"({
 "$schema": "s", "format": 1, "dialect": "ratelimit-state", "strategy": "token-bucket",
 "flags": {"rounding": "floats may be off"},
 "vectors": [
  {"id": "ratelimit-state/token-bucket/decide/one", "title": "one", "operation": "decide", "level": "MUST",
   "clauses": ["token-bucket.format"], "flags": ["rounding"], "formats": ["token-bucket/12"],
   "steps": [
    {"request": {"op": "decide", "configuration": {"strategy": "token-bucket", "burst": "10", "rate": "1"}, "state": null, "now": "5"},
     "answer": {"allowed": true, "results": [{"remaining": "9", "reset": {"match": "range", "min": "1", "max": "2"}}]}},
    {"request": {"op": "decode", "strategy": "composite", "of": ["gcra", "token-bucket"], "state": "51|"},
     "answer": {"fields": {"primary": {"strategy": "gcra", "fields": {"tat": "1"}}, "secondary": {"fields": {"tokens": {"match": "any"}}}}}}
   ]}
 ]
})";

base::Result<void> read(std::string_view text) {
  if (text.find("ratelimit-state") != std::string_view::npos) {
    const auto file = read_state_json(text);
    return file ? base::Result<void>() : base::Result<void>(file.error());
  }
  const auto files = read_json(text);
  return files.has_value() ? base::Result<void>() : base::Result<void>(files.error());
}

struct Broken {
  std::string_view name;
  std::string_view file;
  std::string_view from;
  std::string_view to;
  std::string_view complaint;
};

class DamagedFile : public ::testing::TestWithParam<Broken> {};

TEST_P(DamagedFile, IsRefusedWithItsLine) {
  const Broken& row = GetParam();
  std::string text(row.file);
  ASSERT_TRUE(read(text)) << read(text).error().message;
  const auto at = text.find(row.from);
  ASSERT_NE(at, std::string::npos);
  const auto result = read(text.replace(at, row.from.size(), row.to));
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().message,
              AllOf(StartsWith("line "), HasSubstr(row.complaint), Not(HasSubstr("\n"))));
}

INSTANTIATE_TEST_SUITE_P(
    Streams, DamagedFile,
    ::testing::Values(
        Broken{"doubled_member", of_streams, R"("title": "one",)",
               R"("title": "one", "title": "two",)", "title"},
        Broken{"doubled_field", of_streams, R"("quota": 5, "ttl_type")",
               R"("quota": 5, "quota": 6, "ttl_type")", "quota"},
        Broken{"unknown_member_of_the_file", of_streams, R"("profile": "deployed",)",
               R"("profile": "deployed", "colour": 1,)", "unknown member, expected one of"},
        Broken{"unknown_member_of_a_substitution", of_streams, R"({"name": "own", "at": [1, 16]}})",
               R"({"name": "own", "at": [1, 16], "as": 1}})", "unknown member"},
        Broken{"width_that_the_file_lacks", of_streams, R"({"u8": "010504)",
               R"({"u32": "00", "u8": "010504)", "a width that the file does not have"},
        Broken{"operation", of_streams, R"("operation": "INSERT")", R"("operation": "FLY")",
               "expected an operation of throttr-7.1"},
        Broken{"clause", of_streams, R"("query.found")", R"("query.fuond")",
               "a clause of throttr-7.1"},
        Broken{"flag", of_streams, R"(["largest"])", R"(["smallest"])",
               "one of the flags that the file explains: largest"},
        Broken{"reading", of_streams, R"("ttl-left":)", R"("ttl-right":)", "ttl-right"},
        Broken{"answer", of_streams, R"("left-rounded-down")", R"("left-rounded-oddly")",
               "left-rounded-down"},
        Broken{"precondition", of_streams, R"(["empty"])", R"(["full"])",
               "one of empty, exclusive"},
        Broken{"value_of_a_request", of_streams, R"("quota": 5)", R"("quota": 6)",
               "expected 5, as 'hex' has it, came 6"},
        Broken{"key_of_a_request", of_streams, R"("ttl": 9, "key": "k")",
               R"("ttl": 9, "key": "kk")", "as 'hex' has it"},
        Broken{"value_of_a_reply", of_streams, R"("fields": {"status": "success"}, "hex": "01"})",
               R"("fields": {"status": "failure"}, "hex": "01"})", "expected 1, as 'hex' has it"},
        Broken{"place_outside", of_streams, R"("u16": "010500040900"}})", R"("u16": "00"}})",
               "a place inside the 1 bytes of 'hex'"},
        Broken{"example_out_of_its_range", of_streams, R"("min": 1, "max": 5)",
               R"("min": 6, "max": 7)", "expected 5, as 'hex' has it"},
        Broken{"matcher_of_bytes", of_streams, R"("id": {"match": "capture")",
               R"("id": {"match": "one_of")", "one of any, capture, captured, captured_hex"},
        Broken{"matcher_of_a_number", of_streams, R"("quota": {"match": "range")",
               R"("quota": {"match": "set_of")", "one of any, range, one_of"},
        Broken{"offset", of_streams, R"("u16": [4, 2])", R"("u16": [3, 2])",
               "[4, 2], the place of ttl"},
        Broken{"length", of_streams, R"("name": "own", "at": [1, 16]}}, "hex": "01)",
               R"("name": "own", "at": [1, 15]}}, "hex": "01)", "[1, 16], the place of id"},
        Broken{"place_of_a_substitution", of_streams, R"({"name": "own", "at": [1, 16]}})",
               R"({"name": "own", "at": [0, 16]}})", "[1, 16], the place of id"},
        Broken{"field_of_a_substitution", of_streams, R"("substitute": {"id")",
               R"("substitute": {"key")", "unknown field, expected one of index, id"},
        Broken{"name_that_nobody_captured", of_streams, R"({"name": "own", "at": [1, 16]}})",
               R"({"name": "other", "at": [1, 16]}})",
               "nothing was captured as 'other' in a step before; known: own"},
        Broken{"step", of_streams, R"({"on": "a", "send": "WHOAMI", "hex": "18"})",
               R"({"on": "a", "sned": "WHOAMI", "hex": "18"})", "a step with send"},
        Broken{"since", of_streams, R"("since": 0)", R"("since": 1)",
               "an earlier step that sends"}),
    [](const auto& row) { return std::string(row.param.name); });

INSTANTIATE_TEST_SUITE_P(
    Datagrams, DamagedFile,
    ::testing::Values(
        Broken{"widths", of_datagrams, R"("operation")", R"("widths": ["u8"], "operation")",
               "ratelimit-udp"},
        Broken{"offset", of_datagrams, "[11, 1]", "[10, 1]", "[11, 1], the place of size"},
        Broken{"field", of_datagrams, R"("keys": {)", R"("kees": {)",
               "unknown field, expected one of"},
        Broken{"matcher", of_datagrams, R"("size": {"match": "any")", R"("size": {"match": "all")",
               "one of any, "},
        Broken{"id", of_datagrams, R"({"request_id": "78229"}, "hex": "3738323239206765)",
               R"({"request_id": "78228"}, "hex": "3738323239206765)", "as 'hex' has it"},
        Broken{"message", of_datagrams, R"("send": "get_size")", R"("send": "get_siez")",
               "an operation of ratelimit-udp"}),
    [](const auto& row) { return std::string(row.param.name); });

INSTANTIATE_TEST_SUITE_P(
    States, DamagedFile,
    ::testing::Values(
        Broken{"strategy", of_states, R"("strategy": "token-bucket",
 "flags")",
               R"("strategy": "token-bukcet",
 "flags")",
               "one of token-bucket, fixed-window, leaky-bucket, gcra, composite"},
        Broken{"operation", of_states, R"("operation": "decide")", R"("operation": "decides")",
               "one of decode, encode, decide"},
        Broken{"request", of_states, R"("op": "decide")", R"("op": "decides")",
               "one of decode, encode, decide"},
        Broken{"member_of_a_request", of_states, R"("now": "5")", R"("now": "5", "then": "6")",
               "unknown member, expected one of"},
        Broken{"time", of_states, R"("now": "5")", R"("now": "5 s")", "a whole number"},
        Broken{"configuration", of_states, R"("burst": "10")", R"("capacity": "10")", "burst"},
        Broken{"matcher", of_states, R"({"match": "any"})", R"({"match": "all"})",
               "one of any, range"},
        Broken{"bound_of_a_matcher", of_states, R"("min": "1")", R"("min": 1)",
               "expected a string"},
        Broken{"member_of_a_matcher", of_states, R"("max": "2")", R"("most": "2")", "max"},
        Broken{"member_of_an_answer", of_states, R"("allowed": true)", R"("alowed": true)",
               "unknown member, expected one of"},
        Broken{"member_of_a_result", of_states, R"("remaining": "9")", R"("remains": "9")",
               "unknown member, expected one of"},
        Broken{"inner_strategy", of_states, R"(["gcra",)", R"(["gkra",)", "one of token-bucket"},
        Broken{"clause", of_states, R"("token-bucket.format")", R"("token-bucket.farmot")",
               "a clause of ratelimit-state"},
        Broken{"doubled_member", of_states, R"("op": "decode",)",
               R"("op": "decode", "op": "encode",)", "op"}),
    [](const auto& row) { return std::string(row.param.name); });

}  // namespace
}  // namespace hallmark::vectors
