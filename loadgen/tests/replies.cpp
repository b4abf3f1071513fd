#include "loadgen/tests/replies.hpp"

#include "reference/protocol/dialects/throttr_7_1.hpp"

namespace hallmark::loadgen {
namespace {

using protocol::Field;
using protocol::Kind;

protocol::Value value_of(const Field& field, const Workload& workload) {
  if (field.kind == Kind::group) return std::vector<protocol::Record>{};
  if (field.kind == Kind::bytes) return protocol::Bytes(workload.value_bytes, 'x');
  if (field.kind == Kind::opaque || field.kind == Kind::text) return protocol::Bytes(field.width);
  if (field.name == "ttl_type") return field.choices.back().code;
  if (field.kind == Kind::choice) return field.choices.front().code;
  return std::uint64_t{7};
}

void add(protocol::Record& record, const protocol::Layout& layout, std::span<const Field> fields,
         const Workload& workload) {
  for (const Field& field : fields) {
    const bool computed = field.kind == Kind::opcode || field.kind == Kind::size ||
                          field.kind == Kind::count || field.kind == Kind::status;
    if (!computed && layout.present(field)) record.set(field.name, value_of(field, workload));
  }
}

}  // namespace

protocol::Bytes reply_to(std::string_view name, const Workload& workload, bool success,
                         const protocol::Record& changes) {
  const protocol::Readings readings{*workload.dialect, workload.profile};
  const auto& operation = *protocol::find_operation(*workload.dialect, name);
  const auto layout = protocol::Layout::reply(operation, workload.width, readings);
  protocol::Record record;
  if (layout.find(operation.reply.fields, "status") != nullptr) {
    record.set("status", std::uint64_t{success ? 1U : 0U});
  }
  add(record, layout, operation.reply.fields, workload);
  if (success) add(record, layout, operation.reply.on_success, workload);
  for (const auto& [field, value] : changes.fields()) record.set(field, value);
  return protocol::encode(layout, record).value();
}

protocol::Bytes delivery(const Workload& workload, std::string_view payload) {
  const protocol::Readings readings{*workload.dialect, workload.profile};
  const auto layout =
      protocol::Layout::push(workload.dialect->pushes.front(), workload.width, readings);
  return protocol::encode(layout, {{"payload", protocol::to_bytes(payload)}}).value();
}

Workload workload_of(std::string mix, protocol::Width width) {
  return {.dialect = &protocol::throttr_7_1, .width = width, .mix = std::move(mix), .keys = 100};
}

}  // namespace hallmark::loadgen
