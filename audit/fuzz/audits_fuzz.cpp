// Feeds arbitrary text to the reader of an audit's configuration, and arbitrary entries to its
// checker. The shortcuts of the checker find what its tables find; findings lie within the text;
// what a migration writes is as it would be written today. A refusal is one line.
//
// Scanned as a file, a text has the same entries in batches of any size, each where it says to be.
//
// The first byte chooses between a file and an entry, and what the entry is expected to be; then
// the configuration ends at the first zero; the rest is a key, a zero and an entry.
#include "audit/checker.hpp"
#include "audit/json_state.hpp"
#include "audit/rules.hpp"
#include "base/fuzz/requirement.hpp"
#include "stores/store.hpp"

namespace hallmark::audit {
namespace {

using fuzz::require;

constexpr Limits limits{.now = 1'795'166'096'000'000'000};

/// The first rule that matches the key; null where none does, and where the text is no
/// configuration.
const Rule* read_rules(std::string_view text, std::string_view key, Rules& rules) {
  auto read = Rules::parse(text);
  if (!read) {
    fuzz::require_line(read.error().message);
    return nullptr;
  }
  rules = *std::move(read);
  const std::size_t all = rules.unused().size();
  const Rule* const rule = rules.rule_for(key);
  require(rules.unused().size() == all - (rule == nullptr ? 0 : 1), "a rule that is used counts",
          text);
  if (rule == nullptr) return nullptr;
  require(base::glob_matches(rule->match, key), "the rule matches the key", key);
  if (rule->merge) {
    const auto part = rule->merge->part_of(key);
    if (part)
      require(rule->merge->key_of(part->key, part->quota) == key, "a part has its key", key);
  }
  return rule;
}

void require_same(const Checked& a, const Checked& b, std::string_view text) {
  require(a.formats == b.formats && a.plan == b.plan && a.rewritten == b.rewritten,
          "shortcuts come to the same plan", text);
  require(a.findings.size() == b.findings.size(), "shortcuts find as much", text);
  for (std::size_t i = 0; i < a.findings.size(); ++i) {
    const Finding& one = a.findings[i];
    const Finding& other = b.findings[i];
    require(one.kind == other.kind && one.offset == other.offset && one.length == other.length &&
                one.field == other.field && one.reason == other.reason &&
                one.detail == other.detail,
            "shortcuts find the same", text);
  }
}

void check(std::string_view text, const Expectation& expected) {
  static const Checker checker(limits);
  Checked checked;
  checker.check(text, expected, checked);
  Checked by_tables;
  checker.check_by_tables(text, expected, by_tables);
  require_same(checked, by_tables, text);
  for (const Finding& finding : checked.findings) {
    require(finding.offset <= text.size() && finding.length <= text.size() - finding.offset,
            "a finding lies within the text", text);
    require(!explanation(finding).empty(), "a finding is explained", text);
  }
  if (checked.plan != Plan::rewrite) return;
  Checked again;
  checker.check(checked.rewritten, expected, again);
  require(again.plan == Plan::current, "what was migrated is current", checked.rewritten);
}

/// The entries of a file, with their places, a line each.
std::string entries_of(std::string_view content, const base::FileEndpoint& file,
                       std::size_t batch) {
  auto scanner = stores::open_scanner(file, {.batch = batch, .longest_line = 64});
  require(scanner.has_value(), "a file can be scanned", content);
  std::string entries;
  while (true) {
    const auto next = (*scanner)->next();
    require(next.has_value(), "a file can be scanned to its end", content);
    if (next->empty()) return entries;
    for (const stores::Entry& entry : *next) {
      const auto& line = entry.line;
      require(line.begin <= line.value && line.value <= line.value_end &&
                  line.value_end <= line.end && line.end <= content.size(),
              "an entry lies within the file", content);
      require(content.substr(line.value).starts_with(entry.value),
              "an entry is where it says to be", content);
      entries.append(entry.key).append("\t").append(entry.value).append("\n");
      entries += std::to_string(line.begin) + "\n";
    }
  }
}

void scan(std::string_view content) {
  static fuzz::MemoryFile file;
  file.hold(content);
  const base::FileEndpoint place{file.path()};
  require(entries_of(content, place, 1) == entries_of(content, place, 1000),
          "batches of any size have the same entries", content);
}

model::MigrationHints hints_of(std::uint8_t choice) {
  constexpr std::string_view strategies[] = {"",     "token-bucket", "leaky-bucket",
                                             "gcra", "fixed-window", "composite"};
  model::MigrationHints hints;
  hints.taken.strategy = strategies[choice % std::size(strategies)];
  return hints;
}

}  // namespace
}  // namespace hallmark::audit

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace hallmark;
  fuzz::Input input(data, size);
  const std::uint8_t choice = input.first();
  if ((choice & 128) != 0) {
    audit::scan(input.text());
    return 0;
  }
  const std::string_view configuration = input.until('\0');
  const std::string_view key = input.until('\0');
  audit::Rules rules;
  const audit::Rule* const rule = audit::read_rules(configuration, key, rules);
  audit::check(input.text(), {rule != nullptr ? rule->hints() : audit::hints_of(choice), false});
  audit::strategy_of_json(input.text());
  return 0;
}
