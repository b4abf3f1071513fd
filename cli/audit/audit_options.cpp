#include "cli/audit/audit_options.hpp"

#include <fmt/format.h>

#include <chrono>

#include "audit/time_unit.hpp"
#include "base/number.hpp"
#include "base/quantity.hpp"
#include "base/read_file.hpp"
#include "cli/options/command_line.hpp"

namespace hallmark::cli {
namespace {

using base::Error;
using base::Result;

constexpr std::int64_t nanoseconds_a_day = audit::nanoseconds_a_second * 3600 * 24;
constexpr std::int64_t most_days = 100'000;
constexpr std::size_t most_examples = 1'000;
constexpr std::size_t most_remembered = 1'000'000'000;

Error named(const char* option, const Error& error) {
  return Error{fmt::format("{}: {}", option, error.message)};
}

Result<std::int64_t> read_now(const std::string& text) {
  if (text.empty()) {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::nanoseconds(now).count();
  }
  const auto now = base::number_in<std::int64_t>(text);
  if (!now) return Error{fmt::format("--now '{}'; expected nanoseconds since 1970", text)};
  if (const auto other = audit::other_unit_of(*now))
    return Error{fmt::format("--now '{}' is in {}; expected nanoseconds since 1970, such as {}",
                             text, other->name, other->nanoseconds)};
  return *now;
}

Result<audit::Limits> read_limits(const AuditArguments& arguments) {
  audit::Limits limits;
  const auto now = read_now(arguments.now);
  if (!now) return now.error();
  limits.now = *now;
  struct Age {
    const char* option;
    const std::string* text;
    std::int64_t* age;
  };
  for (const auto& [option, text, age] : {Age{"--skew", &arguments.skew, &limits.skew},
                                          Age{"--horizon", &arguments.horizon, &limits.horizon},
                                          Age{"--oldest", &arguments.oldest, &limits.oldest}}) {
    const auto read = parse_age(*text);
    if (!read) return named(option, read.error());
    *age = *read;
  }
  return limits;
}

Result<audit::Rules> read_rules_file(const std::string& path) {
  constexpr std::size_t most_bytes = 16 * base::mebibyte;
  const auto text = base::read_file(path, most_bytes, "an audit configuration");
  if (!text) return Error{fmt::format("--config: {}", text.error().message)};
  auto rules = audit::Rules::parse(*text);
  if (!rules) return Error{fmt::format("{}: {}", path, rules.error().message)};
  return rules;
}

/// The simple case: one rule for every key.
Result<audit::Rules> read_rules(const AuditArguments& arguments) {
  const bool rule =
      !(arguments.strategy + arguments.primary + arguments.secondary + arguments.quota).empty();
  if (!arguments.config.empty()) {
    if (rule)
      return Error{
          "--config beside --strategy, --primary, --secondary or --quota; allowed: one way"};
    return read_rules_file(arguments.config);
  }
  if (!rule) return audit::Rules();
  if (arguments.strategy.empty())
    return Error{
        "--primary, --secondary or --quota without --strategy; expected the strategy of "
        "all keys, such as --strategy fixed-window"};
  audit::Rule one;
  one.whole.strategy = arguments.strategy;
  one.primary.strategy = arguments.primary;
  one.secondary.strategy = arguments.secondary;
  bool has_window = false;
  for (audit::Configured* const part : {&one.whole, &one.primary, &one.secondary}) {
    if (part->strategy != "fixed-window") continue;
    part->quota = arguments.quota;
    has_window = true;
  }
  if (!arguments.quota.empty() && !has_window)
    return Error{fmt::format("--quota '{}' without a fixed-window; only its states have quotas",
                             arguments.quota)};
  auto made = audit::Rules::only(std::move(one));
  if (!made) return named("--strategy", made.error());
  return made;
}

Result<audit::Source> read_source(const AuditArguments& arguments) {
  auto address = base::parse_endpoint<stores::Address>(arguments.store);
  if (!address) return Error{address.error().message};
  const auto timeout = base::parse_duration(arguments.timeout);
  if (!timeout) return Error{fmt::format("--timeout: {}", timeout.error().message)};
  audit::Source source;
  source.address = *std::move(address);
  source.scan.match = arguments.match;
  source.scan.batch = arguments.batch;
  source.access.table = arguments.table;
  source.access.timeout = std::chrono::ceil<std::chrono::milliseconds>(*timeout);
  return source;
}

audit::Migrate what_of(const AuditArguments& arguments) {
  if (!arguments.migrate) return audit::Migrate::no;
  return arguments.dry_run ? audit::Migrate::dry_run : audit::Migrate::yes;
}

}  // namespace

Result<std::int64_t> parse_age(const std::string& text) {
  const auto days = base::leading_number<std::int64_t>(text);
  const bool in_days = days && std::string_view(text).substr(days->length) == "d";
  if (in_days && days->number >= 0 && days->number <= most_days)
    return days->number * nanoseconds_a_day;
  if (const auto shorter = base::parse_duration(text)) return shorter->count();
  return Error{fmt::format(
      "'{}'; allowed: whole days up to {}d, or a number with ns, us, ms, s, m or h up to 24h", text,
      most_days)};
}

Result<AuditOptions> read_audit_options(const AuditArguments& arguments) {
  if (arguments.dry_run && !arguments.migrate)
    return Error{"--dry-run without --migrate; an audit alone writes nothing"};
  AuditOptions options;
  auto source = read_source(arguments);
  if (!source) return source.error();
  options.source = *std::move(source);
  auto rules = read_rules(arguments);
  if (!rules) return rules.error();
  options.rules = *std::move(rules);
  const auto limits = read_limits(arguments);
  if (!limits) return limits.error();
  options.run.limits = *limits;
  options.run.most_examples = arguments.examples;
  options.run.remembered = arguments.remember;
  options.run.migrate = what_of(arguments);
  options.run.allow_empty = arguments.allow_empty;
  return options;
}

void add_audit_options(Command& command, AuditArguments& arguments) {
  command
      .add_option("STORE", arguments.store,
                  "redis://…, redis+unix://…, postgres://…, or a file of lines KEY TAB STATE")
      ->required();
  command.add_option("--match", arguments.match, "Keys that match, by the glob of Redis")
      ->capture_default_str()
      ->type_name("PATTERN");
  command.add_flag("--allow-empty", arguments.allow_empty, "Accept a --match that no key matches");
  command.add_option("--table", arguments.table.name, "Of PostgreSQL")
      ->capture_default_str()
      ->type_name("NAME");
  command.add_option("--key-column", arguments.table.key)->capture_default_str()->type_name("NAME");
  command.add_option("--value-column", arguments.table.value)
      ->capture_default_str()
      ->type_name("NAME");
  command.add_option("--expires-column", arguments.table.expires_at)
      ->capture_default_str()
      ->type_name("NAME");
  command.add_option("--timeout", arguments.timeout, "For the store to answer")
      ->capture_default_str()
      ->type_name("TIME");
  command.add_option("--batch", arguments.batch, "Entries that are read at once")
      ->range(std::size_t{1}, std::size_t{100'000})
      ->capture_default_str()
      ->type_name("N");
  command
      .add_option("--remember", arguments.remember,
                  "So many keys that SCAN gives twice are counted once; 8 to 16 bytes each")
      ->range(std::size_t{0}, most_remembered)
      ->capture_default_str()
      ->type_name("N");
  command.add_option("--config", arguments.config, "What keys hold, as JSON: docs/audit.md")
      ->type_name("FILE");
  command.add_option("--strategy", arguments.strategy, "What all keys hold")->type_name("NAME");
  command.add_option("--primary", arguments.primary, "Of a composite")->type_name("NAME");
  command.add_option("--secondary", arguments.secondary, "Of a composite")->type_name("NAME");
  command.add_option("--quota", arguments.quota, "Of fixed windows that do not name theirs")
      ->type_name("NAME");
  command.add_option("--skew", arguments.skew, "By how much clocks may be ahead")
      ->capture_default_str()
      ->type_name("TIME");
  command.add_option("--horizon", arguments.horizon, "How far ahead the TAT of GCRA may be")
      ->capture_default_str()
      ->type_name("TIME");
  command.add_option("--oldest", arguments.oldest, "How long ago a state may have been written")
      ->capture_default_str()
      ->type_name("TIME");
  command.add_option("--now", arguments.now, "Instead of the clock's: nanoseconds since 1970")
      ->type_name("NS");
  command.add_option("--examples", arguments.examples, "Of each kind of finding")
      ->range(std::size_t{0}, most_examples)
      ->capture_default_str()
      ->type_name("N");
  command.add_output("--list", arguments.list, "Write every finding, as lines of JSON");
  command.add_output("--json", arguments.json, "Write the report as JSON");
  command.add_output("--html", arguments.html, "Write the report as a page");
  command.add_flag("--migrate", arguments.migrate, "Rewrite old formats to current ones");
  command.add_flag("--dry-run", arguments.dry_run, "With --migrate: say what it would do");
}

}  // namespace hallmark::cli
