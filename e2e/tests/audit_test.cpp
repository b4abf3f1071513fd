#include <fmt/format.h>

#include <csignal>
#include <random>
#include <sstream>

#include "audit/tests/planted.hpp"
#include "audit/tests/stocked.hpp"
#include "base/tests/parsed.hpp"
#include "e2e/fixture.hpp"
#include "e2e/refusal.hpp"

namespace hallmark::e2e {
namespace {

using audit::test::contents;
using audit::test::Stock;
using base::Json;
using base::test::parsed;
using stores::test::RedisServer;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

const std::string now = std::to_string(audit::test::now);

class Audit : public EndToEnd {
 protected:
  Outcome audit(Arguments arguments) const {
    arguments.insert(arguments.begin(), "audit");
    arguments.insert(arguments.end(), {"--now", now});
    return hallmark(arguments);
  }

  Json report(const std::string& name) const {
    EXPECT_THAT(violations("audit.schema.json", name), IsEmpty());
    return parsed(read(name));
  }
};

TEST_F(Audit, HelpHasExamplesAndExitCodes) {
  const auto outcome = hallmark({"audit", "--help"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.out, HasSubstr("  hallmark audit redis://"));
  EXPECT_THAT(outcome.out, HasSubstr("  hallmark audit postgres://"));
  EXPECT_THAT(outcome.out, HasSubstr("Exit codes: 0"));
  EXPECT_THAT(outcome.out, HasSubstr("--dry-run"));
}

TEST_F(Audit, ASoundFile) {
  write("states.tsv", "a\t12|8.5|" + now + "\nb\tv2|" + now + "|\n");
  const auto outcome = audit({"states.tsv", "--json", "audit.json"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.err, "");
  EXPECT_THAT(outcome.out, HasSubstr("SOUND  2 entries, 0 with findings\n"));
  const Json saved = report("audit.json");
  EXPECT_EQ(saved["exit_code"], 0);
  EXPECT_EQ(saved["audit"]["states"], 2);
}

TEST_F(Audit, EveryPlantedFaultIsShownListedAndSaved) {
  std::string states;
  std::size_t faulty = 0, findings = 0;
  for (const auto& row : audit::test::planted()) {
    if (row.text.empty()) continue;
    states += row.key + "\t" + row.text + "\n";
    ++faulty;
    findings += row.findings.size();
  }
  write("states.tsv", states);
  const auto outcome = audit({"states.tsv", "--json", "audit.json", "--list", "list.jsonl"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.out, HasSubstr("malformed  \"planted:NoHeader\", header at byte 0"));
  EXPECT_THAT(outcome.out,
              HasSubstr(fmt::format("FAULTY  {0} entries, {0} with findings", faulty)));
  EXPECT_EQ(report("audit.json")["audit"]["faulty"], faulty);
  std::istringstream lines(read("list.jsonl"));
  std::size_t count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    const Json one = parsed(line);
    EXPECT_TRUE(one["key"].string().starts_with("planted:")) << line;
  }
  EXPECT_EQ(count, findings);
  EXPECT_EQ(read("states.tsv"), states);
}

TEST_F(Audit, MigratesAFileByItsConfiguration) {
  write("keys.json", R"({"rules":[{"match":"fw:*","strategy":"fixed-window",
      "merge":"{key}:{quota}","quotas":["default","hourly"]},
      {"match":"both:*","strategy":"composite","primary":{"strategy":"fixed-window","quota":"q"},
       "secondary":{"strategy":"token-bucket"}}]})");
  EXPECT_THAT(violations("audit-config.schema.json", "keys.json"), IsEmpty());
  const std::string states = "fw:a:hourly\tv2|9|" + now + "|\nboth:1\tcmp1|v2|3|" + now +
                             "|$v2|8.5|" + now + "|\nfw:a:default\tv2|3|" + now + "|\n";
  write("states.tsv", states);
  const auto dry = audit(
      {"states.tsv", "--config", "keys.json", "--migrate", "--dry-run", "--json", "dry.json"});
  EXPECT_EQ(dry.exit_code, 0) << dry.out << dry.err;
  EXPECT_THAT(dry.out, HasSubstr("would rewrite (nothing was written)"));
  EXPECT_EQ(read("states.tsv"), states);
  const auto done =
      audit({"states.tsv", "--config", "keys.json", "--migrate", "--json", "done.json"});
  EXPECT_EQ(done.exit_code, 0) << done.out << done.err;
  EXPECT_EQ(read("states.tsv"), "both:1\t51|23|1|q|3|" + now + "$12|8.5|" + now +
                                    "\nfw:a\t23|2|default|3|" + now + "|hourly|9|" + now + "\n");
  Json one = report("dry.json")["migration"], other = report("done.json")["migration"];
  one.erase("dry_run");
  other.erase("dry_run");
  EXPECT_EQ(one, other);
}

TEST_F(Audit, RulesThatNoKeyMatchesAreNamed) {
  write("states.tsv", "rl:1\tv2|8.5|" + now + "|\n");
  write("keys.json", R"({"rules":[{"match":"lr:*","strategy":"token-bucket"}]})");
  const auto outcome = audit({"states.tsv", "--config", "keys.json", "--json", "audit.json"});
  EXPECT_THAT(outcome.out, HasSubstr("\nrules that no key matches: lr:*\n"));
  EXPECT_EQ(report("audit.json")["audit"]["unused_rules"][0], "lr:*");
}

TEST_F(Audit, AnUnfinishedMigrationExitsWith1AndSaysSo) {
  const std::pair<const char*, std::string> rows[] = {
      {"ambiguous", "v2|8.5|" + now + "|"},
      {"no-quota", "v2|8|" + now + "|"},
      {"unwritable", "v3|0"},
  };
  write("keys.json", R"({"rules":[{"match":"no-quota","strategy":"fixed-window"}]})");
  for (const auto& [why, state] : rows) {
    write("states.tsv", std::string(why) + "\t" + state + "\n");
    for (const char* const how : {"--dry-run", "--allow-empty"}) {
      const auto outcome =
          audit({"states.tsv", "--config", "keys.json", "--migrate", how, "--json", "audit.json"});
      EXPECT_EQ(outcome.exit_code, 1) << outcome.out;
      EXPECT_THAT(outcome.out, HasSubstr(std::string("cannot be migrated, ") + why + ": 1"));
      EXPECT_THAT(outcome.out, HasSubstr("UNFINISHED  1 entry, 0 with findings, 1 not"));
      EXPECT_EQ(report("audit.json")["exit_code"], 1);
      EXPECT_EQ(report("audit.json")["verdict"], "unfinished");
    }
    EXPECT_EQ(audit({"states.tsv"}).exit_code, 0) << "nobody asked for a migration";
  }
}

TEST_F(Audit, ARepairThatLeavesNothingWrongExitsWith0) {
  const std::string odd = "12|5.0|" + now;
  write("states.tsv", "a\t" + odd + "\nb\tcmp1|42|" + now + "$12|5|" + now + "\n");
  EXPECT_EQ(audit({"states.tsv"}).exit_code, 1);
  EXPECT_EQ(audit({"states.tsv", "--migrate", "--dry-run"}).exit_code, 0);
  const auto outcome = audit({"states.tsv", "--migrate", "--json", "audit.json"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out;
  EXPECT_THAT(outcome.out, HasSubstr("SOUND  2 entries, 2 with findings, 2 of them repaired\n"));
  EXPECT_EQ(report("audit.json")["migration"]["repaired"], 2);
  EXPECT_EQ(audit({"states.tsv"}).exit_code, 0);
  write("states.tsv", "a\t12|-5.0|" + now + "\n");
  EXPECT_EQ(audit({"states.tsv", "--migrate"}).exit_code, 1) << "canonical, and still below 0";
}

TEST_F(Audit, ARepairOfRedisThatLeavesNothingWrongExitsWith0) {
  const RedisServer server;
  server.run({"SET", "a", "12|5.0|" + now});
  EXPECT_EQ(audit({server.url()}).exit_code, 1);
  EXPECT_EQ(audit({server.url(), "--migrate"}).exit_code, 0);
  EXPECT_EQ(audit({server.url()}).exit_code, 0);
}

TEST_F(Audit, APatternWithoutAMatchIsRefusedUnlessItMayBeEmpty) {
  const RedisServer server;
  server.run({"SET", "rl:1", "42|" + now});
  write("states.tsv", "rl:1\t42|" + now + "\n");
  for (const std::string& store : {server.url(), std::string("states.tsv")}) {
    const auto refused =
        audit({store, "--match", "no:*", "--json", "audit.json", "--list", "list.jsonl"});
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_EQ(refused.out, "");
    EXPECT_THAT(refused.err, one_line_with({"hallmark audit: --match 'no:*'", "--allow-empty"}));
    EXPECT_FALSE(exists("audit.json") || exists("list.jsonl"));
    const auto empty = audit({store, "--match", "no:*", "--allow-empty"});
    EXPECT_EQ(empty.exit_code, 0) << empty.err;
    EXPECT_THAT(empty.out, HasSubstr("EMPTY  0 entries"));
    EXPECT_EQ(audit({store, "--match", "rl:*"}).exit_code, 0);
  }
}

TEST_F(Audit, TimesInOtherUnitsAndBytesThatAreLeftOverAreExplained) {
  write("states.tsv", "s\t12|5|1761884055\nms\t42|1761884055342\nmore\t12|5|" + now + "|10\n");
  const auto outcome = audit({"states.tsv", "--json", "audit.json", "--list", "list.jsonl"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.out,
              HasSubstr("wrong-unit  \"s\", last_refill at byte 5: is in seconds since 1970: "
                        "2025-10-31T04:14:15.000Z\n"));
  EXPECT_THAT(outcome.out, HasSubstr("tat: is in milliseconds since 1970"));
  EXPECT_THAT(outcome.out,
              HasSubstr("malformed  \"more\", last_refill at byte 24: 3 bytes are left over\n"));
  const Json left_over = report("audit.json")["audit"]["findings"][0]["examples"][0];
  EXPECT_EQ(left_over["field"], "last_refill");
  EXPECT_EQ(left_over["offset"], 24);
  EXPECT_THAT(read("list.jsonl"), HasSubstr("milliseconds since 1970: "
                                            "2025-10-31T04:14:15.342Z"));
}

TEST_F(Audit, NobodyThereIsOneLine) {
  const Nobody nobody;
  const std::string address = "redis" + nobody.target().substr(3);
  const auto outcome = audit({address, "--json", "audit.json"});
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err, one_line_with({"hallmark audit: ", address.substr(8)}));
  EXPECT_FALSE(exists("audit.json"));
}

TEST_F(Audit, SilenceEndsWithTheTimeout) {
  const Silence silence;
  const auto outcome = audit({"redis" + silence.target().substr(3), "--timeout", "100ms"});
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_THAT(outcome.err, one_line_with({"hallmark audit: "}));
}

TEST_F(Audit, ReportsThatCannotBeWrittenAreNamed) {
  write("states.tsv", "42|" + now + "\n");
  const auto outcome = audit({"states.tsv", "--json", "absent/audit.json"});
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_THAT(outcome.out, HasSubstr("SOUND"));
  EXPECT_THAT(outcome.err, one_line_with({"absent/audit.json"}));
  const auto list = audit({"states.tsv", "--list", "absent/list.jsonl"});
  EXPECT_EQ(list.exit_code, 3);
  EXPECT_EQ(list.out, "");
  EXPECT_THAT(list.err, one_line_with({"absent/list.jsonl"}));
}

class AuditRefuses : public EndToEnd, public testing::WithParamInterface<Refusal> {};

TEST_P(AuditRefuses, OneLineThatSaysWhatCameAndWhatIsAllowed) {
  write("states.tsv", "42|1\n");
  write("bad.json", R"({"rules":[{"strategy":"log"}]})");
  Arguments arguments = {"audit"};
  arguments.insert(arguments.end(), GetParam().arguments.begin(), GetParam().arguments.end());
  const auto outcome = hallmark(arguments);
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err, StartsWith("hallmark audit: "));
  EXPECT_THAT(outcome.err, one_line_with(GetParam().parts));
}

const Refusal audit_refusals[] = {
    {"NoStore", {}, {"STORE"}},
    {"FileThatIsNotThere", {"absent.tsv"}, {"absent.tsv"}},
    {"AddressWithoutAScheme", {"127.0.0.1:6390"}, {"did you mean redis://127.0.0.1:6390?"}},
    {"AddressOfPostgresWithoutAScheme",
     {"app:secret@127.0.0.1:5432/limits"},
     {"app:***@", "did you mean postgres://app:***@127.0.0.1:5432/limits?"}},
    {"AddressWithoutASchemeToMigrate",
     {"127.0.0.1:6390", "--migrate"},
     {"did you mean redis://127.0.0.1:6390?"}},
    {"Directory", {"."}, {"Is a directory"}},
    {"AddressOfNoStore", {"http://127.0.0.1"}, {"http://127.0.0.1", "redis://"}},
    {"DryRunAlone", {"states.tsv", "--dry-run"}, {"--dry-run", "--migrate"}},
    {"Strategy", {"states.tsv", "--strategy", "log"}, {"strategy 'log'", "token-bucket"}},
    {"PartOfNoComposite",
     {"states.tsv", "--strategy", "gcra", "--primary", "gcra"},
     {"only a composite has parts"}},
    {"ConfigAndStrategy",
     {"states.tsv", "--config", "x", "--strategy", "gcra"},
     {"--config", "--strategy"}},
    {"ConfigThatIsNotThere", {"states.tsv", "--config", "absent.json"}, {"absent.json"}},
    {"ConfigWithAMistake", {"states.tsv", "--config", "bad.json"}, {"bad.json", "rule 1", "'log'"}},
    {"Skew", {"states.tsv", "--skew", "soon"}, {"--skew", "'soon'", "days"}},
    {"Now", {"states.tsv", "--now", "today"}, {"--now", "'today'", "nanoseconds"}},
    {"Batch", {"states.tsv", "--batch", "0"}, {"--batch", "0"}},
    {"UnknownOption", {"states.tsv", "--fix"}, {"'--fix'", "see hallmark audit --help"}},
};

INSTANTIATE_TEST_SUITE_P(Rows, AuditRefuses, testing::ValuesIn(audit_refusals),
                         [](const auto& row) { return std::string(row.param.name); });

/// The number of times that the server has run a command since CONFIG RESETSTAT.
std::size_t calls(const RedisServer& server, const std::string& command) {
  const std::string info = server.run({"INFO", "commandstats"});
  const std::string name = "cmdstat_" + command + ":calls=";
  const auto found = info.find(name);
  return found == info.npos ? 0 : std::stoul(info.substr(found + name.size()));
}

/// False: the program ended before the command had been called so often, or patience is over.
bool wait_for_calls(const RedisServer& server, const std::string& command, std::size_t count) {
  const auto until = std::chrono::steady_clock::now() + Program::patience;
  while (calls(server, command) < count) {
    if (std::chrono::steady_clock::now() > until) return false;
  }
  return true;
}

TEST_F(Audit, CtrlCKeepsWhatWasCounted) {
  const RedisServer server;
  server.fill("rl:", 200'000, "42|" + now);
  Program program(
      command({"audit", server.url(), "--batch", "1", "--now", now, "--json", "audit.json"}),
      directory_.string());
  ASSERT_TRUE(wait_for_calls(server, "scan", 100));
  program.send_signal(SIGINT);
  const auto outcome = program.wait();
  EXPECT_EQ(outcome.exit_code, 4);
  EXPECT_THAT(outcome.out, HasSubstr("INCOMPLETE"));
  const Json saved = report("audit.json");
  EXPECT_EQ(saved["interrupted"], true);
  EXPECT_GT(saved["audit"]["entries"], 0);
  EXPECT_LT(saved["audit"]["entries"], 200'000);
}

TEST_F(Audit, AStoreThatIsLostIsSaidWithWhatWasCounted) {
  RedisServer server;
  server.fill("rl:", 200'000, "42|" + now);
  Program program(
      command({"audit", server.url(), "--batch", "1", "--now", now, "--json", "audit.json"}),
      directory_.string());
  ASSERT_TRUE(wait_for_calls(server, "scan", 100));
  server.kill();
  const auto outcome = program.wait();
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_THAT(outcome.out, HasSubstr("the store was lost"));
  EXPECT_GT(report("audit.json")["audit"]["entries"], 0);
}

TEST_F(Audit, APasswordIsNotShown) {
  const RedisServer server({.password = "open-sesame"});
  server.run({"SET", "a", "42|" + now});
  const auto outcome = audit({server.url(), "--json", "audit.json"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out + outcome.err + read("audit.json"), Not(HasSubstr("open-sesame")));
}

Stock old_states() {
  using namespace std::chrono_literals;
  Stock stock;
  for (int i = 0; i < 400; ++i) {
    const auto expiry = i % 3 == 0 ? std::optional<std::chrono::milliseconds>(1h) : std::nullopt;
    stock[fmt::format("tb:{}", i)] = {fmt::format("v2|{}.5|{}|", i, now), expiry};
    stock[fmt::format("fw:{}:default", i)] = {fmt::format("v2|{}|{}|", i, now), expiry};
    stock[fmt::format("fw:{}:hourly", i)] = {fmt::format("v1|{}|{}|60", i + 1, now), expiry};
    if (i % 4 == 0)
      stock[fmt::format("fw:{}", i)] = {fmt::format("23|1|hourly|{}|{}", i + 5, now), 2h};
    stock[fmt::format("ok:{}", i)] = {"12|1|" + now, expiry};
  }
  return stock;
}

void fill(const RedisServer& server) {
  server.run({"FLUSHALL"});
  put(*stores::connect(server.address()).value(), old_states());
  server.run({"CONFIG", "RESETSTAT"});
}

TEST_F(Audit, AMigrationThatIsKilledAnywhereIsFinishedByTheNext) {
  write("keys.json", R"({"rules":[{"match":"tb:*","strategy":"token-bucket"},
      {"match":"fw:*","strategy":"fixed-window","merge":"{key}:{quota}","quotas":["default","hourly"]}]})");
  const RedisServer server;
  const Arguments migrate = {"audit", server.url(), "--config", "keys.json", "--migrate", "--batch",
                             "20",    "--now",      now,        "--json",    "done.json"};
  fill(server);
  ASSERT_EQ(hallmark(migrate).exit_code, 0);
  const std::string expected = shown(contents(server.address()));
  const std::size_t writes = calls(server, "evalsha");
  ASSERT_GT(writes, 1500U);
  std::mt19937 random(1);
  std::size_t killed = 0;
  for (int kill = 0; kill < 30; ++kill) {
    fill(server);
    const auto at = std::uniform_int_distribution<std::size_t>(0, writes - 200)(random);
    Program program(command(migrate), directory_.string());
    ASSERT_TRUE(wait_for_calls(server, "evalsha", at));
    program.send_signal(SIGKILL);
    killed += program.wait().signal == SIGKILL ? 1U : 0U;
    const auto outcome = hallmark(migrate);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
    ASSERT_EQ(shown(contents(server.address())), expected) << "killed after " << at << " writes";
    const Json again = report("done.json")["migration"];
    EXPECT_EQ(again["not_done"], 0);
  }
  EXPECT_GT(killed, 15U) << "most runs were over before they could be killed";
}

TEST_F(Audit, MigratesPostgres) {
  const stores::test::PostgresServer server;
  server.create_table();
  server.run("INSERT INTO ratelimit_kv VALUES ('a', 'v2|" + now + "|', now() + interval '1 hour')");
  const auto outcome = audit({server.url(), "--migrate", "--json", "audit.json"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
  EXPECT_EQ(
      server.run("SELECT value FROM ratelimit_kv WHERE expires_at > now() + interval '59 min'"),
      "42|" + now);
  EXPECT_EQ(report("audit.json")["migration"]["rewritten"][0]["format"], "gcra/v2");
  const auto absent = audit({server.url(), "--table", "nowhere"});
  EXPECT_EQ(absent.exit_code, 2);
  EXPECT_THAT(absent.err, one_line_with({"nowhere"}));
}

}  // namespace
}  // namespace hallmark::e2e
