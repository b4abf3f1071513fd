#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "audit/field_checks.hpp"
#include "protocol/text/state.hpp"

namespace hallmark::audit {

/// Checks every field of a state, without its parts. `prefix`: of their paths. Result: whether each
/// number is written as it would be today.
bool check_fields(const protocol::state::Parsed& parsed, std::string_view prefix,
                  FieldChecks& checks);

/// All that is wrong with a state and its parts.
class Walk {
 public:
  /// `whole`: the text that offsets are counted in; `findings`: where they go.
  Walk(const Limits& limits, std::string_view whole, std::vector<Finding>& findings);

  void state(const protocol::state::Parsed& parsed, const std::string& prefix);

  /// True if the state is written as it would be today: there is nothing to migrate.
  bool is_as_written() const { return canonical_ && current_; }

 private:
  void least_faulty(const protocol::state::Parsed& parsed, std::string_view prefix);
  std::vector<Finding> found_in(const protocol::state::Parsed& parsed, std::string_view prefix);
  void versions(const protocol::state::Parsed& parsed, std::string_view prefix);

  const Limits& limits_;
  std::string_view whole_;
  std::vector<Finding>& findings_;
  FieldChecks checks_;
  bool canonical_ = true;
  bool current_ = true;
};

}  // namespace hallmark::audit
