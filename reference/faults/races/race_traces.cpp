#include "reference/faults/races/race_traces.hpp"

namespace hallmark::faults {

using protocol::Attribute;
using protocol::Change;

Bytes answer(RacingRequest& request) { return request.ask(request.operation.name, request.values); }

bool succeeded(const RacingRequest& request, const Bytes& reply) {
  return request.read(reply).number_or("status", 0) == 1;
}

Bytes as_success(const RacingRequest& request, const Bytes& reply) {
  Record values = request.read(reply);
  values.set("status", std::uint64_t{1});
  return request.write(values);
}

Trace trace_of(const RacingRequest& request, Bytes reply) {
  return {request.connection, request.owner,  request.now,
          request.name,       request.values, std::move(reply)};
}

void note(RacingRequest& request, const char* what) {
  request.memory.last[{what, request.name}] = trace_of(request);
}

Trace* met(RacingRequest& request, const char* what) {
  const auto found = request.memory.last.find({what, request.name});
  if (found == request.memory.last.end()) return nullptr;
  Trace& trace = found->second;
  const bool meets = trace.connection != request.connection && request.now - trace.at <= meeting;
  return meets ? &trace : nullptr;
}

bool met_other_thread(RacingRequest& request, const char* what) {
  const Trace* const other = met(request, what);
  return other != nullptr && other->owner != request.owner;
}

bool is_move(const RacingRequest& request, Change change) {
  return request.is("UPDATE") && request.values.number("attribute") == code(Attribute::quota) &&
         request.values.number("change") == code(change);
}

bool is_move(const RacingRequest& request) {
  return is_move(request, Change::increase) || is_move(request, Change::decrease);
}

Record undone(Record update) {
  const bool up = update.number("change") == code(Change::increase);
  update.set("change", code(up ? Change::decrease : Change::increase));
  return update;
}

Record name_of(const RacingRequest& request) {
  Record name;
  for (const protocol::FieldName field : std::initializer_list<protocol::FieldName>{
           "key", "consumer_id", "resource_id", "request_id"}) {
    if (const auto* const value = request.values.find(field)) name.set(field, *value);
  }
  return name;
}

}  // namespace hallmark::faults
