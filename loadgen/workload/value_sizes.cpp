#include "loadgen/workload/value_sizes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/special_functions/erf.hpp>
#include <cmath>
#include <numbers>
#include <optional>

#include "base/number.hpp"
#include "base/text.hpp"

namespace hallmark::loadgen {
namespace {

constexpr std::uint64_t heaviest_class = 1'000'000;
constexpr double largest_sigma = 5;

base::Error value_size_refused(std::string_view text) {
  return {
      fmt::format("value size '{}'; allowed: bytes up to {} such as 64; 16..1024; "
                  "64=90,4096=10 with weights up to {}; lognormal:256,1.5, at most {} sizes",
                  text, ValueSizes::most_bytes, heaviest_class, ValueSizes::most_classes)};
}

template <class Number>
std::optional<Number> number(std::string_view text, Number least, Number most) {
  const auto value = base::number_in<Number>(text);
  if (!value || !(*value >= least && *value <= most)) return std::nullopt;
  return value;
}

std::optional<std::uint64_t> bytes(std::string_view text) {
  return number<std::uint64_t>(text, 0, ValueSizes::most_bytes);
}

struct Weighted {
  std::uint64_t bytes = 0;
  std::uint64_t weight = 1;
};
using Classes = std::optional<std::vector<Weighted>>;

Classes uniform(std::string_view text, std::size_t dots) {
  const auto low = bytes(text.substr(0, dots));
  const auto high = bytes(text.substr(dots + 2));
  if (!low || !high || *low > *high) return std::nullopt;
  const std::uint64_t sizes = *high - *low + 1;
  const std::uint64_t classes = std::min<std::uint64_t>(sizes, ValueSizes::most_classes);
  std::vector<Weighted> made;
  for (std::uint64_t i = 0; i < classes; ++i)
    made.push_back({*low + (2 * i + 1) * sizes / (2 * classes)});
  return made;
}

Classes weighted(std::string_view text) {
  std::vector<Weighted> made;
  for (const std::string_view one : base::split(text, ',')) {
    const std::size_t equals = one.find('=');
    if (equals == std::string_view::npos) return std::nullopt;
    const auto size = bytes(one.substr(0, equals));
    const auto weight = number<std::uint64_t>(one.substr(equals + 1), 0, heaviest_class);
    if (!size || !weight) return std::nullopt;
    if (*weight != 0) made.push_back({*size, *weight});
  }
  if (made.empty() || made.size() > ValueSizes::most_classes) return std::nullopt;
  return made;
}

Classes lognormal(std::string_view text) {
  const std::size_t comma = text.find(',');
  if (comma == std::string_view::npos) return std::nullopt;
  const auto most = static_cast<double>(ValueSizes::most_bytes);
  const auto median = number<double>(text.substr(0, comma), 1.0, most);
  const auto sigma = number<double>(text.substr(comma + 1), 0.0, largest_sigma);
  if (!median || !sigma) return std::nullopt;
  std::vector<Weighted> made;
  constexpr std::size_t classes = ValueSizes::most_classes;
  for (std::size_t i = 0; i < classes; ++i) {
    const double quantile = (static_cast<double>(i) + 0.5) / static_cast<double>(classes);
    const double deviation = std::numbers::sqrt2 * boost::math::erf_inv(2 * quantile - 1);
    const double size = *median * std::exp(*sigma * deviation);
    made.push_back({static_cast<std::uint64_t>(std::llround(std::min(size, most)))});
  }
  return made;
}

Classes read(std::string_view text) {
  constexpr std::string_view log = "lognormal:";
  if (text.starts_with(log)) return lognormal(text.substr(log.size()));
  if (const auto dots = text.find(".."); dots != std::string_view::npos) return uniform(text, dots);
  if (text.find('=') != std::string_view::npos) return weighted(text);
  const auto one = bytes(text);
  if (!one) return std::nullopt;
  return std::vector{Weighted{*one}};
}

}  // namespace

base::Result<ValueSizes> ValueSizes::parse(std::string_view text) {
  const Classes classes = read(text);
  if (!classes) return value_size_refused(text);
  ValueSizes sizes;
  sizes.text_ = text;
  sizes.sizes_.clear();
  sizes.upper_edges_.clear();
  std::uint64_t edge = 0;
  for (const Weighted& one : *classes) {
    sizes.sizes_.push_back(one.bytes);
    sizes.upper_edges_.push_back(edge += one.weight);
  }
  return sizes;
}

}  // namespace hallmark::loadgen
