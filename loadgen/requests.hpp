#pragma once
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "loadgen/frame.hpp"
#include "loadgen/operations.hpp"
#include "loadgen/reply_check.hpp"
#include "loadgen/workload.hpp"
#include "reference/protocol/readings.hpp"

namespace hallmark::loadgen {

/// What is asked of the target, apart from when.
struct Workload {
  protocol::Readings readings;  ///< of the target, and so its dialect
  protocol::Width width = protocol::Width::u16;
  std::string mix;
  std::uint32_t keys = 10'000;       ///< of each kind, 1 to 10,000,000
  std::string key_prefix = "load:";  ///< where a dialect has no keys but pairs, the consumer
  std::uint64_t value_bytes = 64;    ///< of values and payloads
  std::uint64_t seed = 1;
};

/// One part of the mix, ready to be sent and checked.
struct RequestPart {
  std::string name;
  Frame frame;
  KeySpace keys = KeySpace::none;
  bool answered = true;             ///< false where the readings say that no reply comes
  bool starts_with_status = false;  ///< of the reply
  bool repeats_id = false;          ///< the reply starts with the id of its request
  ReplyCheck check = nullptr;
  Expectation expected;
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
  static Result<Requests> make(const Workload& workload);

  const std::vector<RequestPart>& parts() const noexcept { return parts_; }
  /// Of the parts.
  std::vector<std::string> names() const;
  std::uint32_t part_of(std::uint64_t index) const noexcept { return chooser_.part_of(index); }
  const protocol::Readings& readings() const noexcept { return workload_.readings; }

  /// Different for all requests that can be in flight at once.
  static std::uint32_t id_of(std::uint64_t index) noexcept {
    return static_cast<std::uint32_t>(index);
  }

  void append(protocol::ByteBuffer& out, std::uint32_t part, std::uint64_t index) const {
    const Frame& frame = parts_[part].frame;
    frame.append(out,
                 {chooser_.key_of(index), frame.has_number() ? number_of(index) : 0, id_of(index)});
  }

  /// Appends a step of the setup under that request id.
  void append(protocol::ByteBuffer& out, const SetupStep& step, std::uint32_t request_id) const {
    step.part->frame.append(out, {step.key, largest_number_, request_id});
  }

  /// What to send before the run: each key that must be there, first purged, then stored …
  std::vector<SetupStep> before() const;
  /// … and after it: every key the run may have left.
  std::vector<SetupStep> after() const;

  bool all_answered() const noexcept { return all_answered_; }

  /// Whether the readings let replies overtake each other. Each then starts with its request's id.
  bool any_order() const noexcept { return any_order_; }
  /// The id that a reply starts with, in a dialect where replies do; nothing when `bytes` are too
  /// few to say.
  std::optional<std::uint32_t> id_of_reply(protocol::ByteView bytes) const noexcept {
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

  std::uint64_t number_of(std::uint64_t index) const noexcept {
    return std::min(chooser_.value_of(index) & number_mask_, largest_number_);
  }
  Result<void> add_parts(std::span<const MixPart> mix);
  Result<void> expect_deliveries();
  Result<RequestPart> make_part(std::string_view operation, KeySpace keys, bool must_succeed);
  Result<void> add_setup(KeySpace keys);
  protocol::Value value_of(const protocol::Field& field, KeySpace keys) const;
  protocol::Record record_of(const protocol::Layout& layout, KeySpace keys) const;
  Expectation expectation_of(KeySpace keys, bool must_succeed) const;
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
  std::size_t key_digits_;
  RequestChooser chooser_;
  std::vector<RequestPart> parts_;
  std::vector<Setup> setups_;
  std::uint8_t delivery_opcode_ = 0;
  ReplyCheck delivery_check_ = nullptr;
  bool all_answered_ = true;
  bool any_order_ = false;
  std::size_t id_bytes_ = 0;  ///< that each reply starts with
};

}  // namespace hallmark::loadgen
