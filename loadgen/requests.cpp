#include "loadgen/requests.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hallmark::loadgen {
namespace {

using protocol::Field;
using protocol::Kind;

/// Keys that must be there outlive any run; those that come and go do so within one.
constexpr std::string_view stored_ttl_type = "hours";
constexpr std::uint64_t stored_ttl = 24;
constexpr std::string_view passing_ttl_type = "seconds";
constexpr std::uint64_t passing_ttl = 1;
/// Field names of the numbers that each copy of a frame gets anew.
constexpr std::string_view patched_numbers[] = {"quota", "value"};
constexpr std::size_t longest_key = 255;
constexpr std::uint32_t most_keys = 10'000'000;

bool stays(KeySpace keys) { return keys == KeySpace::counters || keys == KeySpace::buffers; }

// Even, so that digits are written in pairs.
std::size_t digits_for(std::uint32_t keys) {
  std::size_t digits = 0;
  for (std::uint32_t rest = keys - 1; digits == 0 || rest != 0; rest /= 100) digits += 2;
  return digits;
}

std::uint64_t choice_named(const Field& field, std::string_view name) {
  for (const auto& choice : field.choices) {
    if (choice.name == name) return choice.code;
  }
  return field.choices.empty() ? 0 : field.choices.front().code;
}

const Field* field_named(std::span<const Field> fields, std::string_view name) {
  const auto found = std::find_if(fields.begin(), fields.end(),
                                  [&](const Field& field) { return field.name == name; });
  return found == fields.end() ? nullptr : &*found;
}

std::string_view patched_number_of(const protocol::Layout& layout) {
  for (const std::string_view name : patched_numbers) {
    const Field* field = layout.find(layout.message().fields, name);
    if (field != nullptr && field->kind == Kind::integer) return name;
  }
  return {};
}

Result<void> check(const Workload& workload) {
  const auto most = protocol::max_of_width(bytes_of(workload.width));
  if (workload.keys == 0 || workload.keys > most_keys) {
    return Error{fmt::format("keys: {}; allowed: 1 to {}", workload.keys, most_keys)};
  }
  if (workload.value_bytes > most) {
    return Error{fmt::format("value size: {} bytes; a value of width {} has at most {}",
                             workload.value_bytes, name_of(workload.width), most)};
  }
  const std::size_t key = workload.key_prefix.size() + 1 + digits_for(workload.keys);
  if (key > longest_key) {
    return Error{fmt::format("key prefix: keys of {} bytes; allowed: up to {}", key, longest_key)};
  }
  return {};
}

}  // namespace

Result<Requests> Requests::make(const Workload& workload) {
  const auto operations = load_operations(*workload.dialect);
  if (reply_checks(*workload.dialect, workload.width).empty()) {
    return Error{fmt::format("dialect '{}' has no load workload", workload.dialect->name)};
  }
  if (const auto checked = check(workload); !checked) return checked.error();
  auto mix = parse_mix(workload.mix, mix_names(operations));
  if (!mix) return mix.error();
  Requests requests{workload, *mix};
  for (const MixPart& named : *mix) {
    const auto operation = std::find_if(operations.begin(), operations.end(),
                                        [&](const auto& o) { return o.name == named.operation; });
    auto part = requests.make_part(operation->name, operation->keys, operation->must_succeed);
    if (!part) return part.error();
    requests.all_answered_ = requests.all_answered_ && part->answered;
    requests.parts_.push_back(std::move(*part));
  }
  for (const KeySpace keys : key_spaces) {
    if (!requests.uses(keys)) continue;
    if (const auto added = requests.add_setup(keys); !added) return added.error();
  }
  const auto& parts = requests.parts_;
  if (std::none_of(parts.begin(), parts.end(), [](const auto& part) { return part.answered; })) {
    return Error{
        fmt::format("mix: nothing in '{}' is answered; name one operation that is", workload.mix)};
  }
  return requests;
}

Requests::Requests(const Workload& workload, std::vector<MixPart> mix)
    : workload_(workload),
      readings_(*workload.dialect, workload.profile),
      key_digits_(digits_for(workload.keys)),
      chooser_(mix, workload.keys, workload.seed) {
  const bool subscribes = std::any_of(
      mix.begin(), mix.end(), [](const auto& part) { return part.operation == "subscribe"; });
  const auto pushes = push_checks(*workload.dialect, workload.width);
  if (!subscribes || pushes.empty()) return;
  delivery_opcode_ = workload.dialect->pushes.front().opcode;
  delivery_check_ = pushes.front();
}

