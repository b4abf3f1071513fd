#include "conformance/reduction/record_reply.hpp"

#include <algorithm>

#include "protocol/throttr_words.hpp"

namespace hallmark::conformance {
namespace {

using base::Bytes;
using oracle::RecordAction;
using oracle::RecordOperation;
using oracle::RecordState;
using protocol::Record;

struct NamedAction {
  protocol::MessageName operation;
  RecordAction action;
};

constexpr NamedAction actions[] = {
    {"INSERT", RecordAction::insert}, {"QUERY", RecordAction::query},
    {"PURGE", RecordAction::purge},   {"SET", RecordAction::set},
    {"GET", RecordAction::get},       {"UPDATE", RecordAction::patch}};

const NamedAction* action_of(const ScriptStep& step) {
  const auto* const found =
      std::ranges::find(actions, step.operation->name, &NamedAction::operation);
  return found == std::end(actions) ? nullptr : found;
}

/// Values by number, and back.
class Values {
 public:
  std::uint64_t number_of(const Record& fields) {
    const protocol::Value* const value = fields.find("value");
    const Bytes bytes = value != nullptr && std::holds_alternative<Bytes>(*value)
                            ? std::get<Bytes>(*value)
                            : Bytes{};
    const auto found = std::ranges::find(values_, bytes);
    if (found != values_.end()) return static_cast<std::uint64_t>(found - values_.begin());
    values_.push_back(bytes);
    return values_.size() - 1;
  }
  const Bytes& at(std::uint64_t number) const { return values_[number]; }

