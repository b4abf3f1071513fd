#include "audit/fast_legacy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "audit/walk.hpp"
#include "protocol/codec/fast_text.hpp"
#include "protocol/dialects/ratelimit_state.hpp"

namespace hallmark::audit {
namespace {

namespace fast_text = protocol::fast_text;
using protocol::Readings;
using protocol::tables::ratelimit_state;

constexpr std::span<const protocol::Format> formats = ratelimit_state.formats;

/// Versions 1 and 2, but for composites: those without a state in them.
template <std::size_t index>
constexpr bool is_legacy =
    !formats[index].current && formats[index].version < 3 && formats[index].strategy != "composite";

const Readings& with_tail() {
  static const Readings readings = [] {
    Readings made(ratelimit_state, protocol::Profile::deployed);
    made.choose({"header-history", "v3"});
    return made;
  }();
  return readings;
}

const Readings& without_tail() {
  static const Readings readings = [] {
    Readings made = with_tail();
    made.choose({"legacy-tail", "none"});
    return made;
  }();
  return readings;
}

class Legacy {
 public:
  /// `whole`: what offsets are counted in. `prefix`: of paths.
  Legacy(std::string_view text, std::string_view strategy, const Limits& limits,
         std::string_view whole, std::string_view prefix)
      : text_(text), strategy_(strategy), limits_(limits), whole_(whole), prefix_(prefix) {}

  bool read(const Readings& readings) {
    return read(readings, std::make_index_sequence<formats.size()>());
  }

  FormatSet found() const { return found_; }
  /// Findings of the format that has the fewest.
  std::vector<Finding>& findings() { return least_; }

 private:
  template <std::size_t... I>
  bool read(const Readings& readings, std::index_sequence<I...>) {
    (one<I>(readings), ...);
    return !found_.empty();
  }

  template <std::size_t index>
  void one(const Readings& readings) {
    if constexpr (is_legacy<index>) {
      constexpr const protocol::Format& format = formats[index];
      if (!strategy_.empty() && strategy_ != format.strategy) return;
      typename fast_text::State<ratelimit_state, index>::View view;
      if (!fast_text::decode(base::as_bytes(text_), readings, view)) return;
      const bool first = found_.empty();
      found_.add(FormatSet::at(index));
      if (!first && least_.empty()) return;
      std::vector<Finding> here;
      FieldChecks checks(limits_, whole_, here);
      numbers<index>(view, checks, std::make_index_sequence<format.message.fields.size()>());
      if (first || here.size() < least_.size()) least_ = std::move(here);
    }
  }

  template <std::size_t index, std::size_t... I>
  void numbers(const auto& view, FieldChecks& checks, std::index_sequence<I...>) {
    (number<index, I>(view, checks), ...);
  }

  template <std::size_t index, std::size_t at>
  void number(const auto& view, FieldChecks& checks) {
    constexpr const protocol::Field& field = formats[index].message.fields[at];
    constexpr Role role = role_of(field.name);
    constexpr auto name = protocol::fast::detail::name_of_field<
        typename fast_text::State<ratelimit_state, index>::List, at>();
    if constexpr (field.is<protocol::kinds::Real>()) {
      checks.real(role, {.prefix = prefix_, .name = field.name}, view.template text<name>(),
                  view.template real<name>());
    } else if constexpr (field.is<protocol::kinds::SignedDecimal>()) {
      checks.integer(role, {.prefix = prefix_, .name = field.name}, view.template text<name>(),
                     view.template signed_number<name>());
    }
  }

