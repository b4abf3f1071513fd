#include "reference/server/adapter_session.hpp"

#include <fmt/format.h>

#include "reference/mutants/mutant.hpp"
#include "reference/server/adapter_operations.hpp"

namespace hallmark::server {
namespace {

using mutants::operator""_mutant;

std::string dump(const adapter::Json& json) { return json.dump() + '\n'; }

adapter::Json refusal(std::string_view reason) {
  return {{"id", nullptr}, {"error", {{"offset", 0}, {"field", "request"}, {"reason", reason}}}};
}

/// Nothing when the line is not a JSON object, or one that is nested too deeply.
std::optional<adapter::Json> parse(const std::string& line) {
  auto json = base::parse_json(line, {.depth = AdapterSession::deepest_nesting});
  if (!json || !json->is_object()) return {};
  return std::move(*json);
}

}  // namespace

AdapterSession::AdapterSession(std::string version, const protocol::Readings& readings)
    : version_(std::move(version)), readings_(readings) {}

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
  answer.update(adapter::answer(*request, version_, readings_));
  if (answer.contains("supports") && hellos_++ > 0 && mutants::on("adapter.hello-forgets"_mutant))
    answer["supports"]["encode"] = adapter::Json::array();
  out += dump(answer);
}

}  // namespace hallmark::server
