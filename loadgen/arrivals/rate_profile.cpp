#include "loadgen/arrivals/rate_profile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/nanoseconds.hpp"
#include "base/quantity.hpp"
#include "base/text.hpp"

namespace hallmark::loadgen {
namespace {

using std::chrono::nanoseconds;

base::Error refused(std::string_view text, std::string_view why) {
  return {fmt::format(
      "--rate {}: {}; allowed: rates from 0 to {:.0f} such as 2500, 50k, 1.5M; FROM..TO for a "
      "ramp; with @LENGTH several, with commas between them",
      text, why, RateProfile::most_rate)};
}

/// Requests per second; negative when it is none.
double rate_of(std::string_view text) {
  const auto read = base::quantity_in(text, base::count_units);
  const double rate = read ? read->value() : -1;
  return rate >= 0 && rate <= RateProfile::most_rate ? rate : -1;
}

/// A length of 0: none was given.
base::Result<RateProfile::Piece> piece_of(std::string_view text, std::string_view whole) {
  RateProfile::Piece piece;
  const std::size_t at = text.find('@');
  const std::string_view rates = text.substr(0, at);
  const std::size_t dots = rates.find("..");
  piece.from = rate_of(rates.substr(0, dots));
  piece.to = dots == std::string_view::npos ? piece.from : rate_of(rates.substr(dots + 2));
  if (piece.from < 0 || piece.to < 0) return refused(whole, fmt::format("'{}' is no rate", rates));
  if (at == std::string_view::npos) return piece;
  const auto length = base::parse_duration(text.substr(at + 1));
  if (!length) return refused(whole, length.error().message);
  if (length->count() == 0) return refused(whole, "a piece has no length");
  piece.length = *length;
  return piece;
}

/// Nanoseconds into a piece at which so many of its requests are due.
double time_within(const RateProfile::Piece& piece, double requests) {
  const double length = static_cast<double>(piece.length.count());
  const double from = piece.from / base::ns_per_second;
  const double slope = (piece.to - piece.from) / base::ns_per_second / length;
  if (requests <= 0) return 0;
  if (slope == 0) return from > 0 ? requests / from : length;
  // from · t + slope · t² / 2 = requests, in the form that loses nothing where the slope is small.
  const double root = std::sqrt(std::max(0.0, from * from + 2 * slope * requests));
  return std::min(length, 2 * requests / (from + root));
}

double requests_within(const RateProfile::Piece& piece, double ns) {
  const double length = static_cast<double>(piece.length.count());
  const double reached = piece.from + (piece.to - piece.from) * ns / length;
  return (piece.from + reached) / 2 * ns / base::ns_per_second;
}

}  // namespace

RateProfile::RateProfile(double per_second)
    : RateProfile(std::vector<Piece>{{per_second, per_second, std::chrono::seconds(1)}}) {}

RateProfile::RateProfile(const std::vector<Piece>& pieces) { place(pieces); }

double RateProfile::requests_of(const Piece& piece) {
  return requests_within(piece, static_cast<double>(piece.length.count()));
}

void RateProfile::place(const std::vector<Piece>& pieces) {
  for (const Piece& piece : pieces) {
    const double before = period_requests_;
    period_requests_ += requests_of(piece);
    pieces_.push_back({piece, period_ns_, before, period_requests_});
    period_ns_ += static_cast<double>(piece.length.count());
  }
}

base::Result<RateProfile> RateProfile::parse(std::string_view text, nanoseconds run) {
  std::vector<Piece> pieces;
  nanoseconds given{};
  for (const std::string_view part : base::split(text, ',')) {
    auto piece = piece_of(part, text);
    if (!piece) return piece.error();
    given += piece->length;
    pieces.push_back(*piece);
  }
  const auto open = [](const Piece& piece) { return piece.length.count() == 0; };
  if (std::ranges::count_if(pieces, open) > 1)
    return refused(text, "only one piece may be without a length");
  for (Piece& piece : pieces) {
    if (!open(piece)) continue;
    if (given >= run) return refused(text, "nothing of the run is left for the piece without one");
    piece.length = run - given;
  }
  RateProfile profile(pieces);
  if (profile.period_requests_ <= 0) return refused(text, "nothing would be sent");
  return profile;
}

RateProfile RateProfile::after(nanoseconds lead) const {
  RateProfile led = *this;
  led.lead_ns_ = static_cast<double>(lead.count());
  led.lead_rate_ = pieces_.front().piece.from;
  return led;
}

double RateProfile::time_of(double requests) const {
  if (constant()) return requests * base::ns_per_second / pieces_.front().piece.from;
  const double led = lead_rate_ * lead_ns_ / base::ns_per_second;
  if (requests < led) return requests * base::ns_per_second / lead_rate_;
  const double periods = std::floor((requests - led) / period_requests_);
  const double rest = requests - led - periods * period_requests_;
  // A request that is due where a piece ends belongs to the next, also where doubles are not exact.
  constexpr double tolerance = 1e-6;
  auto found = std::ranges::upper_bound(pieces_, rest + tolerance, {}, &Placed::requests_through);
  if (found == pieces_.end()) found = std::prev(found);
  return lead_ns_ + periods * period_ns_ + found->starts_ns +
         time_within(found->piece, std::max(0.0, rest - found->requests_before));
}

double RateProfile::requests_by(double ns) const {
  if (constant()) return ns * pieces_.front().piece.from / base::ns_per_second;
  if (ns < lead_ns_) return ns * lead_rate_ / base::ns_per_second;
  const double periods = std::floor((ns - lead_ns_) / period_ns_);
  const double rest = ns - lead_ns_ - periods * period_ns_;
  const auto next = std::ranges::upper_bound(pieces_, rest, {}, &Placed::starts_ns);
  const Placed& within = *std::prev(next);
  return lead_rate_ * lead_ns_ / base::ns_per_second + periods * period_requests_ +
         within.requests_before + requests_within(within.piece, rest - within.starts_ns);
}

double RateProfile::highest() const {
  double highest = 0;
  for (const Placed& placed : pieces_)
    highest = std::max({highest, placed.piece.from, placed.piece.to});
  return highest;
}

bool RateProfile::constant() const {
  return pieces_.size() == 1 && pieces_.front().piece.from == pieces_.front().piece.to;
}

std::string RateProfile::text() const {
  if (constant()) return base::human_count(pieces_.front().piece.from);
  std::string text;
  for (const Placed& placed : pieces_) {
    const Piece& piece = placed.piece;
    if (!text.empty()) text += ',';
    text += base::human_count(piece.from);
    if (piece.to != piece.from) text += ".." + base::human_count(piece.to);
    text += '@' + base::exact_duration(piece.length);
  }
  return text;
}

}  // namespace hallmark::loadgen
