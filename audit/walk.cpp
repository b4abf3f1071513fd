#include "audit/walk.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <iterator>
#include <utility>

#include "audit/format_set.hpp"
#include "reference/model/states/stored_state.hpp"

namespace hallmark::audit {
namespace {

using protocol::FieldValue;
using protocol::state::Parsed;

/// Beyond so many quotas nobody looks for two of one name.
constexpr std::size_t most_compared_quotas = 64;

class Fields {
 public:
  Fields(const Parsed& parsed, std::string_view prefix, FieldChecks& checks)
      : parsed_(parsed), path_{.prefix = prefix}, checks_(checks) {}

  bool check() {
    for (const FieldValue& value : parsed_.decoder.fields()) {
      if (value.field->is<protocol::kinds::Group>()) {
        path_.group = value.field->name;
        continue;
      }
      if (!path_.group.empty()) count_record(*value.field);
      path_.name = value.field->name;
      field(parsed_.text.substr(value.offset, value.length), value);
    }
    return canonical_;
  }

 private:
  void count_record(const protocol::Field& field) {
    if (first_of_record_ == nullptr) {
      first_of_record_ = &field;
    } else if (first_of_record_ == &field) {
      ++path_.record;
    }
  }

  void field(std::string_view text, const FieldValue& value) {
    if (value.field->is<protocol::kinds::Real>()) {
      const auto number = std::bit_cast<double>(value.number);
      canonical_ &= checks_.real(role_of(value.field->name), path_, text, number);
    } else if (value.field->is<protocol::kinds::SignedDecimal>()) {
      checks_.integer(role_of(value.field->name), path_, text,
                      static_cast<std::int64_t>(value.number));
    } else if (value.field->is<protocol::kinds::Word>()) {
      quota_name(text);
    }
  }

  void quota_name(std::string_view name) {
    if (names_.size() == most_compared_quotas) return;
    if (std::ranges::find(names_, name) != names_.end())
      checks_.add(Kind::senseless, path_, name, "is the name of another quota, too");
    names_.push_back(name);
  }

  const Parsed& parsed_;
  FieldPath path_;
  FieldChecks& checks_;
  const protocol::Field* first_of_record_ = nullptr;
  std::vector<std::string_view> names_;
  bool canonical_ = true;
};

}  // namespace

bool check_fields(const Parsed& parsed, std::string_view prefix, FieldChecks& checks) {
  return Fields(parsed, prefix, checks).check();
}

Walk::Walk(const Limits& limits, std::string_view whole, std::vector<Finding>& findings)
    : limits_(limits), whole_(whole), findings_(findings), checks_(limits, whole, findings) {}

void Walk::state(const Parsed& parsed, const std::string& prefix) {
  current_ &= parsed.format->current;
  if (parsed.others.empty()) {
    canonical_ &= check_fields(parsed, prefix, checks_);
  } else {
    least_faulty(parsed, prefix);
  }
  if (parsed.parts.empty()) return;
  versions(parsed, prefix);
  constexpr std::string_view names[] = {"primary", "secondary"};
  for (std::size_t i = 0; i < parsed.parts.size(); ++i) {
    const Parsed& part = parsed.parts[i];
    if (!part.parts.empty())
      checks_.add(Kind::nested, {.prefix = prefix, .name = names[i]}, part.text,
                  "is itself a composite");
    state(part, fmt::format("{}{}.", prefix, names[i]));
  }
}

/// Reports the fewest findings: a state that could be of several strategies is judged by the one
/// that suits it best.
void Walk::least_faulty(const Parsed& parsed, std::string_view prefix) {
  std::vector<Finding> least = found_in(parsed, prefix);
  for (const protocol::Format* const other : parsed.others) {
    if (least.empty()) return;
    const auto alternative = model::parse_stored(parsed.text, {.strategy = other->strategy});
    auto found = found_in(*alternative, prefix);
    if (found.size() < least.size()) least = std::move(found);
  }
  std::ranges::move(least, std::back_inserter(findings_));
}

std::vector<Finding> Walk::found_in(const Parsed& parsed, std::string_view prefix) {
  std::vector<Finding> found;
  FieldChecks checks(limits_, whole_, found);
  check_fields(parsed, prefix, checks);
  return found;
}

void Walk::versions(const Parsed& parsed, std::string_view prefix) {
  const auto is_current = [](const Parsed& part) { return part.format->current; };
  const auto current = std::ranges::count_if(parsed.parts, is_current);
  const bool all_current = std::cmp_equal(current, parsed.parts.size());
  if (parsed.format->current ? all_current : current == 0) return;
  checks_.add(
      Kind::mixed_versions, {.prefix = prefix, .name = "header"},
      parsed.text.substr(0, parsed.format->header.size()),
      fmt::format("{} of {} and {}", parsed.format->name, FormatSet::of(parsed.parts[0]).name(),
                  FormatSet::of(parsed.parts[1]).name()));
}

}  // namespace hallmark::audit