Result<RequestPart> Requests::make_part(std::string_view name, KeySpace keys,
                                        bool must_succeed) const {
  const auto& dialect = *workload_.dialect;
  const protocol::Operation& operation = *protocol::find_operation(dialect, name);
  const auto layout = protocol::Layout::request(operation, workload_.width, readings_);
  auto frame = Frame::make(layout, record_of(layout, keys),
                           keys == KeySpace::none ? 0 : key_digits_, patched_number_of(layout));
  if (!frame) return frame.error();
  const auto reply = protocol::Layout::reply(operation, workload_.width, readings_);
  const auto index = static_cast<std::size_t>(&operation - dialect.operations.data());
  RequestPart part;
  part.name = name;
  part.frame = std::move(*frame);
  part.keys = keys;
  part.answered = reply.sent();
  part.starts_with_status = reply.find(operation.reply.fields, "status") != nullptr;
  part.check = reply_checks(dialect, workload_.width)[index];
  part.expected = expectation_of(operation, keys, must_succeed);
  return part;
}

Result<void> Requests::add_setup(KeySpace keys) {
  const bool counter = keys == KeySpace::counters || keys == KeySpace::inserted;
  auto store = make_part(counter ? "insert" : "set", keys, true);
  auto purge = make_part("purge", keys, false);
  if (!store) return store.error();
  if (!purge) return purge.error();
  setups_.push_back({std::move(*store), std::move(*purge), keys, stays(keys)});
  return {};
}

protocol::Value Requests::value_of(const Field& field, KeySpace keys) const {
  const auto text = [](const std::string& content) { return protocol::to_bytes(content); };
  if (field.name == "key") {
    return text(workload_.key_prefix + letter_of(keys) + std::string(key_digits_, '0'));
  }
  if (field.name == "channel") return text(workload_.key_prefix + "channel");
  if (field.kind == Kind::bytes) return text(std::string(workload_.value_bytes, 'v'));
  if (field.kind == Kind::opaque) return protocol::Bytes(field.width);
  if (field.name == "ttl") return stays(keys) ? stored_ttl : passing_ttl;
  if (field.name == "ttl_type") {
    return choice_named(field, stays(keys) ? stored_ttl_type : passing_ttl_type);
  }
  if (field.name == "attribute") return choice_named(field, "quota");
  if (field.name == "change") return choice_named(field, "patch");
  return std::uint64_t{0};
}

protocol::Record Requests::record_of(const protocol::Layout& layout, KeySpace keys) const {
  protocol::Record record;
  for (const Field& field : layout.message().fields) {
    const bool computed =
        field.kind == Kind::opcode || field.kind == Kind::size || field.kind == Kind::count;
    if (computed || !layout.present(field)) continue;
    record.set(field.name, value_of(field, keys));
  }
  return record;
}

Expectation Requests::expectation_of(const protocol::Operation& operation, KeySpace keys,
                                     bool must_succeed) const {
  Expectation expected{.must_succeed = must_succeed,
                       .most_ttl = stored_ttl,
                       .value_size = workload_.value_bytes,
                       .stored = stays(keys)};
  if (const Field* type = field_named(operation.reply.on_success, "ttl_type")) {
    expected.ttl_type = choice_named(*type, stored_ttl_type);
  }
  return expected;
}

bool Requests::uses(KeySpace keys) const {
  return std::any_of(parts_.begin(), parts_.end(),
                     [&](const RequestPart& part) { return part.keys == keys; });
}

std::vector<SetupStep> Requests::before() const {
  std::vector<SetupStep> steps;
  for (const Setup& setup : setups_) {
    if (!setup.stored_before) continue;
    for (std::uint32_t key = 0; key < workload_.keys; ++key) {
      steps.push_back({&setup.purge, key});
      steps.push_back({&setup.store, key});
    }
  }
  return steps;
}

std::vector<SetupStep> Requests::after() const {
  std::vector<SetupStep> steps;
  for (const Setup& setup : setups_) {
    for (std::uint32_t key = 0; key < workload_.keys; ++key) steps.push_back({&setup.purge, key});
  }
  return steps;
}

}  // namespace hallmark::loadgen
