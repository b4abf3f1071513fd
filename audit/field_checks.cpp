#include "audit/field_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "audit/time_unit.hpp"
#include "protocol/text/text.hpp"

namespace hallmark::audit {
namespace {

using Limit = std::numeric_limits<std::int64_t>;

std::int64_t later(std::int64_t time, std::int64_t by) {
  return time > Limit::max() - by ? Limit::max() : time + by;
}

std::int64_t earlier(std::int64_t time, std::int64_t by) {
  return time < Limit::min() + by ? Limit::min() : time - by;
}

bool is_shortest(std::string_view text, double number) {
  char written[protocol::text::most_real_bytes];
  return std::string_view(written, protocol::text::write_real(written, number)) == text;
}

constexpr std::string_view below_zero = "is below 0";
constexpr std::string_view not_above_zero = "is not above 0";

}  // namespace

std::string FieldPath::text() const {
  if (group.empty()) return fmt::format("{}{}", prefix, name);
  return fmt::format("{}{}[{}].{}", prefix, group, record, name);
}

FieldChecks::FieldChecks(const Limits& limits, std::string_view whole,
                         std::vector<Finding>& findings)
    : latest_(later(limits.now, limits.skew)),
      latest_arrival_(later(limits.now, limits.horizon)),
      earliest_(earlier(limits.now, limits.oldest)),
      tells_units_(limits.now >= first_plausible_time),
      whole_(whole),
      findings_(findings) {}

void FieldChecks::add(Finding&& finding, const FieldPath& path, std::string_view text) {
  finding.offset = static_cast<std::size_t>(text.data() - whole_.data());
  finding.length = text.size();
  finding.field = path.text();
  findings_.push_back(std::move(finding));
}

void FieldChecks::add(Kind kind, const FieldPath& path, std::string_view text, std::string reason) {
  add({.kind = kind, .reason = std::move(reason)}, path, text);
}

void FieldChecks::time(const FieldPath& path, std::string_view text, std::int64_t number,
                       std::int64_t latest) {
  if (number == go_zero_time) {
    add(Kind::zero_time, path, text, "is the zero time of Go");
  } else if (number > latest) {
    add({.kind = Kind::future, .reason = "is later than allowed", .detail = date_of(number)}, path,
        text);
  } else if (number < std::max(earliest_, first_plausible_time)) {
    early(path, text, number);
  }
}

void FieldChecks::early(const FieldPath& path, std::string_view text, std::int64_t number) {
  const auto other = tells_units_ ? other_unit_of(number) : std::nullopt;
  if (other) {
    add({.kind = Kind::wrong_unit,
         .reason = fmt::format("is in {} since 1970", other->name),
         .detail = date_of(other->nanoseconds)},
        path, text);
  } else if (number < earliest_) {
    add({.kind = Kind::past, .reason = "is earlier than allowed", .detail = date_of(number)}, path,
        text);
  }
}

void FieldChecks::integer(Role role, const FieldPath& path, std::string_view text,
                          std::int64_t number) {
  switch (role) {
    case Role::none: return;
    case Role::time: return time(path, text, number, latest_);
    case Role::arrival: return time(path, text, number, latest_arrival_);
    case Role::amount:
      if (number < 0) add(Kind::senseless, path, text, std::string(below_zero));
      return;
    case Role::positive:
      if (number <= 0) add(Kind::senseless, path, text, std::string(not_above_zero));
      return;
  }
}

bool FieldChecks::real(Role role, const FieldPath& path, std::string_view text, double number) {
  if (role == Role::amount && number < 0) {
    add(Kind::senseless, path, text, std::string(below_zero));
  } else if (role == Role::positive && !(number > 0)) {
    add(Kind::senseless, path, text, std::string(not_above_zero));
  }
  if (is_shortest(text, number)) return true;
  add(Kind::not_canonical, path, text, "is not the shortest text of its value");
  return false;
}

}  // namespace hallmark::audit
