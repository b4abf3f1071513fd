#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>

#include "base/descriptor.hpp"
#include "cmake/places/places.hpp"
#include "e2e/fixture.hpp"

/// Attacks on the files that the program is given: what it writes to, and what it reads.
namespace hallmark::e2e {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::StartsWith;

class Files : public EndToEnd {
 protected:
  Files() { write("states.tsv", "42|1761884055342794596\n"); }

  /// A command that is quick and writes files: the audit of a sound file.
  Outcome audit(Arguments arguments) const {
    arguments.insert(arguments.begin(), {"audit", "states.tsv", "--now", "1761884055342794596"});
    return hallmark(arguments);
  }
  /// The same as words of the shell, in which files are redirected.
  Outcome audit_in_shell(const std::string& before, const std::string& after) const {
    return run({"/bin/sh", "-c",
                before + "exec " + places::program() +
                    " audit states.tsv --now 1761884055342794596 " + after},
               directory_.string());
  }
  void make_pipe_at(const std::string& name) const {
    ASSERT_EQ(::mkfifo(path(name).c_str(), 0600), 0);
  }
  /// A reader of a pipe, which keeps what comes until `taken_from`.
  base::Descriptor reader_of(const std::string& name) const {
    return base::Descriptor(::open(path(name).c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  }
  static std::string taken_from(const base::Descriptor& pipe) {
    std::array<char, 65'536> some;
    const auto got = base::read_some(pipe, some);
    return {some.data(), static_cast<std::size_t>(std::max<std::ptrdiff_t>(got, 0))};
  }
  fs::perms mode(const std::string& name) const { return fs::status(path(name)).permissions(); }
};

TEST_F(Files, ACertificateGoesIntoAPipeAndDoesNotReplaceIt) {
  const Server server("u16", directory_.string());
  make_pipe_at("pipe");
  const auto reader = reader_of("pipe");
  const auto outcome = hallmark({"certify", server.target(), "--width", "u16", "--filter",
                                 "*/insert/typical", "--certificate", "pipe"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(fs::is_fifo(path("pipe")));
  EXPECT_THAT(taken_from(reader), StartsWith("\x28\xb5\x2f\xfd"));
}

TEST_F(Files, OutputsGoIntoADeviceAndDoNotReplaceIt) {
  if (::mknod(path("null").c_str(), S_IFCHR | 0666, makedev(1, 3)) != 0)
    GTEST_SKIP() << "only root may make a device";
  if (!base::Descriptor(::open(path("null").c_str(), O_WRONLY | O_CLOEXEC)).open())
    GTEST_SKIP() << "the file system has no devices";
  const Server server("u16", directory_.string());
  const auto outcome = hallmark({"certify", server.target(), "--width", "u16", "--filter",
                                 "*/insert/typical", "--certificate", "null", "--json", "null"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(audit({"--list", "null"}).exit_code, 0);
  EXPECT_TRUE(fs::is_character_file(path("null")));
}

TEST_F(Files, AListingGoesIntoAPipeAndDoesNotReplaceIt) {
  write("states.tsv", "unreadable\n");
  make_pipe_at("pipe");
  const auto reader = reader_of("pipe");
  EXPECT_EQ(audit({"--list", "pipe"}).exit_code, 1);
  EXPECT_TRUE(fs::is_fifo(path("pipe")));
  EXPECT_THAT(taken_from(reader), StartsWith("{\"kind\":"));
}

TEST_F(Files, AStoreThatIsAPipeIsNotRewritten) {
  make_pipe_at("pipe");
  const auto outcome = hallmark({"audit", "pipe", "--migrate"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, one_line_with({"cannot rewrite pipe: not a regular file"}));
  EXPECT_TRUE(fs::is_fifo(path("pipe")));
}

TEST_F(Files, NewOnesHonourTheUmaskAndOldOnesKeepTheirMode) {
  write("old.json", "old");
  fs::permissions(path("old.json"), fs::perms(0604));
  for (const char* const name : {"new.json", "old.json"}) {
    const auto outcome = audit_in_shell("umask 0027; ", std::string("--json ") + name);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_THAT(read(name), StartsWith("{"));
  }
  EXPECT_EQ(mode("new.json"), fs::perms(0640));
  EXPECT_EQ(mode("old.json"), fs::perms(0604));
}

TEST_F(Files, StandardOutputIsWrittenWhereItStands) {
  for (const char* const name : {"/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"}) {
    const auto outcome = audit_in_shell("", std::string("--json ") + name + " > out.txt");
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    const std::string out = read("out.txt");
    EXPECT_THAT(out, HasSubstr("SOUND")) << name;
    EXPECT_LT(out.find("SOUND"), out.find('{')) << name;
    EXPECT_THAT(out, testing::EndsWith("}\n")) << name;
  }
}

TEST_F(Files, ALinkIsFollowedAndStays) {
  fs::create_symlink("real.json", path("link.json"));
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(audit({"--json", "link.json"}).exit_code, 0);
    EXPECT_TRUE(fs::is_symlink(path("link.json")));
    EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(path("real.json"))));
  }
}

TEST_F(Files, NobodyWaitsForTheReaderOfAPipe) {
  make_pipe_at("pipe");
  const Arguments commands[] = {
      {"audit", "states.tsv", "--json", "pipe"},
      {"audit", "states.tsv", "--list", "pipe"},
      {"clauses", "throttr-7.1", "--json", "pipe"},
      {"load", "tcp://127.0.0.1:1", "--width", "u16", "--hlog", "pipe"},
      {"proxy", "--target", "udp://127.0.0.1:1", "--log", "pipe"},
  };
  for (const Arguments& arguments : commands) {
    const auto outcome = hallmark(arguments);
    EXPECT_EQ(outcome.exit_code, 3) << arguments.front();
    EXPECT_THAT(outcome.err, one_line_with({"cannot write pipe: nobody reads this pipe"}));
    EXPECT_TRUE(fs::is_fifo(path("pipe")));
  }
  const auto refused = hallmark({"certify", "tcp://127.0.0.1:1", "--certificate", "pipe"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, one_line_with({"cannot write pipe: nobody reads this pipe"}));
}

/// A command whose output goes into `pipe` and does not fit there.
struct Wait {
  const char* name;
  Arguments arguments;
};

class Waits : public Files, public testing::WithParamInterface<Wait> {
 protected:
  /// Has a reader that reads nothing, and room for one page.
  base::Descriptor stalled_reader() const {
    make_pipe_at("pipe");
    auto reader = reader_of("pipe");
    ::fcntl(reader.get(), F_SETPIPE_SZ, 4096);
    return reader;
  }
  static void wait_for_bytes(const base::Descriptor& pipe) {
    pollfd waiting{pipe.get(), POLLIN, 0};
    ::poll(&waiting, 1, -1);
  }
};

TEST_P(Waits, ForAReaderThatReadsNothingEndWithASignal) {
  const Server server("u16", directory_.string());
  std::string unreadable;
  for (int i = 0; i < 1'000; ++i) unreadable += "not a state\n";
  write("listed.tsv", unreadable);
  Arguments arguments = GetParam().arguments;
  std::ranges::replace(arguments, "TARGET", server.target());
  for (const int signal : {SIGINT, SIGTERM}) {
    const auto reader = stalled_reader();
    Program program(command(arguments), directory_.string());
    wait_for_bytes(reader);
    program.send_signal(signal);
    const auto outcome = program.wait();
    EXPECT_EQ(outcome.exit_code, 3);
    EXPECT_THAT(outcome.err, one_line_with({"cannot write pipe: stopped by a signal before its "
                                            "reader had taken all of it"}));
    fs::remove(path("pipe"));
  }
}

INSTANTIATE_TEST_SUITE_P(
    OfOutputs, Waits,
    testing::Values(
        Wait{"Clauses", {"clauses", "throttr-7.1", "--json", "pipe"}},
        Wait{"Certify",
             {"certify", "TARGET", "--width", "u16", "--filter", "*/insert/*", "--json", "pipe"}},
        Wait{"Load", {"load", "TARGET", "--width", "u16", "--duration", "100ms", "--json", "pipe"}},
        Wait{"AuditListing", {"audit", "listed.tsv", "--list", "pipe"}}),
    [](const auto& row) { return std::string(row.param.name); });

struct Clash {
  const char* name;
  Arguments arguments;
  Arguments options;
};

class Clashes : public Files, public testing::WithParamInterface<Clash> {};

TEST_P(Clashes, AreRefusedWithBothNames) {
  fs::create_symlink("same", path("link"));
  fs::create_directory(path("sub"));
  const auto outcome = hallmark(GetParam().arguments);
  EXPECT_EQ(outcome.exit_code, 2);
  Arguments parts = GetParam().options;
  parts.emplace_back("one would be lost");
  EXPECT_THAT(outcome.err, one_line_with(parts));
  EXPECT_FALSE(exists("same"));
}

const std::string nobody = "tcp://127.0.0.1:1";

INSTANTIATE_TEST_SUITE_P(
    OfOutputs, Clashes,
    testing::Values(
        Clash{"Certify",
              {"certify", nobody, "--json", "same", "--junit", "same"},
              {"--json", "--junit"}},
        Clash{"CertifyWithDots",
              {"certify", nobody, "--tap", "same", "--badge", "sub/../same"},
              {"--tap", "--badge"}},
        Clash{"CertifyByALink",
              {"certify", nobody, "--certificate", "same", "--json", "link"},
              {"--certificate", "--json"}},
        Clash{"CertifyKnownFailures",
              {"certify", nobody, "--write-known-failures", "same", "--json", "same"},
              {"--write-known-failures", "--json"}},
        Clash{"Load", {"load", nobody, "--csv", "same", "--hlog", "same"}, {"--csv", "--hlog"}},
        Clash{"Audit",
              {"audit", "states.tsv", "--json", "same", "--list", "./same"},
              {"--json", "--list"}},
        Clash{"Proxy",
              {"proxy", "--target", "udp://127.0.0.1:1", "--json", "same", "--log", "same"},
              {"--json", "--log"}},
        Clash{"Report",
              {"report", "run.json", "--json", "same", "--junit", "same"},
              {"--json", "--junit"}},
        Clash{"Mutants",
              {"mutants", "run", "--json", "same", "--page", "same"},
              {"--json", "--page"}}),
    [](const auto& row) { return std::string(row.param.name); });

TEST_F(Files, OneDeviceForTwoOutputsIsAllowed) {
  const auto outcome = audit({"--json", "/dev/null", "--list", "/dev/null"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
}

TEST_F(Files, AnEmptyNameOfAnOutputIsRefused) {
  const Arguments commands[] = {{"audit", "states.tsv", "--json", ""},
                                {"audit", "states.tsv", "--list", ""},
                                {"certify", nobody, "--json", ""},
                                {"certify", nobody, "--certificate", ""},
                                {"certify", nobody, "--reproductions", ""},
                                {"load", nobody, "--hlog", ""},
                                {"clauses", "--json", ""},
                                {"proxy", "--target", "udp://127.0.0.1:1", "--log", ""},
                                {"report", "run.json", "--junit", ""},
                                {"verify", "run.certificate", "--json", ""}};
  for (const Arguments& arguments : commands) {
    const auto outcome = hallmark(arguments);
    EXPECT_EQ(outcome.exit_code, 2) << arguments.front();
    EXPECT_THAT(outcome.err, one_line_with({arguments[arguments.size() - 2], "it is empty"}));
  }
}

TEST_F(Files, ServeRemovesNothingButItsSocket) {
  Server server("u16", directory_.string(), {"unix://" + path("s")});
  ASSERT_TRUE(fs::remove(path("s")));
  write("s", "precious");
  const auto outcome = server.stop(SIGTERM);
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(read("s"), "precious");
}

TEST_F(Files, ServeDoesNotRemoveTheSocketOfItsSuccessor) {
  Server first("u16", directory_.string(), {"unix://" + path("s")});
  ASSERT_TRUE(fs::remove(path("s")));
  const Server second("u16", directory_.string(), {"unix://" + path("s")});
  EXPECT_EQ(first.stop(SIGTERM).exit_code, 0);
  EXPECT_TRUE(fs::is_socket(path("s")));
}

struct FileReader {
  const char* name;
  Arguments arguments;  ///< the file's name follows
};

class Inputs : public Files, public testing::WithParamInterface<FileReader> {
 protected:
  Outcome given(const std::string& file) const {
    Arguments arguments = GetParam().arguments;
    arguments.push_back(file);
    return hallmark(arguments);
  }
};

TEST_P(Inputs, ThatDoNotEndAreRefusedAtTheirBound) {
  const auto outcome = given("/dev/zero");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, one_line_with({"/dev/zero", " MiB, the most that a"}));
}

TEST_P(Inputs, ThatAreDirectoriesAreNamed) {
  fs::create_directory(path("folder"));
  const auto outcome = given("folder");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, one_line_with({"cannot read folder: Is a directory; expected a"}));
}

TEST_P(Inputs, ThatAreMissingAreNamed) {
  const auto outcome = given("absent");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err,
              one_line_with({"cannot read absent: No such file or directory; expected a"}));
}

const std::string datagrams = "udp://127.0.0.1:1";

INSTANTIATE_TEST_SUITE_P(
    Each, Inputs,
    testing::Values(
        FileReader{"Report", {"report"}}, FileReader{"Verify", {"verify"}},
        FileReader{"KnownFailures", {"certify", nobody, "--known-failures"}},
        FileReader{"Baseline", {"certify", nobody, "--baseline"}},
        FileReader{"Workload", {"load", nobody, "--workload"}},
        FileReader{"Replay", {"load", nobody, "--replay"}},
        FileReader{"KeysFrom", {"load", nobody, "--keys-from"}},
        FileReader{"LoadRules", {"load", datagrams, "--dialect", "ratelimit-udp", "--rules"}},
        FileReader{"CertifyRules", {"certify", datagrams, "--dialect", "ratelimit-udp", "--rules"}},
        FileReader{"ServeRules", {"serve", "--dialect", "ratelimit-udp", "--rules"}},
        FileReader{"AuditConfiguration", {"audit", "states.tsv", "--config"}}),
    [](const auto& row) { return std::string(row.param.name); });

}  // namespace
}  // namespace hallmark::e2e
