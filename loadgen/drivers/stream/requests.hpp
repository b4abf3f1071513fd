#pragma once
#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "loadgen/drivers/stream/frame.hpp"
#include "loadgen/drivers/stream/reply_check.hpp"
#include "loadgen/workload/key_choice.hpp"
#include "loadgen/workload/operations.hpp"
#include "loadgen/workload/value_sizes.hpp"
#include "loadgen/workload/workload.hpp"
#include "oracle/record_history.hpp"
#include "protocol/little_endian.hpp"
#include "protocol/readings.hpp"

namespace hallmark::loadgen {

/// The requests of a run, apart from when they are sent.
struct Workload {
  protocol::Readings readings;  ///< of the target, and so its dialect
  protocol::Width width = protocol::Width::u16;
  std::string mix;
  std::uint32_t keys = 10'000;       ///< of each kind, 1 to 10,000,000
  std::string key_prefix = "load:";  ///< the consumer in a dialect that has pairs instead of keys
  KeyChoice key_choice = {};
  std::shared_ptr<const NamedKeys> named_keys = {};  ///< those of a file, in its order: `keys` many
  ValueSizes value_sizes = {};                       ///< of values and payloads
  std::uint32_t subscribers = 0;  ///< connections that do nothing but wait for publications
  std::uint64_t seed = 1;
};

/// A request with all that is fixed about it.
struct RequestVariant {
  Frame frame;
  Expectation expected;
};

/// One part of the mix, ready to be sent and checked.
struct RequestPart {
  std::string name;
  RequestVariant usual;                  ///< if there is only one
  std::vector<RequestVariant> variants;  ///< else one for each size of value, or each named key
  KeySpace keys = KeySpace::none;
  bool answered = true;               ///< false where the readings say that no reply comes
  bool starts_like_delivery = false;  ///< the reply can start with the opcode of a push
  bool repeats_id = false;            ///< the reply starts with the id of its request
  bool tells_writer = false;          ///< the reply has a value that says who wrote it
  /// The action on the record of its key. Empty if it does nothing to a record, or nothing that is
  /// told.
  std::optional<oracle::RecordAction> action = {};
  ReplyCheck check = nullptr;
  /// The check of replies in a row; null if each has to be looked at by itself.
  RowCheck row_check = nullptr;
};

/// A request as it was written. Without initial values, which cost as much as the real ones.
struct Written {
  std::uint32_t part;
  std::uint32_t key;  ///< that it names, if it names one
};

/// A row of requests that has been written.
struct WrittenRow {
  std::size_t bytes;
  bool may_be_watched;  ///< one of the keys at least
};

/// One request that readies the target for the run, or tidies up after it.
struct SetupStep {
  const RequestPart* part = nullptr;
  std::uint32_t key = 0;
};

/// All that can be said about the requests of a run before it starts: frames encoded once, the
/// choice of each request by its index, and what each reply must be.
class Requests {
 public:
  /// Errors: a mix, width or value that the dialect does not allow; one line each.
  static base::Result<Requests> make(const Workload& workload);

  const std::vector<RequestPart>& parts() const noexcept { return parts_; }
  /// The names of the parts.
  std::vector<std::string> names() const;
  std::uint32_t part_of(std::uint64_t index) const noexcept { return chooser_.part_of(index); }
  const protocol::Readings& readings() const noexcept { return workload_.readings; }

  /// Different for all requests that can be in flight at once.
  static std::uint32_t id_of(std::uint64_t index) noexcept {
    return static_cast<std::uint32_t>(index);
  }

  void append(protocol::ByteBuffer& out, std::uint32_t part, std::uint64_t index,
              std::int64_t planned_ns = 0) const {
    const std::uint32_t key = key_of(index);
    const Frame& frame = variant_of(parts_[part], key).frame;
    write(out.prepare(room()), frame, key, index, planned_ns);
    out.commit(frame.size());
  }

