#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "audit/finding.hpp"
#include "audit/limits.hpp"
#include "protocol/names.hpp"

namespace hallmark::audit {

/// The meaning of a number in a state, by the name of its field.
enum class Role : std::uint8_t {
  none,
  time,      ///< when something happened
  arrival,   ///< GCRA's, which lies ahead
  amount,    ///< 0 or more
  positive,  ///< above 0
};

constexpr Role role_of(protocol::FieldName field) {
  if (field == "last_refill" || field == "last_leak" || field == "start") return Role::time;
  if (field == "tat") return Role::arrival;
  if (field == "tokens" || field == "requests" || field == "level" || field == "count")
    return Role::amount;
  if (field == "capacity" || field == "refill_rate" || field == "leak_rate" ||
      field == "duration" || field == "emission_interval" || field == "limit")
    return Role::positive;
  return Role::none;
}

/// The path of a field, put together only where something is wrong with it.
struct FieldPath {
  std::string_view prefix{};  ///< "secondary."
  std::string_view group{};   ///< "quotas"; empty: the field is in no group
  std::size_t record = 0;
  std::string_view name{};

  std::string text() const;
};

/// Holds the numbers of one text to what they can be.
class FieldChecks {
 public:
  /// `whole`: the text that offsets are counted in; `findings`: where they go.
  FieldChecks(const Limits& limits, std::string_view whole, std::vector<Finding>& findings);

  /// `text`: of the field, a part of `whole`.
  void integer(Role role, const FieldPath& path, std::string_view text, std::int64_t number);
  /// Result: whether the text is that in which the number is written.
  bool real(Role role, const FieldPath& path, std::string_view text, double number);

  void add(Kind kind, const FieldPath& path, std::string_view text, std::string reason);

 private:
  void add(Finding&& finding, const FieldPath& path, std::string_view text);
  void time(const FieldPath& path, std::string_view text, std::int64_t number, std::int64_t latest);
  void early(const FieldPath& path, std::string_view text, std::int64_t number);

  std::int64_t latest_;
  std::int64_t latest_arrival_;
  std::int64_t earliest_;
  bool tells_units_;  ///< the clock is late enough for a small number to be in another unit
  std::string_view whole_;
  std::vector<Finding>& findings_;
};

}  // namespace hallmark::audit
