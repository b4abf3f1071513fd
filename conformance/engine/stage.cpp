#include "conformance/engine/stage.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hallmark::conformance {

Stage::Stage(RunContext& context, Housekeeper& housekeeper, std::string name)
    : context_(context), housekeeper_(housekeeper), name_(std::move(name)) {
  restart();
}

Conversation& Stage::connection(const std::string& name) {
  const auto found = connections_.find(name);
  if (found != connections_.end()) return found->second;
  return connections_.try_emplace(name, context_, &evidence_, name, open_link(context_))
      .first->second;
}

void Stage::close(const std::string& name) { connections_.erase(name); }

std::string Stage::key(std::string_view name) {
  return own_key(fmt::format("hallmark:{}:{}", name_, name));
}

std::string Stage::own_key(std::string key) {
  own({{"key", base::to_bytes(key)}});
  return key;
}

void Stage::own(protocol::Record name) {
  records_.push_back(std::move(name));
  if (has_room()) housekeeper_.purge({&records_.back(), 1});
}

bool Stage::has_room() const { return context_.serves_several || connections_.empty(); }

void Stage::make_room() {
  if (!has_room()) connections_.clear();
}

void Stage::adopt(std::span<const protocol::Record> names) {
  records_.insert(records_.end(), names.begin(), names.end());
}

std::string Stage::channel(std::string_view name) const {
  return fmt::format("hallmark:{}:{}", name_, name);
}

void Stage::require_empty() {
  if (!format().has("LIST")) return;
  std::size_t keys = 0;
  const Message list = connection().ask(bare("LIST"));
  list.view().for_each("keys", [&](const protocol::MessageView::Entry&) { ++keys; });
  if (keys > 0) skip(fmt::format("needs an empty target, and this one holds {} keys", keys));
  restart();
}

void Stage::wait_until(Time until) {
  constexpr Time look_again = 100'000'000;
  while (now() < until) {
    if (context_.stopped()) skip("interrupted");
    context_.network.wait_until(std::min(until, now() + look_again));
  }
}

void Stage::fail(std::string reason) { end_case(reports::Verdict::fail, std::move(reason)); }

void Stage::fail(Code code, std::string reason) { fail_case(std::move(code), std::move(reason)); }

void Stage::indeterminate(std::string reason) {
  end_case(reports::Verdict::indeterminate, std::move(reason));
}

void Stage::skip(std::string reason) { end_case(reports::Verdict::skipped, std::move(reason)); }

void Stage::require(bool condition, std::string_view reason) {
  if (!condition) fail(std::string(reason));
}

void Stage::require_quiet() {
  for (auto& [name, conversation] : connections_) conversation.fence();
  // The target has handled everything by now that publishers sent: ask their subscribers once more.
  for (auto& [name, conversation] : connections_) {
    if (conversation.subscribed() && connections_.size() > 1) conversation.fence();
  }
  for (auto& [name, conversation] : connections_) conversation.leave_channels();
}

void Stage::hang_up() {
  connections_.clear();
  housekeeper_.leave();
}

void Stage::restart() {
  connections_.clear();
  evidence_.start(now());
}

void Stage::clean() {
  make_room();
  housekeeper_.purge(records_);
  records_.clear();
}

void Stage::abandon() {
  connections_.clear();
  try {
    clean();
  } catch (const CaseEnded&) {
    records_.clear();
  }
}

}  // namespace hallmark::conformance
