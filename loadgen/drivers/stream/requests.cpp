#include "loadgen/drivers/stream/requests.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>

#include "protocol/little_endian.hpp"
#include "protocol/throttr_words.hpp"

namespace hallmark::loadgen {
namespace {

using base::Error;
using base::Result;
using protocol::Field;
using protocol::TtlUnit;
namespace kinds = protocol::kinds;

/// Keys that must be there outlive any run; those that come and go do so within one.
constexpr TtlUnit stored_ttl_unit = TtlUnit::hours;
constexpr std::uint64_t stored_ttl = 24;
constexpr TtlUnit passing_ttl_unit = TtlUnit::seconds;
constexpr std::uint64_t passing_ttl = 1;
/// Field names of the numbers that each copy of a frame gets anew.
constexpr protocol::FieldName patched_numbers[] = {"quota", "value"};
constexpr std::uint32_t most_keys = 10'000'000;
/// No run moves a quota by that much.
constexpr std::uint64_t far_from_both_ends = std::uint64_t{1} << 40;
/// The clause of a dialect in which every connection is subscribed to something without having
/// asked.
constexpr std::string_view subscribed_from_the_start = "channels.own";

constexpr protocol::Chosen no_maximum{"maximum-values", "invalid"};
constexpr protocol::Chosen no_empty_names{"empty-names", "refused"};
constexpr protocol::Chosen any_order{"reply-order", "any-order"};
/// Expired pairs come back; nothing is said about expired records then.
constexpr protocol::Chosen comes_back{"expiry-2.0", "restored"};
constexpr protocol::Chosen replaced_anew{"insert-existing", "replaced"};
constexpr protocol::Chosen no_set_anew{"set-existing", "refused"};

/// Writes requests that are copies of one frame, one behind the other. All that is the same for
/// each of them is a local: what is written might be any member, as far as the compiler knows.
/// Returns true if a key has none of the bits of `watch_mask`.
template <class Copier>
bool write_copies(Copier copier, UniformKeys keys, std::uint8_t* at, std::uint64_t first,
                  std::uint64_t stride, std::uint32_t watch_mask, std::span<Written> row) {
  bool may_be_watched = false;
  std::uint64_t index = first;
  for (Written& written : row) {
    const std::uint32_t key = keys.pick(index);
    copier.write(at, key, Requests::id_of(index));
    written = {0, key};
    if ((key & watch_mask) == 0) [[unlikely]]
      may_be_watched = true;
    at += copier.size();
    index += stride;
  }
  return may_be_watched;
}

bool moves(const RequestPart& part) {
  return part.action == oracle::RecordAction::increase ||
         part.action == oracle::RecordAction::decrease;
}

/// The action of an operation on the record of its key, as far as its replies tell of it.
std::optional<oracle::RecordAction> action_of(const LoadOperation& load) {
  using oracle::RecordAction;
  using protocol::Change;
  if (load.operation == "INSERT") return RecordAction::insert;
  if (load.operation == "QUERY") return RecordAction::query;
  if (load.operation == "PURGE") return RecordAction::purge;
  if (load.operation == "SET") return RecordAction::set;
  if (load.operation == "GET") return RecordAction::get;
  if (load.operation != "UPDATE") return std::nullopt;
  return load.change == Change::increase   ? RecordAction::increase
         : load.change == Change::decrease ? RecordAction::decrease
                                           : RecordAction::patch;
}

bool stays(KeySpace keys) { return keys == KeySpace::counters || keys == KeySpace::buffers; }

// Even, so that digits are written in pairs.
std::size_t digits_for(std::uint32_t keys) {
  std::size_t digits = 0;
  for (std::uint32_t rest = keys - 1; digits == 0 || rest != 0; rest /= 100) digits += 2;
  return digits;
}

protocol::FieldName patched_number_of(const protocol::Layout& layout) {
  for (const protocol::FieldName name : patched_numbers) {
    const Field* field = layout.find(layout.message().fields, name);
    if (field != nullptr && field->is<kinds::Integer>()) return name;
  }
  return protocol::FieldName::none();
}

bool is_value_wide(const Field& field) { return field.width() == kinds::value_width; }

std::string text_of(const protocol::When& when) {
  return fmt::format("{}={}", when.reading, when.answer);
}

/// Names what sets the bound of a size: the width of the target, a reading, or the document itself.
std::string bounded_by(const protocol::Layout& layout, const Field& size) {
  if (is_value_wide(size)) return fmt::format("width {}", name_of(layout.width()));
  if (!size.when.reading.empty()) return text_of(size.when);
  return fmt::format("{}-byte size", layout.width_of(size));
}

Error bad_size(const Field& size, std::size_t bytes, std::string_view bound, std::uint64_t allowed,
               std::string_view because) {
  const std::string_view of = size.measured();
  const bool value = of == "value" || of == "payload";
  return {fmt::format("{}: a {} of {} bytes; allowed: at {} {} ({})",
                      value ? "value size" : "key prefix", of, bytes, bound, allowed, because)};
}

/// Refuses names and values of sizes that a request cannot say, or that the readings forbid.
Result<void> check_sizes(const protocol::Layout& layout, const protocol::Record& values) {
  for (const Field& size : layout.message().fields) {
    if (!size.is<kinds::Size>() || !layout.present(size)) continue;
    const auto bytes = std::get<base::Bytes>(*values.find(size.measured())).size();
    const auto most = protocol::max_of_width(layout.width_of(size));
    if (bytes > most) return bad_size(size, bytes, "most", most, bounded_by(layout, size));
    if (bytes == most && is_value_wide(size) && layout.readings().holds(no_maximum)) {
      return bad_size(size, bytes, "most", most - 1, text_of(no_maximum));
    }
    if (bytes == 0 && layout.readings().holds(no_empty_names)) {
      return bad_size(size, bytes, "least", 1, text_of(no_empty_names));
    }
  }
  return {};
}

Result<void> check(const Workload& workload) {
  const auto& dialect = workload.readings.dialect();
  if (reply_checks(dialect, workload.width).empty()) {
    return Error{fmt::format("dialect '{}' has no load workload", dialect.name)};
  }
  if (workload.keys == 0 || workload.keys > most_keys) {
    return Error{fmt::format("keys: {}; allowed: 1 to {}", workload.keys, most_keys)};
  }
  return {};
}

/// Tells this run from others of the same seed.
std::uint64_t process_number() {
  const auto now = std::chrono::system_clock::now().time_since_epoch().count();
  return static_cast<std::uint64_t>(now) ^ static_cast<std::uint64_t>(getpid()) << 48;
}

/// The reading that leaves the reply of an operation without a status, as its option.
std::string without_status(const protocol::Readings& readings, std::string_view operation) {
  const auto& reply = protocol::find_operation_called(readings.dialect(), operation)->reply;
  for (const Field& field : reply.fields) {
    if (!field.is<kinds::Status>() || readings.holds(field.when)) continue;
    return fmt::format("under {}={} ", field.when.reading, readings.answer(field.when.reading));
  }
  return {};
}

}  // namespace

Result<Requests> Requests::make(const Workload& workload) {
  if (const auto checked = check(workload); !checked) return checked.error();
  const auto& dialect = workload.readings.dialect();
  auto mix = parse_mix(workload.mix, mix_names(load_operations(dialect)));
  if (!mix) return mix.error();
  Requests requests{workload, *mix};
  if (const auto added = requests.add_parts(*mix); !added) return added.error();
  for (const KeySpace keys : key_spaces) {
    if (!requests.uses(keys)) continue;
    if (const auto added = requests.add_setup(keys); !added) return added.error();
  }
  if (const auto added = requests.add_subscription(); !added) return added.error();
  if (const auto added = requests.add_counter_query(); !added) return added.error();
  if (const auto told_apart = requests.expect_deliveries(); !told_apart) return told_apart.error();
  return requests;
}

Requests::Requests(const Workload& workload, std::span<const MixPart> mix)
    : workload_(workload),
      number_mask_(protocol::max_of_width(bytes_of(workload.width))),
      largest_number_(number_mask_ - (workload.readings.holds(no_maximum) ? 1 : 0)),
      first_quota_(largest_number_),
      key_digits_(workload.named_keys ? 0 : digits_for(workload.keys)),
      chooser_(mix, {workload.key_choice, workload.keys, workload.seed, workload.named_keys},
               workload.seed),
      run_number_(base::mix64(workload.seed ^ process_number())),
      any_order_(workload.readings.holds(loadgen::any_order)) {}

Result<void> Requests::add_parts(std::span<const MixPart> mix) {
  const auto operations = load_operations(readings().dialect());
  bool any_answered = false;
  for (const MixPart& named : mix) {
    const auto operation = std::find_if(operations.begin(), operations.end(),
                                        [&](const auto& o) { return o.name == named.operation; });
    LoadOperation load = *operation;
    if (load.name == "set" && readings().holds(no_set_anew)) load.must_succeed = false;
    auto part = make_part(load);
    if (!part) return part.error();
    if (moves(*part)) first_quota_ = std::min(largest_number_ / 2, far_from_both_ends);
    all_answered_ = all_answered_ && part->answered;
    any_answered = any_answered || part->answered;
    room_ = std::max(room_, part->usual.frame.room());
    for (const RequestVariant& variant : part->variants)
      room_ = std::max(room_, variant.frame.room());
    parts_.push_back(std::move(*part));
  }
  if (any_answered) return {};
  return Error{
      fmt::format("mix: nothing in '{}' is answered; name one operation that is", workload_.mix)};
}

WrittenRow Requests::write(std::uint8_t* at, std::uint64_t first, std::uint64_t stride,
                           std::int64_t planned_ns, std::uint32_t watch_mask,
                           std::span<Written> row) const {
  const UniformKeys* const keys = chooser_.keys().uniform();
  if (keys != nullptr && parts_.size() == 1 && parts_[0].variants.empty()) {
    const Frame& frame = parts_[0].usual.frame;
    bool may_be_watched = false;
    const bool written = frame.with_copier([&](const auto& copier) {
      may_be_watched = write_copies(copier, *keys, at, first, stride, watch_mask, row);
    });
    if (written) return {row.size() * frame.size(), may_be_watched};
  }
  return write_each(at, first, stride, planned_ns, watch_mask, row);
}

WrittenRow Requests::write_each(std::uint8_t* at, std::uint64_t first, std::uint64_t stride,
                                std::int64_t planned_ns, std::uint32_t watch_mask,
                                std::span<Written> row) const {
  WrittenRow all{0, false};
  std::uint64_t index = first;
  for (Written& written : row) {
    const std::uint32_t key = key_of(index);
    const std::uint32_t part = part_of(index);
    const Frame& frame = variant_of(parts_[part], key).frame;
    write(at + all.bytes, frame, key, index, planned_ns);
    written = {part, key};
    all.may_be_watched |= (key & watch_mask) == 0;
    all.bytes += frame.size();
    index += stride;
  }
  return all;
}

/// A delivery is told by its opcode, as long as no reply can start with that byte.
Result<void> Requests::expect_deliveries() {
  const auto& dialect = readings().dialect();
  const auto checks = push_checks(dialect, workload_.width);
  const bool subscribes = std::any_of(parts_.begin(), parts_.end(),
                                      [](const auto& p) { return p.name == "subscribe"; });
  const bool subscribed = protocol::find_clause(dialect, subscribed_from_the_start) != nullptr;
  if (checks.empty() || !(subscribes || subscribed || subscribe_)) return {};
  delivery_opcode_ = dialect.pushes.front().opcode;
  delivery_check_ = checks.front();
  for (const RequestPart& part : parts_) {
    if (!part.answered || !part.starts_like_delivery) continue;
    return Error{fmt::format(
        "mix: {}the reply to {} cannot be told from a {}; leave out subscribe or {}",
        without_status(readings(), part.name), part.name, dialect.pushes.front().name, part.name)};
  }
  return {};
}

/// A message has variants where its keys have names, or where it has a value or the reply does.
std::size_t Requests::variants_of(const protocol::Layout& layout, KeySpace keys) const {
  if (keys == KeySpace::none) return 1;
  if (workload_.named_keys) return workload_.named_keys->names.size();
  const auto& fields = layout.message().fields;
  const bool has_value =
      layout.find(fields, "value") != nullptr && layout.find(fields, "value")->is<kinds::Bytes>();
  return has_value || keys == KeySpace::buffers ? workload_.value_sizes.classes() : 1;
}

Result<RequestVariant> Requests::make_variant(const protocol::Layout& layout,
                                              const protocol::Operation& operation,
                                              const LoadOperation& load,
                                              std::size_t variant) const {
  const auto& sizes = workload_.value_sizes;
  const KeySpace keys = load.keys;
  Shape shape{keys, std::string(key_digits_, '0'), sizes.bytes_of(0), load.change};
  if (workload_.named_keys && keys != KeySpace::none) {
    shape.key_end = workload_.named_keys->names[variant];
    shape.value_bytes =
        sizes.bytes_of(sizes.class_of(static_cast<std::uint32_t>(variant), workload_.seed));
  } else if (keys != KeySpace::none) {
    shape.value_bytes = sizes.bytes_of(variant);
  }
  const auto values = protocol::worded(readings().dialect(), operation, record_of(layout, shape));
  if (const auto checked = check_sizes(layout, values); !checked) return checked.error();
  const bool moved = load.change != protocol::Change::patch;
  auto frame = Frame::make(layout, values, keys == KeySpace::none ? 0 : key_digits_,
                           moved ? protocol::FieldName::none() : patched_number_of(layout));
  if (!frame) return frame.error();
  return RequestVariant{std::move(*frame), expectation_of(shape, load.must_succeed)};
}

Result<RequestPart> Requests::make_part(const LoadOperation& load) {
  const auto& dialect = readings().dialect();
  const protocol::Operation& operation = *protocol::find_operation(dialect, load.operation);
  const auto layout = protocol::Layout::request(operation, workload_.width, readings());
  const auto reply = protocol::Layout::reply(operation, workload_.width, readings());
  const Field* const first = reply.first();
  const auto index = static_cast<std::size_t>(&operation - dialect.operations.data());
  RequestPart part;
  part.name = load.name;
  for (std::size_t variant = 0; variant < variants_of(layout, load.keys); ++variant) {
    auto made = make_variant(layout, operation, load, variant);
    if (!made) return made.error();
    part.variants.push_back(std::move(*made));
  }
  part.usual = part.variants.front();
  if (part.variants.size() == 1) part.variants.clear();
  part.keys = load.keys;
  part.answered = reply.sent();
  if (part.answered && !(load.keys == KeySpace::inserted && readings().holds(comes_back)))
    part.action = action_of(load);
  part.starts_like_delivery =
      !dialect.pushes.empty() && reply.can_start_with(dialect.pushes.front().opcode);
  part.repeats_id = first != nullptr && first->name == "request_id";
  part.tells_writer = load.operation == "GET";
  const auto [check, row] = reply_checks(dialect, workload_.width)[index];
  part.check = check;
  // Otherwise each reply is also checked against its own request.
  if (!part.tells_writer && part.variants.empty()) part.row_check = row;
  if (part.repeats_id) id_bytes_ = reply.width_of(*first);
  return part;
}

/// Adds the request that `--subscribers` send.
Result<void> Requests::add_subscription() {
  if (workload_.subscribers == 0) return {};
  const auto& dialect = readings().dialect();
  if (push_checks(dialect, workload_.width).empty())
    return Error{fmt::format("dialect '{}' has no subscribers", dialect.name)};
  if (protocol::find_clause(dialect, subscribed_from_the_start) != nullptr) {
    return Error{
        fmt::format("dialect '{}' subscribes every connection by itself; allowed: no "
                    "--subscribers",
                    dialect.name)};
  }
  auto part = make_part({"subscribe", "SUBSCRIBE", KeySpace::none, true});
  if (!part) return part.error();
  subscribe_ = std::move(*part);
  return {};
}

/// Adds the query that reads counters back. Their final quota is known only if they are moved and
/// not set to something else.
Result<void> Requests::add_counter_query() {
  const bool set = std::ranges::any_of(
      parts_, [](const auto& part) { return part.action == oracle::RecordAction::patch; });
  if (set || std::ranges::none_of(parts_, moves)) return {};
  auto part = make_part({"query", "QUERY", KeySpace::counters, false});
  if (!part) return part.error();
  counter_query_ = std::move(*part);
  return {};
}

std::vector<SetupStep> Requests::subscription() const {
  if (!subscribe_) return {};
  return {{&*subscribe_, 0}};
}

Result<void> Requests::add_setup(KeySpace keys) {
  const bool counter = keys == KeySpace::counters || keys == KeySpace::inserted;
  auto store =
      counter ? make_part({"insert", "INSERT", keys, true}) : make_part({"set", "SET", keys, true});
  auto purge = make_part({"purge", "PURGE", keys, false});
  if (!store) return store.error();
  if (!purge) return purge.error();
  setups_.push_back({std::move(*store), std::move(*purge), keys, stays(keys)});
  return {};
}

// Values are in the words that all dialects share, except for the two parts of a key in a dialect
// that has pairs: the second part holds all the digits.
protocol::Value Requests::value_of(const Field& field, const Shape& shape) const {
  const auto text = [](const std::string& content) { return base::to_bytes(content); };
  const std::string& prefix = workload_.key_prefix;
  const KeySpace keys = shape.keys;
  const std::string end = letter_of(keys) + shape.key_end;
  if (field.name == "key") return text(prefix + end);
  if (field.name == "consumer_id") return text(prefix);
  if (field.name == "resource_id") return text(end);
  if (field.name == "channel") return text(prefix + "channel");
  if (field.name == "payload") return payload_of(shape.value_bytes);
  if (field.is<kinds::Bytes>()) return base::Bytes(shape.value_bytes, filler);
  if (field.is<kinds::Opaque>()) return base::Bytes(*field.width());
  if (field.name == "ttl") return stays(keys) ? stored_ttl : passing_ttl;
  if (field.name == "ttl_type") return code(stays(keys) ? stored_ttl_unit : passing_ttl_unit);
  if (field.name == "attribute") return code(protocol::Attribute::quota);
  if (field.name == "change") return code(shape.change);
  if (field.name == "value") return moved_by;
  return std::uint64_t{0};
}

/// Leaves room for the planned time of the publication in front of the number of the run.
base::Bytes Requests::payload_of(std::uint64_t bytes) const {
  base::Bytes payload(bytes, filler);
  if (bytes >= stamp_bytes)
    std::memcpy(payload.data() + stamp_bytes / 2, &run_number_, sizeof run_number_);
  return payload;
}

protocol::Record Requests::record_of(const protocol::Layout& layout, const Shape& shape) const {
  protocol::Record record;
  for (const Field& field : layout.message().fields) {
    if (field.derived() || !layout.present(field)) continue;
    record.set(field.name, value_of(field, shape));
  }
  return record;
}

Expectation Requests::expectation_of(const Shape& shape, bool must_succeed) const {
  const auto wording = protocol::ttl_wording(readings().dialect(), stored_ttl_unit);
  return {.must_succeed = must_succeed,
          .ttl_type = wording.code,
          .most_ttl = stored_ttl * wording.factor,
          .value_size = shape.value_bytes,
          .stored = stays(shape.keys)};
}

std::string Requests::key_text(const RequestPart& part, std::uint32_t key) const {
  if (part.keys == KeySpace::none) return {};
  const std::string start = workload_.key_prefix + letter_of(part.keys);
  if (workload_.named_keys) return start + workload_.named_keys->names[key];
  return fmt::format("{}{:0{}}", start, key, key_digits_);
}

std::vector<std::string> Requests::names() const {
  std::vector<std::string> names;
  for (const RequestPart& part : parts_) names.push_back(part.name);
  return names;
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

std::vector<SetupStep> Requests::counters() const {
  std::vector<SetupStep> steps;
  if (!counter_query_) return steps;
  for (std::uint32_t key = 0; key < workload_.keys; ++key) steps.push_back({&*counter_query_, key});
  return steps;
}

bool Requests::tells_winners() const {
  const auto inserts = [](const RequestPart& part) {
    return part.action == oracle::RecordAction::insert;
  };
  const auto in_the_dark = [](const RequestPart& part) {
    return part.keys == KeySpace::inserted && !part.action;
  };
  return !readings().holds(replaced_anew) && std::ranges::any_of(parts_, inserts) &&
         std::ranges::none_of(parts_, in_the_dark);
}

std::int64_t Requests::passing_ttl_ns() noexcept {
  return static_cast<std::int64_t>(passing_ttl * length_of(passing_ttl_unit));
}

std::vector<SetupStep> Requests::after() const {
  std::vector<SetupStep> steps;
  for (const Setup& setup : setups_) {
    for (std::uint32_t key = 0; key < workload_.keys; ++key) steps.push_back({&setup.purge, key});
  }
  return steps;
}

}  // namespace hallmark::loadgen