  /// Bytes into which any request can be written.
  std::size_t room() const noexcept { return room_; }

  /// Writes the requests with the indices `first`, `first` + `stride`, … at `at`, where there is
  /// room for all of `row`. Keys with none of the bits of `watch_mask` may be watched.
  WrittenRow write(std::uint8_t* at, std::uint64_t first, std::uint64_t stride,
                   std::int64_t planned_ns, std::uint32_t watch_mask, std::span<Written> row) const;

  std::size_t frame_bytes(const Written& request) const noexcept {
    return variant_of(parts_[request.part], request.key).frame.size();
  }

  /// Appends a step of the setup under that request id.
  void append(protocol::ByteBuffer& out, const SetupStep& step, std::uint32_t request_id) const {
    variant_of(*step.part, step.key)
        .frame.append(out, {.key = step.key, .number = first_quota_, .request_id = request_id});
  }

  /// The number that a value of that request carries; 0 is that of the setup.
  static std::uint64_t writer_of(std::uint64_t index) noexcept { return index + 1; }
  /// The number of the writer that readers are told with a value of that request.
  std::uint64_t told_of(std::uint64_t index) const noexcept {
    return workload_.value_sizes.bytes_of(
               workload_.value_sizes.class_of(key_of(index), workload_.seed)) < writer_bytes
               ? 0
               : writer_of(index);
  }
  /// Returns true if a request of that number may have written a value under the key.
  bool may_have_written(std::uint64_t writer, std::uint32_t key) const noexcept {
    if (writer == 0) return true;
    const std::uint64_t index = writer - 1;
    return parts_[part_of(index)].action == oracle::RecordAction::set && key_of(index) == key;
  }

  /// The requirements on the reply to that request.
  const Expectation& expected_of(const RequestPart& part, std::uint64_t index) const noexcept {
    if (part.variants.empty()) [[likely]]
      return part.usual.expected;
    return variant_of(part, chooser_.key_of(index)).expected;
  }
  const Expectation& expected_of(const SetupStep& step) const noexcept {
    return variant_of(*step.part, step.key).expected;
  }

  /// The number that a request of a part with one carries.
  std::uint64_t number_of(std::uint64_t index) const noexcept {
    return std::min(chooser_.value_of(index) & number_mask_, largest_number_);
  }
  /// The quota of the counters that are stored before the run, with room on both sides if they
  /// move.
  std::uint64_t first_quota() const noexcept { return first_quota_; }
  const Workload& workload() const noexcept { return workload_; }
  /// Time to live of what the run inserts; of what is stored before it, a day.
  static std::int64_t passing_ttl_ns() noexcept;

  /// Key of request `index`, whether its operation has one or not.
  std::uint32_t key_of(std::uint64_t index) const noexcept { return chooser_.key_of(index); }
  /// The key as it stands in a request of that part; empty for an operation without keys.
  std::string key_text(const RequestPart& part, std::uint32_t key) const;
  /// The text of a key of `counters()`.
  std::string counter_text(std::uint32_t key) const { return key_text(*counter_query_, key); }

  /// The steps with which a subscriber begins; none in a run without subscribers.
  std::vector<SetupStep> subscription() const;
  /// The number that a publication of this run carries.
  std::uint64_t run_number() const noexcept { return run_number_; }

  /// The steps to send before the run: each key that must be there, first purged, then stored …
  std::vector<SetupStep> before() const;
  /// … after it, to see what became of the counters that were moved and not set: nothing where
  /// there are none …
  std::vector<SetupStep> counters() const;
  /// … and then every key the run may have left.
  std::vector<SetupStep> after() const;

  /// Returns true if the replies tell which INSERTs won, and when each PURGE was over.
  bool tells_winners() const;

  bool all_answered() const noexcept { return all_answered_; }

