#include "loadgen/tests/replies.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "loadgen/workload/operations.hpp"

namespace hallmark::loadgen {
namespace {

using protocol::Field;
namespace kinds = protocol::kinds;

/// The value as the setup writes it.
base::Bytes first_value(std::uint64_t bytes) {
  base::Bytes value(bytes, filler);
  if (bytes >= writer_bytes) std::fill_n(value.begin(), writer_bytes, std::uint8_t{0});
  return value;
}

protocol::Value value_of(const Field& field, const Workload& workload) {
  if (field.is<kinds::Group>()) return std::vector<protocol::Record>{};
  if (field.is<kinds::Bytes>()) return first_value(workload.value_sizes.bytes_of(0));
  if (field.is<kinds::Opaque, kinds::Text>()) return base::Bytes(*field.width());
  if (const auto* const choice = field.as<kinds::ChoiceOf>())
    return field.name == "ttl_type" ? choice->choices.back().code : choice->choices.front().code;
  return std::uint64_t{7};
}

void add(protocol::Record& record, const protocol::Layout& layout, std::span<const Field> fields,
         const Workload& workload) {
  for (const Field& field : fields) {
    const bool computed = field.derived() || field.is<kinds::Status>();
    if (!computed && layout.present(field)) record.set(field.name, value_of(field, workload));
  }
}

bool is_deployed(const protocol::Readings& readings) {
  const auto& dialect = readings.dialect();
  const protocol::Readings deployed{dialect, protocol::Profile::deployed};
  return std::ranges::all_of(dialect.readings, [&](const auto& reading) {
    return readings.answer(reading) == deployed.answer(reading);
  });
}

}  // namespace

const protocol::Operation& operation_named(const protocol::Dialect& dialect,
                                           std::string_view name) {
  for (const LoadOperation& operation : load_operations(dialect)) {
    if (operation.name == name) return *protocol::find_operation(dialect, operation.operation);
  }
  return *protocol::find_operation_called(dialect, name);
}

base::Bytes reply_to(std::string_view name, const Workload& workload, bool success,
                     const protocol::Record& changes) {
  const auto& operation = operation_named(workload.readings.dialect(), name);
  const auto layout = protocol::Layout::reply(operation, workload.width, workload.readings);
  protocol::Record record;
  if (layout.find(operation.reply.fields, "status") != nullptr) {
    record.set("status", std::uint64_t{success ? 1U : 0U});
  }
  add(record, layout, operation.reply.fields, workload);
  if (success) add(record, layout, operation.reply.on_success, workload);
  for (const auto& [field, value] : changes.fields()) {
    if (field != "request_id" || record.find(protocol::FieldName::unchecked(field)) != nullptr)
      record.set(protocol::FieldName::unchecked(field), value);
  }
  return protocol::encode(layout, record).value();
}

base::Bytes delivery(const Workload& workload, std::string_view payload) {
  const auto& push = workload.readings.dialect().pushes.front();
  const auto layout = protocol::Layout::push(push, workload.width, workload.readings);
  protocol::Record record{{"payload", base::to_bytes(payload)}};
  if (layout.find(push.message.fields, "channel") != nullptr) {
    record.set("channel", base::to_bytes("load:channel"));
  }
  return protocol::encode(layout, record).value();
}

Workload workload_of(std::string mix, protocol::Width width, const protocol::Dialect& dialect) {
  return workload_of({dialect, protocol::Profile::deployed}, width, std::move(mix));
}

Workload workload_of(const protocol::Readings& readings, protocol::Width width, std::string mix) {
  return {.readings = readings, .width = width, .mix = std::move(mix), .keys = 100};
}

std::vector<Format> every_format() {
  std::vector<Format> formats;
  for (const auto* dialect : protocol::throttr_dialects) {
    const protocol::Readings literal{*dialect, protocol::Profile::literal};
    for (const auto width : dialect->widths) {
      formats.push_back({{*dialect, protocol::Profile::deployed}, width});
      if (!is_deployed(literal)) formats.push_back({literal, width});
    }
  }
  return formats;
}

std::string name_of(const Format& format) {
  std::string name =
      fmt::format("{}_{}_{}", format.readings.dialect().name, protocol::name_of(format.width),
                  is_deployed(format.readings) ? "deployed" : "literal");
  std::ranges::replace_if(
      name, [](char c) { return c == '-' || c == '.'; }, '_');
  return name;
}

std::string mix_without(const protocol::Dialect& dialect,
                        std::initializer_list<std::string_view> left_out) {
  std::vector<std::string> parts;
  for (const LoadOperation& operation : load_operations(dialect)) {
    if (std::ranges::find(left_out, operation.name) != left_out.end()) continue;
    parts.push_back(fmt::format("{}=1", operation.name));
  }
  return fmt::format("{}", fmt::join(parts, ","));
}

}  // namespace hallmark::loadgen