  std::string_view text_, strategy_;
  const Limits& limits_;
  std::string_view whole_, prefix_;
  FormatSet found_;
  std::vector<Finding> least_;
};

void leave_ambiguous(FormatSet found, std::string_view prefix, Checked& checked) {
  checked.plan = Plan::left;
  checked.obstacle = model::NotMigrated{model::Obstacle::ambiguous,
                                        {fmt::format("{}header", prefix), 0, found.name()}};
}

bool is_window(FormatSet found) { return found.first().strategy == "fixed-window"; }

void note_tail(FormatSet found, bool tail, Checked& checked) {
  if (found.first().version == 2)
    (tail ? checked.evidence.legacy_tail_bar : checked.evidence.legacy_tail_none) = true;
}

/// False: that takes a closer look.
bool plan(const Expectation& expected, Checked& checked) {
  if (checked.formats.size() > 1) {
    leave_ambiguous(checked.formats, "", checked);
    return true;
  }
  const bool window = is_window(checked.formats);
  if (window && !expected.is_part && expected.hints.quota.empty()) return false;
  checked.plan = window && expected.is_part ? Plan::merge : Plan::rewrite;
  return true;
}

bool check_single(std::string_view text, const Expectation& expected, const Limits& limits,
                  Checked& checked) {
  Legacy legacy(text, expected.hints.taken.strategy, limits, text, "");
  const bool tail = legacy.read(with_tail());
  if (!tail && !legacy.read(without_tail())) return false;
  checked.formats = legacy.found();
  note_tail(checked.formats, tail, checked);
  checked.findings = std::move(legacy.findings());
  return plan(expected, checked);
}

/// Version 3 of the fixed window, as its current one but for the header.
bool check_v3(std::string_view text, const Expectation& expected, const Limits& limits,
              Checked& checked) {
  constexpr std::size_t index = fast_text::format_index(ratelimit_state, "fixed-window/v3");
  const std::string_view strategy = expected.hints.taken.strategy;
  if (!text.starts_with(formats[index].header)) return false;
  if (!strategy.empty() && strategy != formats[index].strategy) return false;
  const protocol::Layout layout = protocol::Layout::format(formats[index], with_tail());
  protocol::state::Parsed parsed{&formats[index], text, 0, protocol::Decoder(layout), {}, {}};
  if (parsed.decoder.resume(base::as_bytes(text)) != protocol::Decoder::State::complete)
    return false;
  checked.formats = FormatSet::at(index);
  checked.evidence.header_history_v3 = true;
  FieldChecks checks(limits, text, checked.findings);
  check_fields(parsed, "", checks);
  checked.plan = Plan::rewrite;
  return true;
}

/// A composite of two old states.
class Pair {
 public:
  Pair(std::string_view text, const Expectation& expected, const Limits& limits, Checked& checked)
      : text_(text), hints_(expected.hints), limits_(limits), checked_(checked) {}

  bool check() {
    constexpr std::size_t index = fast_text::format_index(ratelimit_state, "composite/cmp1");
    const std::string_view strategy = hints_.taken.strategy;
    if (!strategy.empty() && strategy != formats[index].strategy) return false;
    fast_text::State<ratelimit_state, index>::View view;
    if (!fast_text::decode(base::as_bytes(text_), with_tail(), view)) return false;
    checked_.formats = FormatSet::at(index);
    checked_.plan = Plan::rewrite;
    Legacy primary(view.template text<"primary">(), hints_.taken.primary, limits_, text_,
                   "primary.");
    Legacy secondary(view.template text<"secondary">(), hints_.taken.secondary, limits_, text_,
                     "secondary.");
    return read(primary, secondary) && take(primary, "primary.", hints_.primary_quota) &&
           take(secondary, "secondary.", hints_.secondary_quota);
  }

 private:
  /// Both under the same reading.
  bool read(Legacy& primary, Legacy& secondary) {
    tail_ = primary.read(with_tail());
    const Readings& readings = tail_ ? with_tail() : without_tail();
    return (tail_ || primary.read(readings)) && secondary.read(readings);
  }

  bool take(Legacy& part, std::string_view prefix, std::string_view quota) {
    const FormatSet found = part.found();
    note_tail(found, tail_, checked_);
    std::ranges::move(part.findings(), std::back_inserter(checked_.findings));
    if (found.size() > 1 && checked_.plan == Plan::rewrite)
      leave_ambiguous(found, prefix, checked_);
    return found.size() > 1 || !is_window(found) || !quota.empty();
  }

  std::string_view text_;
  const model::MigrationHints& hints_;
  const Limits& limits_;
  Checked& checked_;
  bool tail_ = true;
};

}  // namespace

bool check_fast_legacy(std::string_view text, const Expectation& expected, const Limits& limits,
                       Checked& checked) {
  if (text.starts_with('c')) return Pair(text, expected, limits, checked).check();
  return text.starts_with('v') && (check_single(text, expected, limits, checked) ||
                                   check_v3(text, expected, limits, checked));
}

}  // namespace hallmark::audit