  /// Returns true if the readings let replies overtake each other. Each reply then starts with its
  /// request's id.
  bool any_order() const noexcept { return any_order_; }
  /// The id that a reply starts with, in a dialect where replies do; nothing when `bytes` are too
  /// few to say.
  std::optional<std::uint32_t> id_of_reply(base::ByteView bytes) const noexcept {
    if (bytes.size() < id_bytes_) return std::nullopt;
    return static_cast<std::uint32_t>(protocol::load_little_endian(bytes.data(), id_bytes_));
  }

  /// The check for a message that the server sends unasked and whose first byte is `opcode`; null
  /// when there is none, or when nothing in the mix subscribes in a dialect where a connection has
  /// no subscriptions from the start.
  ReplyCheck delivery_check(std::uint8_t opcode) const noexcept {
    return opcode == delivery_opcode_ ? delivery_check_ : nullptr;
  }

 private:
  Requests(const Workload& workload, std::span<const MixPart> mix);

  /// Does the same as `write`, whatever the mix and the choice of keys.
  WrittenRow write_each(std::uint8_t* at, std::uint64_t first, std::uint64_t stride,
                        std::int64_t planned_ns, std::uint32_t watch_mask,
                        std::span<Written> row) const;
  [[gnu::always_inline]] void write(std::uint8_t* at, const Frame& frame, std::uint32_t key,
                                    std::uint64_t index, std::int64_t planned_ns) const {
    frame.write(at, {.key = key,
                     .number = frame.has_number() ? number_of(index) : 0,
                     .request_id = id_of(index),
                     .writer = writer_of(index),
                     .planned_ns = planned_ns});
  }

  base::Result<void> add_parts(std::span<const MixPart> mix);
  base::Result<void> expect_deliveries();
  const RequestVariant& variant_of(const RequestPart& part, std::uint32_t key) const noexcept {
    if (part.variants.empty()) [[likely]]
      return part.usual;
    return part
        .variants[workload_.named_keys ? key : workload_.value_sizes.class_of(key, workload_.seed)];
  }
  std::size_t variants_of(const protocol::Layout& layout, KeySpace keys) const;
  base::Result<RequestVariant> make_variant(const protocol::Layout& layout,
                                            const protocol::Operation& operation,
                                            const LoadOperation& load, std::size_t variant) const;
  base::Result<void> add_subscription();
  base::Result<RequestPart> make_part(const LoadOperation& load);
  base::Result<void> add_counter_query();
  base::Result<void> add_setup(KeySpace keys);
  /// The properties that set a variant apart from the others.
  struct Shape {
    KeySpace keys = KeySpace::none;
    std::string key_end;  ///< the digits, or the name
    std::uint64_t value_bytes = 0;
    protocol::Change change = protocol::Change::patch;
  };
  protocol::Value value_of(const protocol::Field& field, const Shape& shape) const;
  base::Bytes payload_of(std::uint64_t bytes) const;
  protocol::Record record_of(const protocol::Layout& layout, const Shape& shape) const;
  Expectation expectation_of(const Shape& shape, bool must_succeed) const;
  bool uses(KeySpace keys) const;

  struct Setup {
    RequestPart store;
    RequestPart purge;
    KeySpace keys;
    bool stored_before = false;
  };

  Workload workload_;
  std::uint64_t number_mask_;
  std::uint64_t largest_number_;
  std::uint64_t first_quota_;
  std::size_t key_digits_;
  RequestChooser chooser_;
  std::vector<RequestPart> parts_;
  std::vector<Setup> setups_;
  std::optional<RequestPart> subscribe_;
  std::optional<RequestPart> counter_query_;
  std::uint64_t run_number_;
  std::uint8_t delivery_opcode_ = 0;
  ReplyCheck delivery_check_ = nullptr;
  std::size_t room_ = 0;
  bool all_answered_ = true;
  bool any_order_ = false;
  std::size_t id_bytes_ = 0;  ///< that each reply starts with
};

}  // namespace hallmark::loadgen
