#include <filesystem>
#include <map>

#include "e2e/fixture.hpp"
#include "e2e/refusal.hpp"

/// Attacks on the program through the JSON that it reads.
namespace hallmark::e2e {
namespace {

using testing::HasSubstr;
using testing::Not;

/// Every command that reads JSON, with `input.json` in its place.
const std::map<std::string, Arguments> readers = {
    {"Workload", {"load", unreached_target, "--workload", "input.json"}},
    {"Vectors",
     {"certify", unreached_target, "--dialect", "throttr-7.1", "--width", "u16", "--vectors",
      "input.json"}},
    {"StateVectors", {"certify", "pipe:false", "--vectors", "input.json"}},
    {"KnownFailures",
     {"certify", unreached_target, "--width", "u16", "--known-failures", "input.json"}},
    {"Baseline", {"certify", unreached_target, "--width", "u16", "--baseline", "input.json"}},
    {"Report", {"report", "input.json"}},
    {"Audit", {"audit", "states.tsv", "--config", "input.json"}},
};

class Input : public EndToEnd, public testing::WithParamInterface<std::string> {
 protected:
  Input() { write("states.tsv", "42|1761884055342794596\n"); }

  /// The one line with which `input.json` is refused.
  std::string refused(const std::string& text) const {
    write("input.json", text);
    const auto outcome = hallmark(readers.at(GetParam()));
    EXPECT_EQ(outcome.exit_code, 2) << outcome.out;
    EXPECT_EQ(outcome.out, "");
    EXPECT_THAT(outcome.err, one_line_with({"input.json"}));
    EXPECT_THAT(outcome.err, Not(HasSubstr("json.exception")));
    EXPECT_THAT(outcome.err, Not(HasSubstr("\x1b")));
    return outcome.err;
  }
};

TEST_P(Input, NestedWithoutEndIsRefused) {
  const std::string deep(100'000, '[');
  EXPECT_THAT(refused("{\"a\": " + deep), HasSubstr("nests deeper than 64 levels"));
  const std::string closed(100'000, ']');
  EXPECT_THAT(refused("{\"a\": " + deep + closed + "}"), HasSubstr("nests deeper than 64 levels"));
}

TEST_P(Input, NumbersBeyondADoubleAreRefused) {
  EXPECT_THAT(refused("{\n \"a\": 1e400}"),
              HasSubstr("line 2, column 7: the number 1e400 is beyond a double"));
}

TEST_P(Input, DoubledMembersAreRefused) {
  EXPECT_THAT(refused("{\"format\": 1,\n \"format\": 1}"),
              HasSubstr("line 2, column 12: the object has two members 'format'"));
}

TEST_P(Input, BrokenTextIsRefused) {
  EXPECT_THAT(refused("{\"a\": \"\xff\"}"), HasSubstr("line 1, column 8: a string is not UTF-8"));
  EXPECT_THAT(refused("{\"a\": \x1b[31m}"), HasSubstr("column 7: came '\\x1b', expected a value"));
  EXPECT_THAT(refused(""), HasSubstr("the text ends, expected a JSON value"));
  EXPECT_THAT(refused("[]"), HasSubstr("line 1, column 1: expected "));
}

TEST_P(Input, ADirectoryIsNoFile) {
  std::filesystem::create_directory(directory_ / "input.json");
  const auto outcome = hallmark(readers.at(GetParam()));
  EXPECT_EQ(outcome.exit_code, 2) << outcome.out;
  EXPECT_THAT(outcome.err, one_line_with({"input.json"}));
}

std::vector<std::string> names_of_readers() {
  std::vector<std::string> names;
  for (const auto& [name, arguments] : readers) names.push_back(name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Readers, Input, testing::ValuesIn(names_of_readers()),
                         [](const auto& one) { return one.param; });

/// A file that its reader takes, but for one piece.
struct Spoilt {
  std::string name;
  Arguments command;
  std::string text;
  std::string complaint;
};

class SpoiltInput : public EndToEnd, public testing::WithParamInterface<Spoilt> {};

TEST_P(SpoiltInput, IsRefusedInOneLine) {
  write("states.tsv", "42|1761884055342794596\n");
  write("input.json", GetParam().text);
  const auto outcome = hallmark(GetParam().command);
  EXPECT_EQ(outcome.exit_code, 2) << outcome.out;
  EXPECT_THAT(outcome.err, one_line_with({"input.json", GetParam().complaint}));
  EXPECT_THAT(outcome.out + outcome.err, Not(HasSubstr("\x1b")));
}

/// A vector file of one vector, which sends `message` and expects fields.
std::string vector_file(const std::string& id, const std::string& message,
                        const std::string& fields = R"({"status": "failure"})",
                        const std::string& more = "") {
  return R"({"format": 3, "dialect": "throttr-7.1", "profile": "deployed", "widths": ["u16"],
    "operation": "QUERY", "vectors": [{"id": ")" +
         id + R"(", "title": "t", "level": "MUST", "clauses": ["query.code"], "steps": [
      {"on": "a", "send": ")" +
         message + R"(", "hex": "0203616263"},
      {"on": "a", "expect": "QUERY", "hex": "010500043c00", "fields": )" +
         fields + "}]" + more + "}]}";
}

const std::string query = "throttr-7.1/u16/query/one";

/// Fields of a reply whose TTL has that match and place.
std::string ttl(const std::string& match, const std::string& place) {
  return R"({"status": "success", "ttl": {"match": ")" + match +
         R"(", "full": 60, "unit_ns": 1, "since": 0, "at": )" + place + "}}";
}

const Spoilt spoilt[] = {
    {"UnknownOperation", readers.at("Vectors"), vector_file(query, "FLY"),
     "line 3, column 27: /vectors/0/steps/0/send: expected an operation of throttr-7.1, "
     "came \"FLY\""},
    {"IdThatSteersTheTerminal", readers.at("Vectors"), vector_file("a\\u001b[31m", "QUERY"),
     "/vectors/0/id: expected a string without control characters, came \"a\\u001b[31m\""},
    {"UnknownMemberOfAVector", readers.at("Vectors"),
     vector_file(query, "QUERY", "{}", ", \"colour\": 1"),
     "line 4, column 87: /vectors/0/colour: unknown member, expected one of widths, id, title"},
    {"DoubledMemberOfAVector", readers.at("Vectors"),
     vector_file(query, "QUERY", "{}", ", \"id\": \"two\""),
     "line 4, column 83: the object has two members 'id'"},
    {"UnknownFieldOfAReply", readers.at("Vectors"), vector_file(query, "QUERY", R"({"quotta": 1})"),
     "line 4, column 82: /vectors/0/steps/1/fields/quotta: unknown field, expected one of status, "
     "quota, ttl_type, ttl"},
    {"MatchThatIsNotTheFields", readers.at("Vectors"),
     vector_file(query, "QUERY", ttl("captured_hex", "[4, 2]")),
     "line 4, column 110: /vectors/0/steps/1/fields/ttl/match: expected one of any, range, one_of, "
     "remaining, capture, captured, came \"captured_hex\""},
    {"OffsetThatIsNotTheFields", readers.at("Vectors"),
     vector_file(query, "QUERY", ttl("remaining", "[3, 2]")),
     "line 4, column 167: /vectors/0/steps/1/fields/ttl/at: expected [4, 2], the place of ttl"},
    {"VectorsOfFormat2", readers.at("Vectors"), R"({"format": 2})",
     "line 1, column 12: /format: vectors of format 2, which hallmark 0.1.0 reads; `hallmark "
     "vectors convert OLD NEW` writes them as format 3"},
    {"UnknownOption", readers.at("Workload"), "{\"mix\": \"query=1\",\n \"\\u001b[31m\": 1}",
     "line 2, column 16: /\\x1b[31m: no such option; see hallmark load --help"},
    {"OptionThatSteersTheTerminal", readers.at("Workload"), R"({"mix": "\u001b[31m"})",
     "/mix: expected a string without control characters"},
    {"UnknownMemberOfARule", readers.at("Audit"),
     R"({"rules": [{"strategy": "gcra", "quotta": "x"}]})",
     "line 1, column 43: /rules/0/quotta: unknown member, expected one of match, strategy"},
    {"UnknownMemberOfAKnownFailure", readers.at("KnownFailures"),
     R"({"format": "hallmark-known-failures", "format_version": 1,
         "failures": [{"case": "a", "reason": "b", "colour": 1}]})",
     "/failures/0/colour: unknown member, expected one of case, code, reason, why, count, flaky"},
    {"UnknownMemberOfAResult", readers.at("Report"),
     R"({"format": "hallmark-certify", "format_version": 1, "exit_code": 0, "colour": 1})",
     "'header' is missing"},
};

INSTANTIATE_TEST_SUITE_P(Rows, SpoiltInput, testing::ValuesIn(spoilt),
                         [](const auto& row) { return row.param.name; });

TEST_F(EndToEnd, TimesToReplayDoNotSteerTheTerminal) {
  write("times", "0.1\n\x1b[31m\n");
  const auto outcome = hallmark({"load", unreached_target, "--replay", "times"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, one_line_with({"times:2: '\\x1b[31m'"}));
}

/// Commands that print a name which somebody else may have chosen.
const std::map<std::string, Arguments> namers = {
    {"ServeRules", {"serve", "--dialect", "ratelimit-udp", "--rules", "\x1b[31m"}},
    {"ServeMutant", {"serve", "--mutant", "\x1b[31m"}},
    {"ServeListen", {"serve", "--width", "u16", "--listen", "unix:///absent/\x1b[31m"}},
    {"ServeForeignListen", {"serve", "--dialect", "ratelimit-udp", "--listen", "unix:///\x1b[31m"}},
    {"ServeInfoVersion", {"serve", "--width", "u16", "--info-version", "\x1b[31m and much more"}},
    {"CertifyTarget", {"certify", "tcp://\x1b[31m:1", "--width", "u16"}},
    {"IdentifyTarget", {"identify", "unix:///absent/\x1b[31m"}},
    {"LoadTarget", {"load", "unix:///absent/\x1b[31m", "--width", "u16"}},
    {"Decode", {"decode", "\x1b[31m", "--width", "u16"}},
    {"DecodeStates", {"decode", "\x1b[31m", "--dialect", "ratelimit-state"}},
    {"VectorsCheck", {"vectors", "check", "--dir", "\x1b[31m"}},
    {"VectorsShow", {"vectors", "show", "\x1b[31m"}},
    {"Audit", {"audit", "\x1b[31m"}},
    {"Report", {"report", "\x1b[31m"}},
    {"Verify", {"verify", "\x1b[31m"}},
    {"Proxy", {"proxy", "--target", "udp://\x1b[31m:1"}},
    {"Mutants", {"mutants", "run", "--filter", "\x1b[31m"}},
    {"UnknownCommand", {"\x1b[31m"}},
};

class Naming : public EndToEnd, public testing::WithParamInterface<std::string> {};

TEST_P(Naming, DoesNotSteerTheTerminal) {
  write("\x1b[31m", "42|1761884055342794596\n");
  const auto outcome = hallmark(namers.at(GetParam()));
  EXPECT_THAT(outcome.out + outcome.err, HasSubstr("\\x1b[31m"));
  EXPECT_THAT(outcome.out + outcome.err, Not(HasSubstr("\x1b")));
}

std::vector<std::string> names_of_namers() {
  std::vector<std::string> names;
  for (const auto& [name, arguments] : namers) names.push_back(name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Rows, Naming, testing::ValuesIn(names_of_namers()),
                         [](const auto& row) { return row.param; });

TEST_F(EndToEnd, AListenerWhosePathSteersTheTerminalIsEscaped) {
  Server server("u16", directory_.string(), {"unix://" + path("\x1b[31m")});
  EXPECT_THAT(server.target(), HasSubstr("\\x1b[31m"));
}

}  // namespace
}  // namespace hallmark::e2e
