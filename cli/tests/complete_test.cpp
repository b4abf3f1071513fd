#include "cli/completion/complete.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/commands.hpp"
#include "cli/completion/values.hpp"
#include "cli/options/command_line.hpp"

namespace hallmark::cli {
namespace {

using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::IsSupersetOf;
using testing::Not;
using testing::StartsWith;

const CommandDescription& program() {
  static const CommandDescription described = [] {
    int code = 0;
    Command app("", "hallmark");
    add_certify_command(app, code);
    add_serve_command(app, code);
    add_load_command(app, code);
    add_vectors_command(app, code);
    add_clauses_command(app, code);
    add_proxy_command(app, code);
    add_audit_command(app, code);
    add_report_command(app, code);
    add_decode_command(app, code);
    add_schema_command(app, code);
    add_completion_command(app, code);
    return app.describe();
  }();
  return described;
}

std::vector<std::string> texts(const std::vector<std::string>& words) {
  std::vector<std::string> all;
  for (const Candidate& one : complete(program(), words).all) all.push_back(one.text);
  return all;
}

TEST(Complete, Commands) {
  EXPECT_THAT(texts({""}), IsSupersetOf({"certify", "serve", "load", "vectors"}));
  EXPECT_THAT(texts({"ce"}), ElementsAre("certify"));
  EXPECT_THAT(texts({"vectors", ""}), IsSupersetOf({"generate", "check", "list", "show"}));
  EXPECT_THAT(texts({"nothing", ""}), Not(IsEmpty()));
}

TEST(Complete, OptionsOfTheCommandAlone) {
  EXPECT_THAT(texts({"certify", "--wi"}), ElementsAre("--width"));
  EXPECT_THAT(texts({"vectors", "list", "--"}), IsSupersetOf({"--dir", "--dialect", "--help"}));
  EXPECT_THAT(texts({"vectors", "list", "--"}), Not(Contains("--json")));
  EXPECT_THAT(texts({"certify", "--", "--wi"}), IsEmpty());
}

TEST(Complete, DialectsAndTheirWidths) {
  EXPECT_THAT(texts({"serve", "--dialect", "throttr-7"}),
              ElementsAre("throttr-7.1", "throttr-7.3"));
  EXPECT_THAT(texts({"serve", "--dialect=throttr-2"}), ElementsAre("--dialect=throttr-2.0"));
  EXPECT_THAT(texts({"serve", "--width", ""}), ElementsAre("u64", "u8", "u16", "u32"));
  EXPECT_THAT(texts({"serve", "--dialect", "throttr-2.0", "--width", ""}), ElementsAre("u64"));
  EXPECT_THAT(texts({"certify", "--dialect=throttr-2.0", "--width", ""}),
              ElementsAre("u64", "auto"));
  EXPECT_THAT(texts({"clauses", "throttr-6"}), ElementsAre("throttr-6.0"));
}

TEST(Complete, ReadingsAndClausesOfTheDialect) {
  EXPECT_THAT(texts({"serve", "--dialect", "throttr-7.1", "--reading", "ttl-zero="}),
              Contains("ttl-zero=refused"));
  EXPECT_THAT(texts({"certify", "--dialect", "throttr-7.3", "--clause", "query."}),
              Contains("query.layout"));
}

TEST(Complete, CasesPartByPart) {
  EXPECT_THAT(texts({"certify", "--filter", ""}), ElementsAre("throttr-7.3/"));
  const auto operations = texts(
      {"certify", "--dialect", "throttr-7.1", "--width", "u8", "--filter", "throttr-7.1/u8/"});
  EXPECT_THAT(operations, Contains("throttr-7.1/u8/query/"));
  EXPECT_THAT(texts({"certify", "--filter", "throttr-7.3/u16/query/found"}),
              Contains("throttr-7.3/u16/query/found"));
}

TEST(Complete, VectorsOfTheDialectThatIsTyped) {
  EXPECT_THAT(texts({"vectors", "show", ""}), IsSupersetOf({"throttr-6.0/", "ratelimit-state/"}));
  EXPECT_THAT(texts({"vectors", "show", "throttr-7.1/u16/insert/ty"}),
              Contains("throttr-7.1/u16/insert/typical"));
  EXPECT_THAT(texts({"vectors", "show", "ratelimit-state/token-bucket/decide/"}),
              Each(StartsWith("ratelimit-state/token-bucket/decide/")));
}

TEST(Complete, WhatElseIsKnown) {
  EXPECT_THAT(texts({"load", "--workload", "api"}), ElementsAre("api-gateway"));
  EXPECT_THAT(texts({"schema", "load"}), ElementsAre("load", "load-comparison"));
  EXPECT_THAT(texts({"completion", ""}), ElementsAre("bash", "fish", "zsh"));
  EXPECT_THAT(texts({"serve", "--mutant", ""}), Not(IsEmpty()));
  EXPECT_THAT(texts({"certify", "tcp"}), ElementsAre("tcp://127.0.0.1:"));
}

TEST(Complete, PathsAreLeftToTheShell) {
  const auto paths_of = [](std::vector<std::string> words) {
    return complete(program(), words).paths;
  };
  EXPECT_EQ(paths_of({"certify", "--json", ""}), Paths::files);
  EXPECT_EQ(paths_of({"certify", "--vectors", ""}), Paths::directories);
  EXPECT_EQ(paths_of({"report", ""}), Paths::files);
  EXPECT_EQ(paths_of({"report", "a.json", ""}), Paths::files);
  EXPECT_EQ(paths_of({"certify", "--jobs", ""}), Paths::none);
}

TEST(Complete, EveryKnownNameIsDeclared) {
  std::vector<std::string> declared;
  const auto collect = [&declared](const auto& self, const CommandDescription& command) -> void {
    for (const OptionDescription& option : command.options) {
      declared.push_back(option.positional);
      declared.insert(declared.end(), option.names.begin(), option.names.end());
    }
    for (const CommandDescription& one : command.commands) self(self, one);
  };
  collect(collect, program());
  for (const std::string_view name : known_names()) EXPECT_THAT(declared, Contains(name));
}

TEST(Complete, TheAnswerToAShell) {
  EXPECT_EQ(render({{{"a", "what\tit is"}, {"b"}}, Paths::files}), "files\na\twhat\\x09it is\nb\n");
}

}  // namespace
}  // namespace hallmark::cli
