#include "loadgen/workload.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

namespace hallmark::loadgen {
namespace {

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
  MixPart parsed{std::string{name}, 0};
  const std::string_view weight = part.substr(equals + 1);
  const auto [end, error] =
      std::from_chars(weight.data(), weight.data() + weight.size(), parsed.weight);
  const bool whole = error == std::errc{} && end == weight.data() + weight.size();
  if (!whole || parsed.weight > largest_weight) return bad_part(part, allowed);
  return parsed;
}

bool names(std::span<const MixPart> mix, std::string_view operation) {
  return std::any_of(mix.begin(), mix.end(),
                     [&](const MixPart& part) { return part.operation == operation; });
}

}  // namespace

Result<std::vector<MixPart>> parse_mix(std::string_view text,
                                       std::span<const std::string_view> allowed) {
  std::vector<MixPart> mix;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    auto part = parse_part(text.substr(begin, end - begin), allowed);
    if (!part) return part.error();
    if (names(mix, part->operation)) {
      return Error{fmt::format("mix: operation '{}' is named twice", part->operation)};
    }
    mix.push_back(std::move(*part));
    begin = end + 1;
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
