#include "cli/audit/audit_options.hpp"

#include <gmock/gmock.h>

namespace hallmark::cli {
namespace {

using testing::HasSubstr;

AuditArguments arguments(std::string store = "redis://127.0.0.1:6379") {
  AuditArguments made;
  made.store = std::move(store);
  return made;
}

std::string refusal(const AuditArguments& typed) {
  const auto read = read_audit_options(typed);
  return read ? "nothing was refused" : read.error().message;
}

TEST(ParseAge, ReadsDaysAndShorterTimes) {
  EXPECT_EQ(parse_age("5s").value(), 5'000'000'000);
  EXPECT_EQ(parse_age("365d").value(), audit::nanoseconds_a_year);
  EXPECT_EQ(parse_age("0d").value(), 0);
  for (const char* const wrong : {"", "5", "-1d", "1.5d", "100001d", "25h", "d"})
    EXPECT_THAT(parse_age(wrong).error().message, HasSubstr("allowed: whole days")) << wrong;
}

TEST(AuditOptions, DefaultsAuditAndWriteNothing) {
  const auto read = read_audit_options(arguments());
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->run.migrate, audit::Migrate::no);
  EXPECT_TRUE(read->rules.empty());
  EXPECT_GT(read->run.limits.now, std::int64_t{1'700'000'000} * 1'000'000'000);
}

TEST(AuditOptions, APatternMayBeEmptyWhereThatIsSaid) {
  AuditArguments typed = arguments();
  EXPECT_FALSE(read_audit_options(typed)->run.allow_empty);
  typed.allow_empty = true;
  EXPECT_TRUE(read_audit_options(typed)->run.allow_empty);
}

TEST(AuditOptions, MigrateAndDryRun) {
  AuditArguments typed = arguments();
  typed.migrate = true;
  EXPECT_EQ(read_audit_options(typed)->run.migrate, audit::Migrate::yes);
  typed.dry_run = true;
  EXPECT_EQ(read_audit_options(typed)->run.migrate, audit::Migrate::dry_run);
  typed.migrate = false;
  EXPECT_THAT(refusal(typed), HasSubstr("--dry-run without --migrate"));
}

TEST(AuditOptions, OneStrategyForAllKeys) {
  AuditArguments typed = arguments();
  typed.strategy = "composite";
  typed.primary = "fixed-window";
  typed.secondary = "gcra";
  typed.quota = "hourly";
  auto read = read_audit_options(typed);
  ASSERT_TRUE(read.has_value()) << read.error().message;
  const audit::Rule* const rule = read->rules.rule_for("any");
  ASSERT_NE(rule, nullptr);
  EXPECT_EQ(rule->hints().taken.secondary, "gcra");
  EXPECT_EQ(rule->hints().primary_quota, "hourly");
  EXPECT_EQ(rule->hints().secondary_quota, "");
}

TEST(AuditOptions, MistakesAreNamed) {
  AuditArguments typed = arguments("ftp://x");
  EXPECT_THAT(refusal(typed), HasSubstr("ftp://x"));
  typed = arguments();
  typed.strategy = "sliding-log";
  EXPECT_THAT(refusal(typed), HasSubstr("strategy 'sliding-log'; allowed: token-bucket"));
  typed = arguments();
  typed.quota = "q";
  EXPECT_THAT(refusal(typed), HasSubstr("--quota without --strategy"));
  typed.strategy = "gcra";
  EXPECT_THAT(refusal(typed), HasSubstr("--quota 'q' without a fixed-window"));
  typed = arguments();
  typed.config = "/nonexistent.json";
  EXPECT_THAT(refusal(typed), HasSubstr("cannot read /nonexistent.json"));
  typed.strategy = "gcra";
  EXPECT_THAT(refusal(typed), HasSubstr("--config beside --strategy"));
  typed = arguments();
  typed.skew = "x";
  EXPECT_THAT(refusal(typed), HasSubstr("--skew: 'x'"));
  typed = arguments();
  typed.now = "12x";
  EXPECT_THAT(refusal(typed), HasSubstr("--now '12x'"));
  typed.now = "1761884055";
  EXPECT_THAT(refusal(typed), HasSubstr("in seconds; expected nanoseconds since 1970, such as "
                                        "1761884055000000000"));
  typed = arguments();
  typed.timeout = "x";
  EXPECT_THAT(refusal(typed), HasSubstr("--timeout"));
}

}  // namespace
}  // namespace hallmark::cli
