#include "audit/field_checks.hpp"

#include <fmt/format.h>

#include <limits>

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
      whole_(whole),
      findings_(findings) {}

void FieldChecks::add(Kind kind, const FieldPath& path, std::string_view text, std::string reason) {
  findings_.push_back({kind, static_cast<std::size_t>(text.data() - whole_.data()), text.size(),
                       path.text(), std::move(reason)});
}

void FieldChecks::time(const FieldPath& path, std::string_view text, std::int64_t number,
                       std::int64_t latest) {
  if (number == go_zero_time) {
    add(Kind::zero_time, path, text, "is the zero time of Go");
  } else if (number > latest) {
    add(Kind::future, path, text, "is later than allowed");
  } else if (number < earliest_) {
    add(Kind::past, path, text, "is earlier than allowed");
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
