#include "conformance/drivers/adapter/adapter_session.hpp"

#include <fmt/format.h>

namespace hallmark::conformance {
namespace {

using base::Json;

/// Returns nothing if the line is not JSON, or is nested more deeply than any answer.
std::optional<Json> parse(const std::string& line) {
  auto json = base::parse_json(line, {.depth = AdapterSession::deepest_nesting});
  return json ? std::optional(std::move(*json)) : std::nullopt;
}

std::optional<std::uint64_t> id_of(const Json& json) {
  const Json* const id = json.find("id");
  if (id == nullptr || !id->is_natural()) return {};
  return id->natural();
}

}  // namespace

std::string AdapterSession::ask(const Json& request) {
  Json line = {{"id", ++last_id_}};
  line.update(request);
  waiting_ = true;
  return line.dump() + '\n';
}

void AdapterSession::take(std::string_view bytes) {
  const std::size_t room = longest_line + 1 - std::min(buffer_.size(), longest_line + 1);
  buffer_.append(bytes.substr(0, room));
}

AdapterSession::Event AdapterSession::next() {
  const std::size_t end = buffer_.find('\n');
  if (end == std::string::npos) {
    if (buffer_.size() <= longest_line) return Waiting{};
    return Broken{fmt::format("a line of more than {} bytes without an end", longest_line),
                  buffer_};
  }
  std::string line = buffer_.substr(0, end);
  buffer_.erase(0, end + 1);
  return waiting_ ? judge(std::move(line)) : judge_unasked(std::move(line));
}

AdapterSession::Event AdapterSession::judge(std::string line) {
  auto json = parse(line);
  if (!json) return Broken{"a line that is no JSON", std::move(line)};
  if (!json->is_object()) return Broken{"a line that is no JSON object", std::move(line)};
  const auto id = id_of(*json);
  if (!id)
    return Broken{fmt::format("an answer without the id {} of its request", last_id_),
                  std::move(line)};
  if (*id != last_id_) {
    const std::string_view which =
        *id<last_id_&& * id> 0 ? "another answer to request" : "an answer with the id";
    return Broken{fmt::format("{} {}, where {} was asked", which, *id, last_id_), std::move(line)};
  }
  waiting_ = false;
  return Answer{std::move(*json), std::move(line)};
}

AdapterSession::Event AdapterSession::judge_unasked(std::string line) const {
  const auto json = parse(line);
  const auto id = json && json->is_object() ? id_of(*json) : std::nullopt;
  if (id == last_id_ && last_id_ > 0)
    return Broken{fmt::format("a second answer to request {}", last_id_), std::move(line)};
  return Broken{"a line that nobody asked for", std::move(line)};
}

}  // namespace hallmark::conformance
