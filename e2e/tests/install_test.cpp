#include <algorithm>
#include <cstdlib>

#include "base/text.hpp"
#include "cmake/places/places.hpp"
#include "e2e/fixture.hpp"

namespace hallmark::e2e {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class Install : public EndToEnd {
 protected:
  /// A copy of the program alone, away from its build tree.
  std::string copied() {
    const fs::path copy = directory_ / "bin/hallmark";
    fs::create_directories(copy.parent_path());
    fs::copy_file(places::program(), copy);
    return copy.string();
  }
};

class OneFile : public Install {};

TEST_F(OneFile, ACopiedProgramCertifies) {
  const std::string program = copied();
  const Server server("u16", directory_.string(), {"tcp://127.0.0.1:0"},
                      {"--dialect", "throttr-7.3"});
  const auto outcome = run({program, "certify", server.target(), "--dialect", "throttr-7.3",
                            "--width", "u16", "--filter", "*/query/*"},
                           directory_.string());
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("CERTIFIED"));
}

TEST_F(OneFile, ItsVectorsAreAsGenerated) {
  const auto outcome = run({copied(), "vectors", "check"}, directory_.string());
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("in the program, all as generated"));
}

TEST_F(OneFile, OtherVectorsAreNamed) {
  const auto outcome = run({copied(), "vectors", "list", "--dir", "absent"}, directory_.string());
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, one_line_with({"absent"}));
}

TEST_F(OneFile, GeneratingNeedsADirectory) {
  const std::string program = copied();
  const auto refused = run({program, "vectors", "generate"}, directory_.string());
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, one_line_with({"not beside this program", "--out DIR"}));
  const auto written = run({program, "vectors", "generate", "--out", "new"}, directory_.string());
  EXPECT_EQ(written.exit_code, 0) << written.err;
  EXPECT_TRUE(exists("new/throttr-7.3/query.json"));
}

TEST_F(OneFile, SchemasArePrinted) {
  const auto names = hallmark({"schema"});
  EXPECT_EQ(names.exit_code, 0);
  EXPECT_THAT(names.out, HasSubstr("certify\n"));
  EXPECT_EQ(hallmark({"schema", "load"}).out,
            read(places::source("reports/schema/load.schema.json")));
  const auto unknown = hallmark({"schema", "laod"});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_THAT(unknown.err, one_line_with({"'laod'", "did you mean load?"}));
}

class Manual : public Install {
 protected:
  std::vector<std::string> written_pages() {
    EXPECT_EQ(hallmark({"man", "--out", "man1"}).exit_code, 0);
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(directory_ / "man1"))
      names.push_back(entry.path().string());
    std::ranges::sort(names);
    return names;
  }
};

TEST_F(Manual, EveryCommandHasAPage) {
  const auto pages = written_pages();
  EXPECT_THAT(pages, testing::Contains(path("man1/hallmark.1")));
  EXPECT_THAT(pages, testing::Contains(path("man1/hallmark-certify.1")));
  EXPECT_THAT(read("man1/hallmark-certify.1"),
              HasSubstr("\\fB\\-\\-known\\-failures\\fR \\fIFILE\\fR"));
  EXPECT_EQ(hallmark({"man", "certify"}).out, read("man1/hallmark-certify.1"));
  const auto unknown = hallmark({"man", "certfy"});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_THAT(unknown.err, one_line_with({"'certfy'", "did you mean certify?"}));
}

TEST_F(Manual, AnEpochMakesPagesThatRepeat) {
  setenv("SOURCE_DATE_EPOCH", "86400", 1);
  const auto outcome = hallmark({"man"});
  unsetenv("SOURCE_DATE_EPOCH");
  EXPECT_THAT(outcome.out, testing::StartsWith(".TH HALLMARK 1 1970-01-02 "));
}

TEST_F(Manual, FormattersFindNothingWrong) {
  for (const std::string& page : written_pages()) {
    const auto formatted = run(
        {"groff", "-Kutf8", "-man", "-Tutf8", "-ww", "-rLL=100n", "-z", page}, directory_.string());
    EXPECT_THAT(formatted.out + formatted.err, IsEmpty()) << page;
    const auto checked = run({"mandoc", "-T", "lint", "-W", "warning", page}, directory_.string());
    EXPECT_THAT(checked.out + checked.err, IsEmpty()) << page;
  }
}

class HelpOfCommands : public Install {};

TEST_F(HelpOfCommands, FitsEightyColumns) {
  const std::vector<Arguments> commands = {{},
                                           {"serve"},
                                           {"certify"},
                                           {"verify"},
                                           {"identify"},
                                           {"load"},
                                           {"vectors"},
                                           {"vectors", "list"},
                                           {"vectors", "generate"},
                                           {"readings"},
                                           {"report"},
                                           {"report", "compare"},
                                           {"decode"},
                                           {"proxy"},
                                           {"clauses"},
                                           {"mutants", "run"},
                                           {"mutants", "localize"},
                                           {"audit"},
                                           {"schema"},
                                           {"man"},
                                           {"completion"}};
  for (Arguments arguments : commands) {
    arguments.emplace_back("--help-all");
    const auto outcome = hallmark(arguments);
    EXPECT_EQ(outcome.exit_code, 0);
    std::string_view text = outcome.out;
    while (!text.empty()) {
      const std::string_view line = base::take_line(text);
      EXPECT_LE(base::display_width(line), 80U) << line;
      EXPECT_FALSE(line.ends_with(' ')) << line;
    }
  }
}

