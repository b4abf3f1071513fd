#include "loadgen/workload/workload.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/number.hpp"
#include "base/text.hpp"

namespace hallmark::loadgen {
namespace {

using base::Error;
using base::Result;

constexpr std::uint32_t largest_weight = 1'000'000;

Error bad_part(std::string_view part, std::span<const std::string_view> allowed) {
  return {fmt::format("mix: '{}' is not NAME=WEIGHT; names: {}; weights: 0 to {}", part,
                      fmt::join(allowed, ", "), largest_weight)};
}

Result<MixPart> parse_part(std::string_view part, std::span<const std::string_view> allowed) {
  const auto equals = part.find('=');
  if (equals == std::string_view::npos) return bad_part(part, allowed);
  const std::string_view name = part.substr(0, equals);
  if (std::find(allowed.begin(), allowed.end(), name) == allowed.end()) {
    return Error{
        fmt::format("mix: unknown operation '{}'; allowed: {}", name, fmt::join(allowed, ", "))};
  }
  const auto weight = base::number_in<decltype(MixPart::weight)>(part.substr(equals + 1));
  if (!weight || *weight > largest_weight) return bad_part(part, allowed);
  return MixPart{std::string{name}, *weight};
}

bool names(std::span<const MixPart> mix, std::string_view operation) {
  return std::any_of(mix.begin(), mix.end(),
                     [&](const MixPart& part) { return part.operation == operation; });
}

}  // namespace

Result<std::vector<MixPart>> parse_mix(std::string_view text,
                                       std::span<const std::string_view> allowed) {
  std::vector<MixPart> mix;
  for (const std::string_view one : base::split(text, ',')) {
    auto part = parse_part(one, allowed);
    if (!part) return part.error();
    if (names(mix, part->operation)) {
      return Error{fmt::format("mix: operation '{}' is named twice", part->operation)};
    }
    mix.push_back(std::move(*part));
  }
  std::erase_if(mix, [](const MixPart& part) { return part.weight == 0; });
  if (mix.empty()) return Error{fmt::format("mix: every weight of '{}' is 0", text)};
  return mix;
}

RequestChooser::RequestChooser(std::span<const MixPart> mix, KeyPicker keys, std::uint64_t seed)
    : single_(mix.size() == 1),
      keys_(std::move(keys)),
      operation_(seed, RandomStream::operation),
      value_(seed, RandomStream::value) {
  std::uint64_t edge = 0;
  for (const MixPart& part : mix) upper_edges_.push_back(edge += part.weight);
}

}  // namespace hallmark::loadgen
