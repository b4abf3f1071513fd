#include "cli/load/strategy_option.hpp"

#include <fmt/format.h>

#include <map>
#include <optional>
#include <vector>

#include "base/number.hpp"
#include "base/quantity.hpp"
#include "base/text.hpp"

namespace hallmark::cli {
namespace {

using base::Error;
using base::Result;

constexpr std::string_view examples =
    "token-bucket:burst=10,rate=5, leaky-bucket:capacity=10,rate=5, gcra:burst=10,rate=5, "
    "fixed-window:default=100/1m or composite";

struct Field {
  std::string_view name;
  std::string_view value;
};

Result<std::vector<Field>> fields_of(std::string_view text) {
  std::vector<Field> fields;
  for (const auto part : base::split(text, ',')) {
    const auto equals = part.find('=');
    if (equals == part.npos || equals == 0) {
      return Error{fmt::format("'{}'; expected NAME=VALUE", part)};
    }
    fields.push_back({part.substr(0, equals), part.substr(equals + 1)});
  }
  return fields;
}

/// The two numbers of a bucket, each given once.
Result<std::pair<double, double>> two_numbers(const std::vector<Field>& fields,
                                              std::string_view size) {
  std::map<std::string_view, double> found;
  for (const auto& [name, value] : fields) {
    const auto read = base::number_in<double>(value);
    if ((name != size && name != "rate") || !read || found.contains(name)) {
      return Error{fmt::format("'{}={}'; expected {}=NUMBER,rate=NUMBER", name, value, size)};
    }
    found[name] = *read;
  }
  if (found.size() != 2) return Error{fmt::format("expected {}=NUMBER,rate=NUMBER", size)};
  return std::pair{found[size], found["rate"]};
}

Result<model::FixedWindow> fixed_window(const std::vector<Field>& fields) {
  model::FixedWindow fixed;
  for (const auto& [name, value] : fields) {
    const auto slash = value.find('/');
    const auto limit = base::number_in<std::int64_t>(value.substr(0, slash));
    if (slash == value.npos || !limit) {
      return Error{
          fmt::format("'{}={}'; expected QUOTA=LIMIT/WINDOW, such as default=100/1m", name, value)};
    }
    const auto window = base::parse_duration(value.substr(slash + 1));
    if (!window) return window.error();
    fixed.quotas.push_back({std::string(name), *limit, window->count()});
  }
  return fixed;
}

Result<model::SingleStrategy> configured(std::string_view name, const std::vector<Field>& fields) {
  if (name == "fixed-window") {
    auto fixed = fixed_window(fields);
    if (!fixed) return fixed.error();
    return model::SingleStrategy(std::move(*fixed));
  }
  const bool leaky = name == "leaky-bucket";
  const auto numbers = two_numbers(fields, leaky ? "capacity" : "burst");
  if (!numbers) return numbers.error();
  const auto [size, rate] = *numbers;
  if (leaky) return model::SingleStrategy(model::LeakyBucket{size, rate});
  if (name == "gcra") return model::SingleStrategy(model::Gcra{size, rate});
  return model::SingleStrategy(model::TokenBucket{size, rate});
}

Result<model::SingleStrategy> read_single(std::string_view option, std::string_view text) {
  const auto colon = std::min(text.find(':'), text.size());
  const auto name = text.substr(0, colon);
  bool known = false;
  for (const std::string_view each : {"token-bucket", "fixed-window", "leaky-bucket", "gcra"}) {
    known = known || name == each;
  }
  if (!known) return Error{fmt::format("{} '{}'; expected {}", option, text, examples)};
  const auto fields = fields_of(text.substr(std::min(colon + 1, text.size())));
  if (!fields) return Error{fmt::format("{} {}: {}", option, name, fields.error().message)};
  auto strategy = configured(name, *fields);
  if (!strategy) return Error{fmt::format("{} {}: {}", option, name, strategy.error().message)};
  return strategy;
}

Result<model::Strategy> read_unchecked(const StrategyArguments& arguments) {
  const auto& [strategy, primary, secondary] = arguments;
  if (strategy != "composite") {
    if (!primary.empty() || !secondary.empty()) {
      return Error{"--primary and --secondary are for --strategy composite"};
    }
    auto single = read_single("--strategy", strategy);
    if (!single) return single.error();
    return std::visit([](auto& each) { return model::Strategy(std::move(each)); }, *single);
  }
  auto first = read_single("--primary", primary);
  if (!first) return first.error();
  auto second = read_single("--secondary", secondary);
  if (!second) return second.error();
  return model::Strategy(model::Composite{std::move(*first), std::move(*second)});
}

}  // namespace

Result<model::Strategy> read_strategy(const StrategyArguments& arguments) {
  auto strategy = read_unchecked(arguments);
  if (!strategy) return strategy;
  if (const auto right = model::valid(*strategy); !right) {
    return Error{fmt::format("--strategy {}: {}", arguments.strategy, right.error().message)};
  }
  return strategy;
}

}  // namespace hallmark::cli
