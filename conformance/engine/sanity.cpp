#include "conformance/engine/sanity.hpp"

#include <fmt/format.h>

namespace hallmark::conformance {
namespace {

constexpr std::uint64_t quota = 7;

void round_trip(Stage& stage) {
  Conversation& connection = stage.connection();
  const std::string key = "hallmark:sanity:" + stage.context().nonce;
  connection.ask(purge(key));
  const Message inserted = connection.ask(insert(key, quota, minute), success());
  const Message found = connection.ask(query(key));
  connection.judge(
      found, counter_fields(stage.format(), quota, minute, inserted.window(), found.window()));
  connection.ask(purge(key), success());
  connection.ask(query(key), failure());
  connection.fence();
}

Unit unit_of(const std::string& id, std::string title, std::function<void(Stage&)> run) {
  Unit unit;
  unit.name = id;
  unit.run = std::move(run);
  unit.cases.push_back({id,
                        std::move(title),
                        "INSERT",
                        protocol::Level::must,
                        {"insert.adds-counter", "query.found", "purge.removes"},
                        Delivery::whole});
  return unit;
}

reports::CaseResult play_sanity(RunContext& context, const std::string& id, std::string title,
                                std::function<void(Stage&)> run) {
  if (const Loss loss = context.given_up(); loss != Loss::none) {
    const Unit unplayed = unit_of(id, std::move(title), {});
    return not_played(unplayed.cases.front(), reports::Verdict::skipped,
                      "not played: " + in_words(loss));
  }
  Housekeeper housekeeper(context);
  return play_unit(context, housekeeper, unit_of(id, std::move(title), std::move(run))).front();
}

/// A record that was inserted in the width the target serves, queried in the width it should serve:
/// the reply shows the difference.
void show_width(Stage& stage, protocol::Width served) {
  const WireFormat other(served, stage.format().readings());
  const std::string key = stage.own_key("hallmark:sanity:" + stage.context().nonce);
  const Outgoing inserted = encoded(other, insert(key, quota, minute));
  Conversation& connection = stage.connection("c2");
  connection.send_together({&inserted, 1});
  connection.reply(success());
  connection.ask(query(key), {is("status", 1), is("quota", quota), is("ttl_type", std::uint64_t{4}),
                              between("ttl", 59, 60)});
}

/// Keys that the fence inserts and removes may behave where those of the case do not.
bool fence_works(RunContext& context) {
  try {
    Conversation(context, nullptr, "fence", open_link(context)).fence();
    return true;
  } catch (const CaseEnded&) {
    return false;
  }
}

}  // namespace

std::optional<protocol::Width> served_width(RunContext& context) {
  for (const protocol::Width width : context.format.dialect().widths) {
    if (width == context.format.width()) continue;
    const WireFormat format(width, context.format.readings());
    RunContext other{.network = context.network, .format = format, .patience = context.patience};
    other.nonce = context.nonce;
    Housekeeper housekeeper(other);
    Stage stage(other, housekeeper, "width");
    try {
      round_trip(stage);
      return width;
    } catch (const CaseEnded&) {
      continue;
    }
  }
  return std::nullopt;
}

reports::CaseResult sanity_in_width(RunContext& context, const std::string& id,
                                    protocol::Width served) {
  return play_sanity(context, id, "INSERT, QUERY and PURGE of one key",
                     [&](Stage& stage) { show_width(stage, served); });
}

reports::CaseResult sanity_before(RunContext& context, const std::string& prefix) {
  const std::string title = "INSERT, QUERY and PURGE of one key, before all other cases";
  const std::string id = prefix + "/sanity/before";
  reports::CaseResult result = play_sanity(context, id, title, round_trip);
  if (result.verdict == reports::Verdict::pass) return result;
  context.fences = fence_works(context);
  context.patience.curtail();
  const auto served = served_width(context);
  if (!served) return result;
  context.likely_cause = fmt::format("the target serves width {}", protocol::name_of(*served));
  auto shown = sanity_in_width(context, id, *served);
  if (shown.verdict == reports::Verdict::fail) result = std::move(shown);
  result.likely_cause = context.likely_cause;
  return result;
}

reports::CaseResult sanity_after(RunContext& context, const std::string& prefix) {
  return play_sanity(context, prefix + "/sanity/after",
                     "INSERT, QUERY and PURGE of one key, after all other cases", round_trip);
}

}  // namespace hallmark::conformance
