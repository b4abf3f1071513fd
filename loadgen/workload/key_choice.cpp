#include "loadgen/workload/key_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_map>

#include "base/line_reader.hpp"
#include "base/number.hpp"
#include "base/quantity.hpp"
#include "base/read_file.hpp"

namespace hallmark::loadgen {
namespace {

using base::Error;
using base::Result;

constexpr double largest_exponent = 10;
constexpr std::size_t most_named_keys = 1'000'000;

Error refused(std::string_view text) {
  return {
      fmt::format("key choice '{}'; allowed: uniform, sequential, zipf:EXPONENT (above 0, at "
                  "most 10), hotspot:KEYS%=REQUESTS% such as hotspot:1%=90%",
                  text)};
}

/// `90%` as 0.9.
std::optional<double> share(std::string_view text) {
  constexpr base::Unit percent[] = {{"%", 1, 100}};
  const auto read = base::quantity_in(text, percent);
  if (!read || !(read->number >= 0 && read->number <= 100)) return std::nullopt;
  return read->value();
}

}  // namespace

Result<KeyChoice> KeyChoice::parse(std::string_view text) {
  if (text == "uniform") return KeyChoice{Kind::uniform};
  if (text == "sequential") return KeyChoice{Kind::sequential};
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) return refused(text);
  const std::string_view name = text.substr(0, colon);
  const std::string_view rest = text.substr(colon + 1);
  if (name == "zipf") {
    const auto exponent = base::number_in<double>(rest);
    if (!exponent || !(*exponent > 0 && *exponent <= largest_exponent)) return refused(text);
    return KeyChoice{.kind = Kind::zipf, .exponent = *exponent};
  }
  const std::size_t equals = rest.find('=');
  if (name != "hotspot" || equals == std::string_view::npos) return refused(text);
  const auto keys = share(rest.substr(0, equals));
  const auto requests = share(rest.substr(equals + 1));
  if (!keys || !requests || *keys <= 0 || *keys >= 1) return refused(text);
  return KeyChoice{.kind = Kind::hotspot, .hot_keys = *keys, .hot_requests = *requests};
}

std::string KeyChoice::text() const {
  switch (kind) {
    case Kind::uniform: return "uniform";
    case Kind::sequential: return "sequential";
    case Kind::zipf: return fmt::format("zipf:{}", exponent);
    case Kind::hotspot: return fmt::format("hotspot:{}%={}%", 100 * hot_keys, 100 * hot_requests);
  }
  return "";
}

Result<NamedKeys> read_named_keys(const std::string& path) {
  constexpr std::uint64_t most_bytes = 256 * base::mebibyte;
  auto file = base::LineReader::open(path, most_bytes, "a list of keys");
  if (!file) return file.error();
  NamedKeys keys;
  std::unordered_map<std::string, std::uint32_t> known;
  auto line = file->next();
  for (; line && *line; line = file->next()) {
    std::string name(**line);
    if (name.ends_with('\r')) name.pop_back();
    if (name.empty() || name.front() == '#') continue;
    const auto [found, is_new] = known.emplace(name, static_cast<std::uint32_t>(keys.names.size()));
    if (is_new) keys.names.push_back(std::move(name));
    keys.lines.push_back(found->second);
    if (keys.names.size() > most_named_keys)
      return Error{
          fmt::format("{}: more than {} keys; allowed: at most so many", path, most_named_keys)};
  }
  if (!line) return line.error();
  if (keys.names.empty()) return Error{fmt::format("{}: no key; expected: a key a line", path)};
  return keys;
}

KeyPicker::KeyPicker(const KeyChoice& choice, std::uint32_t keys, std::uint64_t seed,
                     std::shared_ptr<const NamedKeys> listed)
    : is_uniform_(choice.kind == KeyChoice::Kind::uniform && listed == nullptr),
      keys_(keys),
      random_(seed, RandomStream::key),
      uniform_(random_, keys),
      kind_(choice.kind),
      listed_(std::move(listed)),
      exponent_(choice.exponent),
      hot_requests_(choice.hot_requests) {
  const double share = std::floor(choice.hot_keys * keys);
  hot_keys_ = std::clamp(static_cast<std::uint32_t>(share), 1U, keys);
  if (kind_ != KeyChoice::Kind::zipf) return;
  // W. Hörmann, G. Derflinger: Rejection-Inversion to Generate Variates from Monotone Discrete
  // Distributions, 1996.
  low_ = area(1.5) - 1;
  high_ = area(keys + 0.5);
  shortcut_ = 2 - place(area(2.5) - std::pow(2, -exponent_));
}

std::uint32_t KeyPicker::pick_otherwise(std::uint64_t index) const noexcept {
  if (listed_ != nullptr) return listed_->lines[index % listed_->lines.size()];
  switch (kind_) {
    case KeyChoice::Kind::zipf: return zipf(index);
    case KeyChoice::Kind::hotspot: return hotspot(index);
    default: return static_cast<std::uint32_t>(index % keys_);
  }
}

double KeyPicker::area(double x) const noexcept {
  const double log = std::log(x);
  const double power = (1 - exponent_) * log;
  // As the exponent comes near to 1, this comes near to the logarithm.
  return std::abs(power) < 1e-9 ? log : std::expm1(power) / (1 - exponent_);
}

double KeyPicker::place(double area) const noexcept {
  const double scaled = (1 - exponent_) * area;
  if (std::abs(scaled) < 1e-9) return std::exp(area);
  return std::exp(std::log1p(std::max(scaled, -1.0)) / (1 - exponent_));
}

std::uint32_t KeyPicker::zipf(std::uint64_t index) const noexcept {
  std::uint64_t bits = random_.at(index);
  for (;; bits = base::splitmix64(bits)) {
    const double unit = (static_cast<double>(bits >> 11) + 0.5) * 0x1p-53;
    const double drawn = high_ + unit * (low_ - high_);
    const double x = place(drawn);
    const double rank = std::clamp(std::floor(x + 0.5), 1.0, static_cast<double>(keys_));
    if (rank - x <= shortcut_ || drawn >= area(rank + 0.5) - std::pow(rank, -exponent_))
      return static_cast<std::uint32_t>(rank) - 1;
  }
}

std::uint32_t KeyPicker::hotspot(std::uint64_t index) const noexcept {
  const std::uint64_t bits = random_.at(index);
  const double unit = base::fraction(bits);
  const std::uint64_t second = base::splitmix64(bits);
  const bool hot = unit < hot_requests_ || hot_keys_ == keys_;
  const std::uint32_t from = hot ? 0 : hot_keys_;
  const std::uint32_t many = hot ? hot_keys_ : keys_ - hot_keys_;
  return from + static_cast<std::uint32_t>(base::scaled(second, many));
}

}  // namespace hallmark::loadgen
