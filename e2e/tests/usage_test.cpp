#include "cmake/places/places.hpp"
#include "e2e/fixture.hpp"
#include "e2e/refusal.hpp"

namespace hallmark::e2e {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class Usage : public EndToEnd {};

TEST_F(Usage, VersionIsOneLine) {
  const auto outcome = hallmark({"--version"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.out, one_line_with({"hallmark ", HALLMARK_VERSION}));
}

TEST_F(Usage, HelpOfTheProgramListsCommandsAndExitCodes) {
  const auto outcome = hallmark({"--help"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.err, "");
  for (const char* command : {"serve", "certify", "load", "vectors", "report"}) {
    EXPECT_THAT(outcome.out, HasSubstr(command));
  }
  EXPECT_THAT(outcome.out, HasSubstr("Exit codes:\n"));
  EXPECT_THAT(outcome.out, testing::EndsWith("\n"));
}

TEST_F(Usage, HelpOfEveryCommandHasExamples) {
  const std::vector<Arguments> commands = {{"serve"},
                                           {"certify"},
                                           {"load"},
                                           {"report"},
                                           {"decode"},
                                           {"vectors"},
                                           {"vectors", "check"},
                                           {"vectors", "list"},
                                           {"vectors", "show"},
                                           {"vectors", "generate"}};
  for (auto arguments : commands) {
    const auto name = testing::PrintToString(arguments);
    arguments.emplace_back("--help");
    const auto outcome = hallmark(arguments);
    EXPECT_EQ(outcome.exit_code, 0) << name;
    EXPECT_THAT(outcome.out, HasSubstr("Example")) << name;
    EXPECT_THAT(outcome.out, HasSubstr("  hallmark ")) << name;
  }
}

class Refused : public EndToEnd, public testing::WithParamInterface<Refusal> {};

TEST_P(Refused, OneLineThatSaysWhatCameAndWhatIsAllowed) {
  const auto outcome = hallmark(GetParam().arguments);
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err, one_line_with(GetParam().parts));
  EXPECT_THAT(outcome.err, StartsWith("hallmark"));
}

const Refusal usage_refusals[] = {
    {"NoCommand",
     {},
     {"serve, certify, certify-client, verify, identify, load, vectors, readings, report, decode"}},
    {"UnknownCommand",
     {"bench"},
     {"'bench'",
      "serve, certify, certify-client, verify, identify, load, vectors, readings, report, decode"}},
    {"UnknownOption", {"report", "--xml", "a"}, {"'--xml'", "see hallmark report --help"}},
    {"MistypedOption",
     {"certify", unreached_target, "--wdith", "u16"},
     {"'--wdith'", "did you mean --width?"}},
    {"MistypedOptionOfLoad", {"load", unreached_target, "--raet=5"}, {"did you mean --rate?"}},
    {"MistypedCommand", {"certfy", unreached_target}, {"'certfy'", "did you mean certify?"}},
    {"UnknownVectorsCommand", {"vectors", "diff"}, {"'diff'", "generate, check, list, show"}},
    {"ServeDialect", {"serve", "--dialect", "throttr-9"}, {"'throttr-9'", "throttr-7.1"}},
    {"ServeWidth", {"serve", "--width", "u24"}, {"'u24'", "u8, u16, u32, u64"}},
    {"ServeListen", {"serve", "--listen", "tcp:9000"}, {"'tcp:9000'", "tcp://", "unix://"}},
    {"ServeThreads", {"serve", "--threads", "0"}, {"--threads", "0", "1 to 256"}},
    {"CertifyWithoutTarget", {"certify"}, {"tcp://", "unix://", "exec:"}},
    {"CertifyTarget", {"certify", "localhost:9000"}, {"localhost:9000", "tcp://", "unix://"}},
    {"CertifyPort", {"certify", "tcp://127.0.0.1:70000"}, {"70000", "tcp://"}},
    {"CertifyDialect",
     {"certify", unreached_target, "--dialect", "redis"},
     {"'redis'", "throttr-7.1"}},
    {"CertifyWidth", {"certify", unreached_target, "--width", "16"}, {"'16'", "u8, u16, u32, u64"}},
    {"CertifyOperation",
     {"certify", unreached_target, "--dialect", "throttr-7.1", "--width", "u16", "--operation",
      "INCR"},
     {"INCR", "INSERT", "WHOAMI"}},
    {"CertifyFilter",
     {"certify", unreached_target, "--dialect", "throttr-7.1", "--width", "u16", "--filter",
      "no/such/*"},
     {"no/such/*"}},
    {"CertifyExclude",
     {"certify", unreached_target, "--dialect", "throttr-7.1", "--width", "u16", "--exclude",
      "no/such/*"},
     {"--exclude no/such/*"}},
    {"CertifyClause",
     {"certify", unreached_target, "--dialect", "throttr-7.1", "--width", "u16", "--clause",
      "no.such"},
     {"no.such"}},
    {"CertifyVectors",
     {"certify", unreached_target, "--dialect", "throttr-7.1", "--width", "u16", "--vectors",
      "absent"},
     {"absent"}},
    {"LoadTarget", {"load", "127.0.0.1"}, {"127.0.0.1", "tcp://", "unix://"}},
    {"LoadDialect", {"load", unreached_target, "--dialect", "redis"}, {"'redis'", "throttr-7.1"}},
    {"LoadWidth", {"load", unreached_target, "--width", "u0"}, {"'u0'", "u8, u16, u32, u64"}},
    {"LoadMix", {"load", unreached_target, "--mix", "incr=1"}, {"incr", "insert"}},
    {"LoadWeight", {"load", unreached_target, "--mix", "query=-1"}, {"query=-1"}},
    {"LoadRate", {"load", unreached_target, "--rate", "0"}, {"--rate 0", "nothing would be sent"}},
    {"LoadRamp", {"load", unreached_target, "--rate", "1k..x"}, {"'1k..x'", "FROM..TO"}},
    {"LoadReplay", {"load", unreached_target, "--replay", "absent"}, {"cannot read absent"}},
    {"LoadSlo",
     {"load", unreached_target, "--slo", "p98<1ms"},
     {"'p98' is not a metric", "p99.9", "errors"}},
    {"LoadDuration", {"load", unreached_target, "--duration", "soon"}, {"soon"}},
    {"VectorsWidth", {"vectors", "list", "--width", "u9"}, {"'u9'", "u8, u16, u32, u64"}},
    {"VectorsOperation", {"vectors", "list", "--operation", "INCR"}, {"'INCR'", "INSERT"}},
    {"VectorsFilter", {"vectors", "list", "--filter", "zz*"}, {"'zz*'", "hallmark vectors list"}},
    {"VectorsId", {"vectors", "show", "insert/typcal"}, {"'insert/typcal'", "/insert/typical"}},
    {"ReportFile", {"report", "absent.json"}, {"absent.json"}},
};

INSTANTIATE_TEST_SUITE_P(Rows, Refused, testing::ValuesIn(usage_refusals),
                         [](const auto& row) { return std::string(row.param.name); });

class InvalidVectors : public EndToEnd {};

TEST_F(InvalidVectors, OneLineWithTheFileAndWhatIsWrong) {
  const std::vector<std::pair<std::string, std::string>> rows = {
      {"empty", ""},
      {"not JSON", "{\"dialect\": "},
      {"another document", "{\"dialect\": 7}"},
      {"a list", "[]"}};
  for (const auto& [name, text] : rows) {
    write("throttr-7.1/insert.json", text);
    const auto outcome = hallmark({"certify", unreached_target, "--dialect", "throttr-7.1",
                                   "--width", "u16", "--vectors", "."});
    EXPECT_EQ(outcome.exit_code, 2) << name;
    EXPECT_THAT(outcome.err, one_line_with({"throttr-7.1/insert.json"})) << name;
  }
}

TEST_F(InvalidVectors, UnreadableFile) {
  // A directory of that name cannot be read as a file, whoever asks: root may read all files.
  std::filesystem::create_directories(directory_ / "throttr-7.1/insert.json");
  const auto outcome = hallmark({"certify", unreached_target, "--dialect", "throttr-7.1", "--width",
                                 "u16", "--vectors", "."});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, one_line_with({"throttr-7.1/insert.json"}));
}

TEST_F(InvalidVectors, NoFileOfTheDialect) {
  std::filesystem::create_directories(directory_ / "throttr-7.1");
  const auto outcome = hallmark({"certify", unreached_target, "--dialect", "throttr-7.1", "--width",
                                 "u16", "--vectors", "."});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, one_line_with({"throttr-7.1: holds no .json file"}));
}

TEST_F(InvalidVectors, OfFormat2AreToBeConverted) {
  std::filesystem::create_directories(directory_ / "throttr-7.1/u16");
  write("throttr-7.1/u16/insert.json", "{\"format\": 2}");
  const auto outcome = hallmark({"certify", unreached_target, "--dialect", "throttr-7.1", "--width",
                                 "u16", "--vectors", "."});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, one_line_with({"throttr-7.1", "format 2, which hallmark 0.1.0 reads",
                                          "hallmark vectors convert OLD NEW"}));
}

TEST_F(Usage, FullStandardOutputIsAnError) {
  const auto outcome = run({"/bin/sh", "-c", "exec \"$0\" --help > /dev/full", places::program()},
                           directory_.string());
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_THAT(outcome.err, one_line_with({"standard output"}));
}

}  // namespace
}  // namespace hallmark::e2e
