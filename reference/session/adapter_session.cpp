#include "reference/session/adapter_session.hpp"

#include <fmt/format.h>

#include "reference/session/adapter_operations.hpp"

namespace hallmark::server {
namespace {

std::string dump(const adapter::Json& json) { return json.dump() + '\n'; }

adapter::Json refusal(std::string_view reason) {
  return {{"id", nullptr}, {"error", {{"offset", 0}, {"field", "request"}, {"reason", reason}}}};
}

/// Returns nothing if the line is not a JSON object, or is nested too deeply.
std::optional<adapter::Json> parse(const std::string& line) {
  auto json = base::parse_json(line, {.depth = AdapterSession::deepest_nesting});
  if (!json || !json->is_object()) return {};
  return std::move(*json);
}

}  // namespace

AdapterSession::AdapterSession(std::string version, const protocol::Readings& readings)
    : AdapterSession(adapter::make_adapter(std::move(version), readings,
                                           [](const auto& strategy, auto state, auto now) {
                                             return model::decide(strategy, state, now);
                                           })) {}

AdapterSession::AdapterSession(std::unique_ptr<adapter::Adapter> adapter)
    : adapter_(std::move(adapter)) {}

AdapterSession::~AdapterSession() = default;

void AdapterSession::receive(std::string_view bytes, std::string& out) {
  while (!bytes.empty()) {
    const std::size_t end = bytes.find('\n');
    const std::string_view part = bytes.substr(0, end);
    skipping_ = skipping_ || line_.size() + part.size() > longest_line;
    if (!skipping_) line_ += part;
    if (end == std::string_view::npos) return;
    bytes.remove_prefix(end + 1);
    answer(out);
    line_.clear();
    skipping_ = false;
  }
}

void AdapterSession::answer(std::string& out) {
  if (skipping_) {
    out += dump(refusal(fmt::format("is longer than {} bytes", longest_line)));
    return;
  }
  const auto request = parse(line_);
  if (!request) {
    out += dump(refusal(fmt::format("is no JSON object of at most {} levels", deepest_nesting)));
    return;
  }
  adapter::Json answer = {{"id", (*request)["id"]}};
  answer.update(adapter_->answer(*request));
  out += dump(answer);
}

}  // namespace hallmark::server
