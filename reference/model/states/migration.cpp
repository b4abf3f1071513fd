#include "reference/model/states/migration.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>

#include "protocol/dialects.hpp"

namespace hallmark::model {
namespace {

using protocol::Malformed;
using protocol::MessageView;
using protocol::state::Parsed;

using Text = MigrationResult<std::string>;

const protocol::Readings& released_readings() {
  static const protocol::Readings readings(protocol::ratelimit_state, protocol::Profile::deployed);
  return readings;
}

double real(const MessageView& view, protocol::FieldName field) {
  return std::bit_cast<double>(view.number(field));
}

std::int64_t signed_number(const MessageView& view, protocol::FieldName field) {
  return static_cast<std::int64_t>(view.number(field));
}

NotMigrated at(const Parsed& parsed, Obstacle obstacle, std::string_view field,
               std::string reason) {
  return {obstacle, {std::string(field), parsed.offset, std::move(reason)}};
}

NotMigrated ambiguous(const Parsed& parsed) {
  std::vector<std::string_view> names{parsed.format->name};
  for (const protocol::Format* const other : parsed.others) names.push_back(other->name);
  return at(parsed, Obstacle::ambiguous, "header", fmt::format("{}", fmt::join(names, " or ")));
}

Text part(const Parsed& whole, std::size_t index, std::string_view quota) {
  auto text = migrate(whole.parts[index], {.quota = quota});
  if (text) return text;
  NotMigrated error = text.error();
  error.where.field = fmt::format("{}.{}", index == 0 ? "primary" : "secondary", error.where.field);
  return error;
}

Text composite(const Parsed& parsed, const MigrationHints& hints) {
  const auto primary = part(parsed, 0, hints.primary_quota);
  if (!primary) return primary;
  const auto secondary = part(parsed, 1, hints.secondary_quota);
  if (!secondary) return secondary;
  const auto written = protocol::state::write(
      *protocol::state::current_format(protocol::ratelimit_state, parsed.format->strategy),
      {{"primary", base::to_bytes(*primary)}, {"secondary", base::to_bytes(*secondary)}},
      released_readings());
  if (written) return *written;
  return at(parsed, Obstacle::unwritable, written.error().field, written.error().reason);
}

QuotaState* find(FixedWindowState& state, std::string_view name) {
  const auto found = std::ranges::find(state.quotas, name, &QuotaState::name);
  return found == state.quotas.end() ? nullptr : &*found;
}

bool supersedes(const QuotaState& a, const QuotaState& b) {
  return a.start != b.start ? a.start > b.start : a.count > b.count;
}

}  // namespace

MigrationResult<FixedWindowState> fixed_window_of(const Parsed& parsed, std::string_view quota) {
  const MessageView view = parsed.view();
  FixedWindowState state;
  if (view.find("quotas") != nullptr) {
    view.for_each("quotas", [&](const MessageView::Entry& entry) {
      state.quotas.push_back({std::string(base::as_text(entry.bytes_of("name"))),
                              static_cast<std::int64_t>(entry.number("count")),
                              static_cast<std::int64_t>(entry.number("start"))});
    });
    return state;
  }
  if (quota.empty()) {
    return at(parsed, Obstacle::quota, "quotas",
              fmt::format("{} does not name its quota", parsed.format->name));
  }
  state.quotas.push_back(
      {std::string(quota), signed_number(view, "count"), signed_number(view, "start")});
  return state;
}

Text checked_text_of(const FixedWindowState& state) {
  constexpr std::size_t most = 8;
  if (!state.quotas.empty() && state.quotas.size() <= most) return text_of(state);
  return NotMigrated{
      Obstacle::unwritable,
      {"quotas", 0, fmt::format("{} quotas; 1 to {} can be written", state.quotas.size(), most)}};
}

MigrationResult<std::string> migrate(const Parsed& parsed, const MigrationHints& hints) {
  if (!parsed.others.empty()) return ambiguous(parsed);
  const MessageView view = parsed.view();
  const std::string_view strategy = parsed.format->strategy;
  if (strategy == "token-bucket")
    return text_of(TokenBucketState{real(view, "tokens"), signed_number(view, "last_refill")});
  if (strategy == "leaky-bucket") {
    const protocol::FieldName requests =
        view.find("level") != nullptr ? protocol::FieldName("level") : "requests";
    return text_of(LeakyBucketState{real(view, requests), signed_number(view, "last_leak")});
  }
  if (strategy == "gcra") return text_of(GcraState{signed_number(view, "tat")});
  if (strategy == "composite") return composite(parsed, hints);
  const auto state = fixed_window_of(parsed, hints.quota);
  if (!state) return state.error();
  auto text = checked_text_of(*state);
  if (!text) return at(parsed, text.error().obstacle, "quotas", text.error().where.reason);
  return text;
}

MigrationResult<std::string> migrate(std::string_view text, const MigrationHints& hints) {
  const auto parsed = parse_stored(text, hints.taken);
  if (!parsed) return NotMigrated{Obstacle::malformed, parsed.error()};
  return migrate(*parsed, hints);
}

void merge(FixedWindowState& into, const FixedWindowState& from,
           std::span<const std::string> order) {
  for (const QuotaState& quota : from.quotas) {
    QuotaState* const held = find(into, quota.name);
    if (held == nullptr) {
      into.quotas.push_back(quota);
    } else if (supersedes(quota, *held)) {
      *held = quota;
    }
  }
  const auto rank = [&](const QuotaState& quota) {
    return std::ranges::find(order, quota.name) - order.begin();
  };
  std::ranges::stable_sort(into.quotas, {}, rank);
}

}  // namespace hallmark::model
