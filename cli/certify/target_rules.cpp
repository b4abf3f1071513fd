#include "cli/certify/target_rules.hpp"

#include <fmt/format.h>

#include "conformance/engine/run_header.hpp"

namespace hallmark::cli {
namespace {

using conformance::Asked;
using Read = boost::system::result<TargetRules, std::string>;

constexpr std::string_view exponential = "exponential";

bool is_of_datagrams(const Asked& asked) {
  return asked.dialect != nullptr && asked.dialect->transport == protocol::Transport::datagram;
}

std::string mistake(const RulesArguments& arguments, const Asked& asked) {
  if (!arguments.estimator.empty() && arguments.file.empty())
    return "--estimator without --rules; allowed: with the rules of the target";
  if (!arguments.estimator.empty() && arguments.estimator != exponential)
    return fmt::format("--estimator {}; allowed: {}", arguments.estimator, exponential);
  if (!arguments.file.empty() && !is_of_datagrams(asked))
    return "--rules; allowed: with --dialect ratelimit-udp";
  return {};
}

}  // namespace

Read TargetRules::read(const RulesArguments& arguments, const Asked& asked) {
  if (std::string wrong = mistake(arguments, asked); !wrong.empty()) return wrong;
  if (arguments.file.empty()) return of({}, {}, asked);
  const auto text = protocol::ratelimit::read_rules_text(arguments.file);
  if (!text) return text.error().message;
  const auto rules = protocol::ratelimit::Rules::parse(*text);
  if (!rules) return to_string(rules.error(), arguments.file);
  return of(*text, arguments.estimator, asked);
}

Read TargetRules::of(std::string text, const std::string& estimator, const Asked& asked) {
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
  return made;
}

}  // namespace hallmark::cli
