#include "cli/certify/target_rules.hpp"

#include <fmt/format.h>

#include "conformance/engine/run_header.hpp"
#include "protocol/rules/ratelimit_rule_keys.hpp"

namespace hallmark::cli {
namespace {

using conformance::Asked;
using Read = base::Expected<TargetRules, std::string>;

constexpr std::string_view exponential = "exponential";

bool is_of_datagrams(const Asked& asked) {
  return asked.dialect != nullptr && asked.dialect->transport == protocol::Transport::datagram;
}

std::string mistake(const RulesArguments& arguments, const Asked& asked) {
  if (!arguments.estimator.empty() && arguments.file.empty())
    return "--estimator without --rules; allowed: with the rules of the target";
  if (!arguments.estimator.empty() && arguments.estimator != exponential)
    return fmt::format("--estimator {}; allowed: {}", arguments.estimator, exponential);
  if (!arguments.key_patterns.empty() && arguments.file.empty())
    return "--key-pattern without --rules; allowed: with the rules of the target";
  if (!arguments.file.empty() && !is_of_datagrams(asked))
    return "--rules; allowed: with --dialect ratelimit-udp";
  return {};
}

}  // namespace

Read TargetRules::read(const RulesArguments& arguments, const Asked& asked) {
  if (std::string wrong = mistake(arguments, asked); !wrong.empty()) return wrong;
  if (arguments.file.empty()) return of({}, {}, {}, asked);
  const auto text = protocol::ratelimit::read_rules_text(arguments.file);
  if (!text) return text.error().message;
  const auto rules = protocol::ratelimit::Rules::parse(*text);
  if (!rules) return to_string(rules.error(), arguments.file);
  return of(*text, arguments.estimator, arguments.key_patterns, asked);
}

Read TargetRules::of(std::string text, const std::string& estimator,
                     const std::vector<std::string>& key_patterns, const Asked& asked) {
  TargetRules made;
  if (!is_of_datagrams(asked)) return made;
  made.known_.exponential = estimator == exponential;
  for (const conformance::Pin& pin : conformance::pins_of(asked, *asked.dialect)) {
    if (pin.reading == "over-when")
      made.known_.over_when =
          pin.answer == "above" ? oracle::OverWhen::above : oracle::OverWhen::at_limit;
  }
  if (text.empty()) return made;
  auto rules = protocol::ratelimit::Rules::parse(text);
  if (!rules) return std::string("the rules of the target cannot be read");
  made.text_ = std::move(text);
  made.rules_ = std::make_shared<protocol::ratelimit::Rules>(std::move(*rules));
  made.known_.rules = made.rules_.get();
  if (auto taken = made.take(key_patterns); !taken) return taken.error();
  return made;
}

base::Expected<void, std::string> TargetRules::take(const std::vector<std::string>& key_patterns) {
  for (const std::string& pattern : key_patterns) {
    auto keys = protocol::ratelimit::KeyTemplate::parse(pattern);
    if (!keys) return "--key-pattern: " + keys.error().message;
    const auto rule = protocol::ratelimit::rule_of(*rules_, *keys, pattern);
    if (!rule) return "--key-pattern: " + rule.error().message;
    if (!known_.given_keys.emplace(*rule, std::move(*keys)).second)
      return fmt::format("--key-pattern {}; allowed: one for each rule, and line {} has one",
                         pattern, (*rule)->line);
  }
  return {};
}

void TargetRules::tell_untested(reports::CertifyResult& result, bool exclusive) const {
  if (known_.rules == nullptr) return;
  result.untested_rules = conformance::untested_rules(known_, exclusive);
  if (!known_.exponential)
    result.header.notes.emplace_back(
        "rates are not judged: --estimator says how the target estimates them");
}

}  // namespace hallmark::cli
