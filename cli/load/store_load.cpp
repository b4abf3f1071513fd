#include "cli/load/store_load.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/nanoseconds.hpp"
#include "cli/options/command_line.hpp"

namespace hallmark::cli {
namespace {

using base::Error;
using base::Result;
using loadgen::store::Decision;

constexpr std::uint32_t most_retries = 1'000'000;

class ModelLimiter final : public loadgen::store::Limiter {
 public:
  explicit ModelLimiter(model::Strategy strategy) : strategy_(std::move(strategy)) {}

  Result<Decision> decide(std::optional<std::string_view> state,
                          std::int64_t now_ns) const override {
    auto decided = model::decide(strategy_, state, now_ns);
    if (!decided) {
      const auto& wrong = decided.error();
      return Error{fmt::format("{} at offset {}: {}", wrong.field, wrong.offset, wrong.reason)};
    }
    const auto expiry =
        std::chrono::ceil<std::chrono::milliseconds>(std::chrono::nanoseconds(decided->expires_in));
    return Decision{decided->allowed, std::move(decided->state),
                    std::max(expiry, std::chrono::milliseconds(1))};
  }

 private:
  model::Strategy strategy_;
};

/// The promise of each strategy, from its configuration alone: how it is kept is the model's
/// business.
class Promises {
 public:
  void operator()(const model::TokenBucket& bucket) {
    add("token-bucket", oracle::RateBound{bucket.burst, bucket.rate});
  }
  void operator()(const model::LeakyBucket& bucket) {
    add("leaky-bucket", oracle::RateBound{bucket.capacity, bucket.rate});
  }
  /// Its interval is a whole number of nanoseconds, so the rate may be a little above the asked
  /// one.
  void operator()(const model::Gcra& gcra) {
    const double interval = std::max(1.0, std::floor(base::ns_per_second / gcra.rate));
    add("gcra", oracle::RateBound{gcra.burst, base::ns_per_second / interval});
  }
  void operator()(const model::FixedWindow& fixed) {
    for (const auto& quota : fixed.quotas) {
      add("fixed-window quota " + quota.name, oracle::WindowBound{quota.limit, quota.window});
    }
  }
  void operator()(const model::Composite& composite) {
    std::visit(*this, composite.primary);
    std::visit(*this, composite.secondary);
  }

  std::vector<oracle::Bound> bounds;

 private:
  template <class Rule>
  void add(std::string name, const Rule& rule) {
    bounds.push_back({std::move(name), rule});
  }
};

std::string text_of(const StrategyArguments& arguments) {
  if (arguments.strategy != "composite") return arguments.strategy;
  return fmt::format("composite of {} and {}", arguments.primary, arguments.secondary);
}

}  // namespace

void add_store_options(Command& command, StoreArguments& arguments) {
  command
      .add_option("--strategy", arguments.strategy.strategy,
                  "On a store: what decides, such as token-bucket:burst=10,rate=5,\n"
                  "leaky-bucket:capacity=10,rate=5, gcra:burst=10,rate=5,\n"
                  "fixed-window:default=100/1m,hourly=1000/1h, or composite")
      ->type_name("STRATEGY");
  command.add_option("--primary", arguments.strategy.primary, "Of a composite")
      ->type_name("STRATEGY");
  command.add_option("--secondary", arguments.strategy.secondary, "Of a composite")
      ->type_name("STRATEGY");
  command
      .add_option("--retries", arguments.retries,
                  "On a store: after conflicts, until a request has failed")
      ->range(std::uint32_t{0}, most_retries)
      ->capture_default_str();
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
  command.advanced({"--primary", "--secondary", "--retries", "--table", "--key-column",
                    "--value-column", "--expires-column"});
}

std::shared_ptr<const loadgen::store::Limiter> limiter_of(const model::Strategy& strategy) {
  return std::make_shared<ModelLimiter>(strategy);
}

std::vector<oracle::Bound> bounds_of(const model::Strategy& strategy) {
  Promises promises;
  std::visit(promises, strategy);
  return std::move(promises.bounds);
}

Result<loadgen::store::StoreOptions> read_store_options(const std::string& target,
                                                        const StoreArguments& arguments,
                                                        std::chrono::nanoseconds timeout) {
  auto address = base::parse_endpoint<stores::Address>(target);
  if (!address) return Error{address.error().message};
  if (arguments.strategy.strategy.empty()) {
    return Error{"a load on a store needs --strategy, such as token-bucket:burst=10,rate=5"};
  }
  const auto strategy = read_strategy(arguments.strategy);
  if (!strategy) return strategy.error();
  const stores::Access access{std::chrono::ceil<std::chrono::milliseconds>(timeout),
                              arguments.table};
  loadgen::store::StoreOptions options;
  options.connect = [address = std::move(*address), access] {
    return stores::connect(address, access);
  };
  options.limiter = limiter_of(*strategy);
  options.strategy = text_of(arguments.strategy);
  options.bounds = bounds_of(*strategy);
  options.retries = arguments.retries;
  return options;
}

}  // namespace hallmark::cli
