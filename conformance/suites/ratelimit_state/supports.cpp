#include "conformance/suites/ratelimit_state/supports.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.hpp"
#include "protocol/dialects.hpp"
#include "protocol/text/state.hpp"

namespace hallmark::conformance {
namespace {

using protocol::ratelimit_state;
using Names = std::set<std::string>;
using NamesRead = base::Expected<Names, std::string>;
using base::Json;

/// Returns the strategies in the document's order.
std::vector<std::string> all_strategies() {
  std::vector<std::string> names;
  for (const std::string_view name : protocol::state::strategies(ratelimit_state))
    names.emplace_back(name);
  return names;
}

/// Returns the formats in the document's order.
std::vector<std::string> all_formats() {
  std::vector<std::string> names;
  for (const protocol::Format& format : ratelimit_state.formats) names.emplace_back(format.name);
  return names;
}

Names set_of(const std::vector<std::string>& names) { return {names.begin(), names.end()}; }

/// Appends what is not listed of that operation.
void add_lacking(const char* operation, const Names& listed, const std::vector<std::string>& all,
                 std::vector<std::string>& into) {
  if (listed.empty()) {
    into.emplace_back(operation);
    return;
  }
  for (const std::string& name : all) {
    if (!listed.contains(name)) into.push_back(fmt::format("{} {}", operation, name));
  }
}

NamesRead read_names(const Json& supports, const char* operation, const Names& allowed) {
  const Json* const list = supports.find(operation);
  if (list == nullptr || !list->is_array())
    return fmt::format("'supports' has no list '{}'", operation);
  Names names;
  for (const Json& item : list->items()) {
    if (!item.is_string()) return fmt::format("'supports.{}' holds what is no text", operation);
    if (!allowed.contains(item.string()))
      return fmt::format("'supports.{}' names '{}'; allowed: {}", operation,
                         base::excerpt(item.string(), 40), fmt::join(allowed, ", "));
    names.insert(item.string());
  }
  return names;
}

/// Every strategy that a request names, at any depth.
void collect_strategies(const Json& json, Names& into) {
  for (const Json& item : json.items()) collect_strategies(item, into);
  for (const auto& [name, value] : json.members()) {
    if (name == "strategy" && value.is_string()) into.insert(value.string());
    collect_strategies(value, into);
  }
}

/// Returns the formats that are not current. An adapter that decides reads the current formats of
/// its listed strategies, whatever else it decodes.
Names former(const std::vector<std::string>& formats) {
  Names names;
  for (const std::string& name : formats) {
    const protocol::Format* const format = protocol::find_format_called(ratelimit_state, name);
    if (format == nullptr || !format->current) names.insert(name);
  }
  return names;
}

std::string first_missing(std::string_view operation, const Names& listed, const Names& needed) {
  for (const std::string& name : needed) {
    if (!listed.contains(name)) return fmt::format("{} {}", operation, name);
  }
  return {};
}

}  // namespace

base::Expected<Supports, std::string> read_supports(const Json& answer) {
  const Json* const listed = answer.find("supports");
  if (listed == nullptr || !listed->is_object())
    return std::string("'supports' is missing or no object");
  auto decode = read_names(*listed, "decode", set_of(all_formats()));
  if (!decode) return decode.error();
  auto encode = read_names(*listed, "encode", set_of(all_strategies()));
  if (!encode) return encode.error();
  auto decide = read_names(*listed, "decide", set_of(all_strategies()));
  if (!decide) return decide.error();
  return Supports{std::move(*decode), std::move(*encode), std::move(*decide)};
}

base::Expected<Supports, std::string> read_hello(const Json& answer) {
  const Json* const protocol_number = answer.find("protocol");
  if (protocol_number == nullptr || *protocol_number != 1)
    return std::string("'protocol' is not 1");
  const Json* const name = answer.find("implementation");
  if (name == nullptr || !name->is_string() || name->string().empty())
    return std::string("'implementation' is no text that names it");
  return read_supports(answer);
}

std::string missing(const Supports& supports, const Json& request,
                    const std::vector<std::string>& formats) {
  const std::string operation = request["op"].is_string() ? request["op"].string() : "";
  Names strategies;
  collect_strategies(request, strategies);
  std::string lack;
  if (operation == "encode") lack = first_missing("encode", supports.encode, strategies);
  if (operation == "decide") lack = first_missing("decide", supports.decide, strategies);
  if (!lack.empty()) return lack;
  return first_missing(
      "decode", supports.decode,
      operation == "decide" ? former(formats) : Names{formats.begin(), formats.end()});
}

std::vector<std::string> lacking(const Supports& supports) {
  std::vector<std::string> names;
  add_lacking("decode", supports.decode, all_formats(), names);
  add_lacking("encode", supports.encode, all_strategies(), names);
  add_lacking("decide", supports.decide, all_strategies(), names);
  return names;
}

}  // namespace hallmark::conformance
