#include "reference/session/adapter_operations.hpp"

namespace hallmark::server::adapter {
namespace {

template <class Bucket>
Asked<model::SingleStrategy> read_bucket(const Json& configuration, const char* size,
                                         double Bucket::*member) {
  const auto burst = real_in(configuration, size);
  if (!burst) return burst.error();
  const auto rate = real_in(configuration, "rate");
  if (!rate) return rate.error();
  Bucket bucket;
  bucket.*member = *burst;
  bucket.rate = *rate;
  return model::SingleStrategy(bucket);
}

Asked<model::SingleStrategy> read_windows(const Json& configuration) {
  const Json& quotas = configuration["quotas"];
  if (!quotas.is_array()) return wrong("quotas", "expected a list");
  model::FixedWindow fixed;
  for (const Json& one : quotas.items()) {
    if (!one.is_object()) return wrong("quotas", "expected objects");
    auto name = text_in(one, "name");
    if (!name) return name.error();
    const auto limit = number_in(one, "limit");
    if (!limit) return limit.error();
    const auto window = number_in(one, "window_ns");
    if (!window) return window.error();
    fixed.quotas.push_back({std::move(*name), *limit, *window});
  }
  return model::SingleStrategy(std::move(fixed));
}

Asked<model::SingleStrategy> read_single(const Json& configuration, std::string_view strategy) {
  if (strategy == "token-bucket")
    return read_bucket(configuration, "burst", &model::TokenBucket::burst);
  if (strategy == "leaky-bucket")
    return read_bucket(configuration, "capacity", &model::LeakyBucket::capacity);
  if (strategy == "gcra") return read_bucket(configuration, "burst", &model::Gcra::burst);
  if (strategy == "fixed-window") return read_windows(configuration);
  return Refusal{true,
                 protocol::Malformed{"strategy", 0, "composites of composites are not decided by"}};
}

Asked<std::string_view> strategy_in(const Json& configuration) {
  const auto name = text_in(configuration, "strategy");
  if (!name) return name.error();
  return known_strategy(*name);
}

Asked<model::SingleStrategy> read_part(const Json& configuration, const char* name) {
  const auto part = object_in(configuration, name);
  if (!part) return part.error();
  const auto strategy = strategy_in(*part);
  if (!strategy) return strategy.error();
  return read_single(*part, *strategy);
}

Asked<model::Strategy> read_any(const Json& configuration, std::string_view strategy) {
  if (strategy != "composite") {
    auto single = read_single(configuration, strategy);
    if (!single) return single.error();
    return std::visit([](auto& one) { return model::Strategy(std::move(one)); }, *single);
  }
  auto primary = read_part(configuration, "primary");
  if (!primary) return primary.error();
  auto secondary = read_part(configuration, "secondary");
  if (!secondary) return secondary.error();
  return model::Strategy(model::Composite{std::move(*primary), std::move(*secondary)});
}

}  // namespace

Asked<model::Strategy> strategy_of(const Json& configuration) {
  const auto strategy = strategy_in(configuration);
  if (!strategy) return strategy.error();
  auto made = read_any(configuration, *strategy);
  if (!made) return made.error();
  const auto valid = model::valid(*made);
  if (!valid) return wrong("configuration", valid.error().message);
  return made;
}

}  // namespace hallmark::server::adapter