 private:
  std::vector<Bytes> values_;
};

std::int64_t signed_ns(std::uint64_t ns) {
  return static_cast<std::int64_t>(
      std::min<std::uint64_t>(ns, std::uint64_t{oracle::never_ns} - 1));
}

std::int64_t ttl_ns(const WireFormat& format, std::uint64_t code, std::uint64_t amount) {
  const auto unit = protocol::ttl_unit(format.dialect(), code);
  if (!unit) return oracle::never_ns;
  const std::uint64_t length = protocol::length_of(*unit);
  return amount > std::uint64_t{oracle::never_ns} / length ? oracle::never_ns
                                                           : signed_ns(amount * length);
}

bool counts_ttls_from_now(const WireFormat& format) {
  return format.reads({"ttl-update", "unit-of-record-from-now"});
}

/// UPDATE of a quota, or PATCH of a TTL; other changes of TTLs are not part of the specification.
bool name_update(const WireFormat& format, RecordOperation& operation, const Record& request,
                 std::uint64_t unit_code) {
  const std::uint64_t change = request.number("change");
  operation.argument = request.number("value");
  if (request.number("attribute") == protocol::code(protocol::Attribute::quota)) {
    if (change == protocol::code(protocol::Change::increase))
      operation.action = RecordAction::increase;
    if (change == protocol::code(protocol::Change::decrease))
      operation.action = RecordAction::decrease;
    return change <= protocol::code(protocol::Change::decrease);
  }
  operation.action = RecordAction::patch_ttl;
  operation.ttl_ns = ttl_ns(format, unit_code, request.number("value"));
  return change == protocol::code(protocol::Change::patch) && counts_ttls_from_now(format);
}

std::optional<RecordOperation> operation_of(const WireFormat& format, const PlayedStep& played,
                                            Values& values, std::uint64_t unit_code) {
  const NamedAction* const named = action_of(*played.step);
  if (named == nullptr || !played.reply) return std::nullopt;
  const Record& request = played.step->request;
  RecordOperation operation;
  operation.action = named->action;
  operation.invoked_ns = signed_ns(played.window.earliest);
  operation.returned_ns = signed_ns(played.window.latest);
  operation.reply = played.reply->number_or("status", 0) == 1 ? oracle::RecordReply::success
                                                              : oracle::RecordReply::failure;
  if (named->action == RecordAction::insert) operation.argument = request.number("quota");
  if (named->action == RecordAction::set) operation.argument = values.number_of(request);
  if (named->action == RecordAction::patch && !name_update(format, operation, request, unit_code))
    return std::nullopt;
  if (named->action == RecordAction::insert || named->action == RecordAction::set)
    operation.ttl_ns = ttl_ns(format, request.number("ttl_type"), request.number("ttl"));
  if (operation.reply == oracle::RecordReply::success) {
    if (named->action == RecordAction::query) operation.told = played.reply->number("quota");
    if (named->action == RecordAction::get) operation.told = values.number_of(*played.reply);
  }
  return operation.ttl_ns == 0 ? std::nullopt : std::optional(operation);
}

using States = std::vector<RecordState>;

/// Applies UPDATE to a TTL.
void change(const WireFormat& format, const Record& request, std::size_t step,
            std::optional<ToldLifetime>& told) {
  if (request.number("attribute") != protocol::code(protocol::Attribute::ttl)) return;
  if (!counts_ttls_from_now(format)) return told.reset();
  const std::uint64_t value = request.number("value");
  vectors::Lifetime& lifetime = told->lifetime;
  switch (static_cast<protocol::Change>(request.number("change"))) {
    case protocol::Change::patch:
      lifetime.full = value;
      lifetime.since = step;
      return;
    case protocol::Change::increase: lifetime.full += value; return;
    case protocol::Change::decrease: lifetime.full -= std::min(value, lifetime.full); return;
  }
  told.reset();
}

States after(const oracle::RecordSpecification& specification, const States& states,
             const RecordOperation& operation) {
  States next;
  for (const RecordState& state : states) {
    const auto successors = specification.after(state, operation);
    for (const RecordState& one : successors.states()) next.push_back(one);
  }
  std::ranges::sort(next);
  next.erase(std::unique(next.begin(), next.end()), next.end());
  return next;
}

oracle::RecordSpecification specification_of(const WireFormat& format) {
  constexpr std::int64_t scheduler = 1'000'000'000;
  return oracle::RecordSpecification(
      oracle::RecordRules::of(format.readings(), format.width(), scheduler));
}

/// Returns the states that the record can have before the last step; nothing if they cannot be
/// told.
std::optional<States> states_before_last(const WireFormat& format,
                                         const std::vector<PlayedStep>& played, Values& values) {
  const Record name = record_named(format, *played.back().step);
  const auto specification = specification_of(format);
  States states{RecordState{}};
  std::uint64_t unit_code = 0;  // the unit that the record was last given
  for (std::size_t i = 0; i + 1 < played.size(); ++i) {
    if (!(record_named(format, *played[i].step) == name)) continue;
    if (action_of(*played[i].step) == nullptr) continue;  // tells, and changes nothing
    const auto operation = operation_of(format, played[i], values, unit_code);
    if (!operation) return std::nullopt;
    const protocol::Value* const unit = played[i].step->request.find("ttl_type");
    if (unit != nullptr && operation->reply == oracle::RecordReply::success)
      unit_code = std::get<std::uint64_t>(*unit);
    states = after(specification, states, *operation);
    if (states.empty()) return std::nullopt;
  }
  return states;
}

std::optional<Record> success_of(RecordAction action, const States& before, const Values& values) {
  Record reply{{"status", std::uint64_t{1}}};
  if (action != RecordAction::query && action != RecordAction::get) return reply;
  if (before.size() != 1) return std::nullopt;
  if (action == RecordAction::query) reply.set("quota", before.front().content);
  if (action == RecordAction::get) reply.set("value", values.at(before.front().content));
  return reply;
}

}  // namespace

Record record_named(const WireFormat& format, const Record& request) {
  Record name;
  for (const protocol::Field& field : format.operation("PURGE").request.fields) {
    const protocol::Value* const value = request.find(field.name);
    if (field.is<protocol::kinds::Bytes>() && value != nullptr) name.set(field.name, *value);
  }
  return name;
}

bool is_specified(const WireFormat& format, const ScriptStep& last,
                  const std::vector<std::string>& fields) {
  constexpr protocol::FieldName known[] = {"status", "quota", "value"};
  const bool tells_ttl = format.reads({"ttl-left", "left-rounded-down"}) &&
                         (last.operation->name == "QUERY" || last.operation->name == "GET");
  const bool all_known = std::ranges::all_of(fields, [&](const std::string& field) {
    const auto name = protocol::FieldName::unchecked(field);
    return std::ranges::find(known, name) != std::end(known) ||
           (tells_ttl && (name == "ttl" || name == "ttl_type"));
  });
  return all_known && !fields.empty() && action_of(last) != nullptr &&
         !record_named(format, last).fields().empty();
}

std::optional<Record> specified_reply(const WireFormat& format,
                                      const std::vector<PlayedStep>& played) {
  Values values;
  const auto before = states_before_last(format, played, values);
  if (!before) return std::nullopt;
  PlayedStep last = played.back();
  last.reply.emplace(Record{{"status", std::uint64_t{0}}});
  auto operation = operation_of(format, last, values, 0);
  if (!operation) return std::nullopt;
  const auto specification = specification_of(format);
  const bool may_fail = !after(specification, *before, *operation).empty();
  operation->reply = oracle::RecordReply::success;
  operation->told.reset();
  const bool may_succeed = !after(specification, *before, *operation).empty();
  if (may_fail == may_succeed) return std::nullopt;
  if (may_fail) return Record{{"status", std::uint64_t{0}}};
  return success_of(operation->action, *before, values);
}

std::optional<ToldLifetime> told_lifetime(const WireFormat& format,
                                          const std::vector<PlayedStep>& played) {
  std::optional<ToldLifetime> told;
  const Record name = record_named(format, *played.back().step);
  for (std::size_t i = 0; i + 1 < played.size(); ++i) {
    const PlayedStep& one = played[i];
    const bool succeeded = one.reply && one.reply->number_or("status", 0) == 1;
    if (!succeeded || !(record_named(format, *one.step) == name)) continue;
    const protocol::MessageName operation = one.step->operation->name;
    const Record& request = one.step->request;
    if (operation == "PURGE") told.reset();
    if (operation == "UPDATE" && told) change(format, request, i, told);
    if (operation != "INSERT" && operation != "SET") continue;
    const auto unit = protocol::ttl_unit(format.dialect(), request.number("ttl_type"));
    if (!unit) return std::nullopt;
    told = {request.number("ttl_type"), {request.number("ttl"), protocol::length_of(*unit), i}};
  }
  return told;
}

}  // namespace hallmark::conformance