TEST_F(HelpOfCommands, CommonOptionsComeAloneAndAllWhenAsked) {
  const std::string common = hallmark({"certify", "--help"}).out;
  EXPECT_THAT(common, HasSubstr("--known-failures"));
  EXPECT_THAT(common, Not(HasSubstr("--key-pattern")));
  EXPECT_THAT(common, HasSubstr("`hallmark certify --help-all` shows "));
  EXPECT_THAT(hallmark({"certify", "--help-all"}).out, HasSubstr("--key-pattern"));
}

class Completion : public Install {
 protected:
  /// The completions that bash offers for the line, in the form in which it would show them.
  std::vector<std::string> offered(const std::string& line) {
    write("hallmark.bash", hallmark({"completion", "bash"}).out);
    write("ask.bash", R"(
      PATH=$1:$PATH
      source ./hallmark.bash || exit 9
      complete -p hallmark >/dev/null || exit 8
      COMP_LINE=$2 COMP_POINT=${#2}
      # Bash splits at blanks, colons and equals signs.
      mapfile -t COMP_WORDS < <(sed -E 's/([:=]+)/\n\1\n/g; s/ +/\n/g' <<<"$2" | grep -v '^$')
      if [[ $2 == *' ' ]]; then COMP_WORDS+=(""); fi
      COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
      _hallmark hallmark "${COMP_WORDS[COMP_CWORD]}"
      printf '%s\n' "${COMPREPLY[@]}")");
    const auto outcome = run({"/bin/bash", "--norc", "ask.bash",
                              fs::path(places::program()).parent_path().string(), line},
                             directory_.string());
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    std::vector<std::string> words;
    std::string_view text = outcome.out;
    while (!text.empty()) {
      const auto word = base::take_line(text);
      if (!word.empty()) words.emplace_back(word);
    }
    return words;
  }
};

TEST_F(Completion, BashIsToldByTheProgram) {
  EXPECT_THAT(offered("hallmark iden"), ElementsAre("identify"));
  EXPECT_THAT(offered("hallmark certify --dialect throttr-6"), ElementsAre("throttr-6.0"));
  EXPECT_THAT(offered("hallmark serve --dialect throttr-2.0 --width "), ElementsAre("u64"));
  EXPECT_THAT(offered("hallmark certify --filter throttr-7.3/u16/query/fou"),
              testing::Contains("throttr-7.3/u16/query/found"));
  EXPECT_THAT(offered("hallmark clauses thr"), testing::Contains("throttr-7.1"));
}

TEST_F(Completion, BashGetsOnlyWhatStandsBehindAColonOrAnEqualsSign) {
  EXPECT_THAT(offered("hallmark serve --width=u1"), ElementsAre("u16"));
  EXPECT_THAT(offered("hallmark serve --dialect throttr-7.1 --reading ttl-zero=ref"),
              ElementsAre("refused"));
  EXPECT_THAT(offered("hallmark certify tcp:"), ElementsAre("//127.0.0.1:"));
  EXPECT_THAT(offered("hallmark certify tcp://127.0.0.1:9000 --wid"), ElementsAre("--width"));
}

TEST_F(Completion, BashCompletesPaths) {
  write("result.json", "{}");
  EXPECT_THAT(offered("hallmark report res"), ElementsAre("result.json"));
  fs::create_directories(directory_ / "folder");
  write("folder.txt", "");
  EXPECT_THAT(offered("hallmark certify --vectors fol"), ElementsAre("folder"));
}

TEST_F(Completion, OtherShellsTakeTheirScripts) {
  for (const std::string shell : {"zsh", "fish"}) {
    const auto script = hallmark({"completion", shell});
    EXPECT_EQ(script.exit_code, 0);
    write("script." + shell, script.out);
    const auto checked = run({shell, "-n", "script." + shell}, directory_.string());
    EXPECT_EQ(checked.exit_code, 0) << checked.err;
  }
  const auto unknown = hallmark({"completion", "tcsh"});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_THAT(unknown.err, one_line_with({"'tcsh'", "bash, fish or zsh"}));
}

TEST_F(Completion, FishIsToldByTheProgram) {
  write("script.fish", hallmark({"completion", "fish"}).out);
  const std::string directory = fs::path(places::program()).parent_path().string();
  const auto outcome =
      run({"fish", "--no-config", "-c",
           "set -x PATH " + directory +
               " $PATH; source script.fish; complete -C 'hallmark serve --width u1'"},
          directory_.string());
  EXPECT_EQ(outcome.out, "u16\n") << outcome.err;
}

}  // namespace
}  // namespace hallmark::e2e
