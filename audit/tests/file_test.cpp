#include <fmt/format.h>
#include <gmock/gmock.h>

#include <fstream>
#include <sstream>

#include "audit/run.hpp"
#include "audit/tests/planted.hpp"
#include "base/tests/temporary_directory.hpp"

namespace hallmark::audit {
namespace {

using test::now;
using ::testing::HasSubstr;

class FileAudit : public ::testing::Test {
 protected:
  FileAudit() : path_(directory_.path() / "states.tsv") {}

  void write(const std::string& text) const { std::ofstream(path_, std::ios::binary) << text; }
  std::string read() const {
    std::ostringstream text;
    text << std::ifstream(path_, std::ios::binary).rdbuf();
    return text.str();
  }

  void configure(std::string_view json) { rules_ = Rules::parse(json).value(); }

  RunResult run(Migrate migrate = Migrate::no, const stores::ScanOptions& scan = {}) {
    options_.limits.now = now;
    options_.migrate = migrate;
    auto result =
        audit::run({.address = base::FileEndpoint{path_}, .scan = scan}, rules_, options_);
    EXPECT_TRUE(result.has_value()) << result.error().message;
    EXPECT_EQ(result->audit.error, "");
    return *std::move(result);
  }

  base::test::TemporaryDirectory directory_;
  std::filesystem::path path_;
  Rules rules_;
  RunOptions options_;
};

constexpr std::string_view merging = R"({"rules":[{"match":"fw:*","strategy":"fixed-window",
    "merge":"{key}:{quota}","quotas":["default","hourly"]}]})";

TEST_F(FileAudit, FindsWhatIsPlantedAndChangesNothing) {
  std::string text;
  for (const test::Planted& row : test::planted()) {
    if (row.text.empty()) continue;  // an empty state is an empty line's end
    text += fmt::format("{}\t{}\r\n", row.key, row.text);
  }
  for (std::uint64_t i = 0; i < 5000; ++i) text += test::healthy(i) + "\n";
  write(text);
  const AuditResult audit = run().audit;
  EXPECT_EQ(audit.faulty, test::planted().size() - 1);
  EXPECT_EQ(audit.entries, test::planted().size() - 1 + 5000);
  EXPECT_EQ(read(), text);
}

TEST_F(FileAudit, MigratesWhatCanBeAndLeavesTheRestAsItIs) {
  write("a\tv2|17|\r\n\nb\tv2|8.5|17|\nc\thello\n12|5.0|17\nd\t12|5|17");
  const RunResult result = run(Migrate::yes);
  EXPECT_EQ(read(), "a\t42|17\r\n\nb\tv2|8.5|17|\nc\thello\n12|5|17\nd\t12|5|17");
  std::uint64_t rewritten = 0;
  for (const auto& [formats, count] : result.migration->rewritten) rewritten += count;
  EXPECT_EQ(rewritten, 2U);
  const RunResult again = run(Migrate::yes);
  EXPECT_TRUE(again.migration->rewritten.empty());
}

TEST_F(FileAudit, ADryRunSaysTheSameAndWritesNothing) {
  configure(merging);
  const std::string text = "fw:a:default\tv2|3|17|\nfw:a:hourly\tv2|9|18|\nx\tv2|17|\n";
  write(text);
  const MigrationResult dry = *run(Migrate::dry_run).migration;
  EXPECT_EQ(read(), text);
  const MigrationResult done = *run(Migrate::yes).migration;
  EXPECT_EQ(read(), "x\t42|17\nfw:a\t23|2|default|3|17|hourly|9|18\n");
  EXPECT_EQ(dry.rewritten, done.rewritten);
  EXPECT_EQ(dry.merged_keys, done.merged_keys);
  EXPECT_EQ(done.merged_parts, 2U);
}

TEST_F(FileAudit, MergesIntoTheLineThatIsThere) {
  configure(merging);
  write(
      "fw:a:hourly\tv2|9|18|\nfw:a\t23|1|default|4|17\nfw:a:default\tv2|3|17|\nfw:b:hourly\tv1|1|2|"
      "3\n");
  run(Migrate::yes);
  EXPECT_EQ(read(), "fw:a\t23|2|default|4|17|hourly|9|18\nfw:b\t23|1|hourly|1|2\n");
  const std::string merged = read();
  run(Migrate::yes);
  EXPECT_EQ(read(), merged);
}

TEST_F(FileAudit, PartsStayWhereTheirWholeCannotTakeThem) {
  configure(merging);
  const std::string text =
      "fw:a:hourly\tv2|9|18|\nfw:a\thello\nfw:b:hourly\tv2|9|18|\nfw:b\t23|1|x|1|2\nfw:b\t23|1|x|1|"
      "2\n";
  write(text);
  const MigrationResult result = *run(Migrate::yes).migration;
  EXPECT_EQ(read(), text);
  EXPECT_EQ(result.not_done, 2U);
  EXPECT_THAT(result.not_done_first.at(0).reason, HasSubstr("fw:a, is no fixed window"));
  EXPECT_THAT(result.not_done_first.at(1).reason, HasSubstr("fw:b, has several lines"));
}

