#include <bit>

#include "protocol/text/text.hpp"
#include "reference/session/adapter_operations.hpp"

namespace hallmark::server::adapter {
namespace {

using protocol::Field;
using protocol::Format;
using protocol::Record;
using protocol::Value;
namespace kinds = protocol::kinds;
namespace state = protocol::state;

std::string real_text(std::uint64_t bits) {
  char digits[protocol::text::most_real_bytes];
  return {digits, protocol::text::write_real(digits, std::bit_cast<double>(bits))};
}

Json shown(std::span<const Field> fields, const Record& values);

Json shown(const Field& field, const Value& value) {
  if (field.is<kinds::Real>()) return real_text(std::get<std::uint64_t>(value));
  if (field.is<kinds::SignedDecimal>())
    return std::to_string(static_cast<std::int64_t>(std::get<std::uint64_t>(value)));
  if (field.is<kinds::Word>()) return base::as_text(std::get<base::Bytes>(value));
  Json records = Json::array();
  for (const Record& one : std::get<std::vector<Record>>(value))
    records.push_back(shown(field.get<kinds::Group>().head, one));
  return records;
}

/// Those of its fields that are values: counts and separators follow from them.
bool is_value(const Field& field) {
  return field.is<kinds::Real, kinds::SignedDecimal, kinds::Word, kinds::Group>();
}

Json shown(std::span<const Field> fields, const Record& values) {
  Json all = Json::object();
  for (const Field& field : fields) {
    const Value* const value = is_value(field) ? values.find(field.name) : nullptr;
    if (value != nullptr) all[std::string(field.name)] = shown(field, *value);
  }
  return all;
}

Asked<Record> read(std::span<const Field> fields, const Json& values);

Asked<Value> read(const Field& field, const Json& values) {
  const std::string name(field.name);
  if (field.is<kinds::Real>()) {
    const auto number = real_in(values, name.c_str());
    if (!number) return number.error();
    return Value(std::bit_cast<std::uint64_t>(*number));
  }
  if (field.is<kinds::SignedDecimal>()) {
    const auto number = number_in(values, name.c_str());
    if (!number) return number.error();
    return Value(static_cast<std::uint64_t>(*number));
  }
  if (field.is<kinds::Word>()) {
    const auto text = text_in(values, name.c_str());
    if (!text) return text.error();
    const auto bytes = base::as_bytes(*text);
    return Value(base::Bytes(bytes.begin(), bytes.end()));
  }
  const Json& list = values[name];
  if (!list.is_array()) return wrong(name, "expected a list");
  std::vector<Record> records;
  for (const Json& one : list.items()) {
    auto record = one.is_object() ? read(field.get<kinds::Group>().head, one)
                                  : wrong(name, "expected objects");
    if (!record) return record.error();
    records.push_back(std::move(*record));
  }
  return Value(std::move(records));
}

Asked<Record> read(std::span<const Field> fields, const Json& values) {
  Record record;
  for (const Field& field : fields) {
    if (!is_value(field)) continue;
    auto value = read(field, values);
    if (!value) return value.error();
    record.set(field.name, std::move(*value));
  }
  return record;
}

Asked<Record> read_parts(const Format& format, const Json& fields,
                         const protocol::Readings& readings) {
  Record record;
  for (const Field& field : format.message.fields) {
    if (!field.is<kinds::State>() || !readings.holds(field.when)) continue;
    const auto part = object_in(fields, std::string(field.name).c_str());
    if (!part) return part.error();
    const auto name = text_in(*part, "strategy");
    if (!name) return name.error();
    const auto strategy = known_strategy(*name);
    if (!strategy) return strategy.error();
    const auto inner = object_in(*part, "fields");
    if (!inner) return inner.error();
    const auto text = state_of(*strategy, *inner, readings);
    if (!text) return text.error();
    const auto bytes = base::as_bytes(*text);
    record.set(field.name, base::Bytes(bytes.begin(), bytes.end()));
  }
  return record;
}

}  // namespace

Json fields_of(const state::Parsed& parsed) {
  if (parsed.parts.empty()) return shown(parsed.format->message.fields, parsed.values());
  Json all = Json::object();
  const char* const names[] = {"primary", "secondary"};
  for (std::size_t i = 0; i < parsed.parts.size() && i < std::size(names); ++i)
    all[names[i]] = {{"format", parsed.parts[i].format->name},
                     {"fields", fields_of(parsed.parts[i])}};
  return all;
}

Asked<std::string> state_of(std::string_view strategy, const Json& fields,
                            const protocol::Readings& readings) {
  const Format& format = *state::current_format(readings.dialect(), strategy);
  const auto record = strategy == "composite" ? read_parts(format, fields, readings)
                                              : read(format.message.fields, fields);
  if (!record) return record.error();
  auto text = state::write(format, *record, readings);
  if (!text) return wrong(text.error().field, text.error().reason);
  return std::move(*text);
}

}  // namespace hallmark::server::adapter