TEST_F(FileAudit, OnlyWhatMatchesIsMigratedAndMergesFindTheirKeyAllTheSame) {
  configure(merging);
  write("fw:a\t23|1|default|4|17\nfw:a:hourly\tv2|9|18|\nfw:b:daily\tv3|1|x|1|2\nx\tv2|17|\n");
  run(Migrate::yes, {.match = "fw:*:hourly"});
  EXPECT_EQ(read(), "fw:a\t23|2|default|4|17|hourly|9|18\nfw:b:daily\tv3|1|x|1|2\nx\tv2|17|\n");
}

TEST_F(FileAudit, ALineTooLongTakesNoParts) {
  configure(merging);
  const std::string text = "fw:a\t" + std::string(300, 'x') + "\nfw:a:hourly\tv2|9|18|\n";
  write(text);
  const MigrationResult result = *run(Migrate::yes, {.longest_line = 100}).migration;
  EXPECT_EQ(read(), text);
  EXPECT_THAT(result.not_done_first.at(0).reason, HasSubstr("too long"));
}

TEST_F(FileAudit, StoppedItLeavesTheFileAsItWas) {
  std::string text;
  for (int i = 0; i < 5000; ++i) text += "v2|17|\n";
  write(text);
  for (int stop_after : {1, 4, 6, 9}) {
    int batches = 0;
    options_.stop = [&] { return ++batches > stop_after; };
    const RunResult result = run(Migrate::yes);
    EXPECT_TRUE(result.audit.interrupted) << stop_after;
    EXPECT_TRUE(result.migration->rewritten.empty());
    EXPECT_EQ(read(), text);
  }
  options_.stop = {};
  run(Migrate::yes);
  EXPECT_THAT(read(), testing::StartsWith("42|17\n"));
}

TEST_F(FileAudit, APatternWithoutAMatchIsAnErrorAndTheFileStays) {
  write("a\tv2|17|\n");
  options_.migrate = Migrate::yes;
  const auto refused =
      audit::run({.address = base::FileEndpoint{path_}, .scan = {.match = "b*"}}, rules_, options_);
  ASSERT_FALSE(refused.has_value());
  EXPECT_THAT(refused.error().message, HasSubstr("--match 'b*' matches no key of"));
  EXPECT_EQ(read(), "a\tv2|17|\n");
  options_.allow_empty = true;
  EXPECT_EQ(run(Migrate::no, {.match = "b*"}).audit.entries, 0U);
}

TEST_F(FileAudit, WhatARepairLeftSoundIsCounted) {
  configure(merging);
  write(
      fmt::format("float\t12|5.0|{0}\n"          // repaired
                  "both\t12|-1.0|{0}\n"          // canonical then, and still below 0
                  "fw:a:hourly\tv1|3|{0}|0\n"    // a duration of 0, which goes
                  "fw:b:hourly\tv1|-3|{0}|60\n"  // merged, and still below 0
                  "fw:c:hourly\tv1|3|{0}|60\n"
                  "fw:c\t23|1|hourly|-5|{1}\n"  // overruled by the part
                  "old\t42|17\n",
                  now, now - 1));
  for (const Migrate how : {Migrate::dry_run, Migrate::yes}) {
    const RunResult result = run(how);
    EXPECT_EQ(result.audit.faulty, 6U);
    EXPECT_EQ(result.migration->repaired, 3U);
  }
  EXPECT_EQ(run().audit.faulty, 3U);
}

TEST_F(FileAudit, WhatWasNotChosenIsNoRepair) {
  configure(merging);
  write(fmt::format("fw:c:hourly\tv1|3|{0}|60\nfw:c\t23|1|hourly|-5|{1}\n", now, now - 1));
  const RunResult result = run(Migrate::yes, {.match = "*:hourly"});
  EXPECT_EQ(result.audit.faulty, 0U);
  EXPECT_EQ(result.migration->repaired, 0U);
}

TEST_F(FileAudit, AFileThatOthersChangeStaysTheirs) {
  std::string text;
  for (int i = 0; i < 3000; ++i) text += "v2|17|\n";
  write(text);
  bool once = true;
  options_.on_progress = [&](const stores::Progress&, std::uint64_t) {
    if (std::exchange(once, false)) std::ofstream(path_, std::ios::app) << "42|1\n";
  };
  options_.limits.now = now;
  options_.migrate = Migrate::yes;
  const auto result = audit::run({.address = base::FileEndpoint{path_}}, rules_, options_);
  ASSERT_TRUE(result.has_value());
  EXPECT_THAT(result->audit.error, HasSubstr("changed"));
  EXPECT_TRUE(result->migration->rewritten.empty());
  EXPECT_EQ(read(), text + "42|1\n");
}

TEST_F(FileAudit, WhatIsNotThereIsNamed) {
  const auto result = audit::run({.address = base::FileEndpoint{path_}}, rules_, options_);
  ASSERT_FALSE(result.has_value());
  EXPECT_EQ(result.error().kind, stores::ErrorKind::missing);
  EXPECT_THAT(result.error().message, HasSubstr("states.tsv"));
}

}  // namespace
}  // namespace hallmark::audit
