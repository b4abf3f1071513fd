#pragma once
#include <cstdint>
#include <span>

#include "loadgen/drivers/stream/in_flight.hpp"
#include "protocol/codec/fast.hpp"

namespace hallmark::loadgen {

/// The requirements on the replies to one part of the mix, beyond being well formed.
struct Expectation {
  bool must_succeed = false;
  /// Bounds on what was stored before the run: the TTL can only have gone down since.
  std::uint64_t ttl_type = 0;
  std::uint64_t most_ttl = 0;
  std::uint64_t value_size = 0;
  bool stored = false;  ///< the bounds apply
};

struct CheckedReply {
  protocol::fast::Outcome outcome;
  bool success = true;  ///< the status, where there is one
  bool as_stored = true;
  /// The quota of a counter, or the number of the writer of a value that is large enough.
  std::uint64_t told = 0;
  base::ByteView payload = {};   ///< of a delivery
  std::uint32_t request_id = 0;  ///< as the reply repeats it, in a dialect where replies do
};

/// Decodes the reply at the start of `bytes` on the fast path and holds it to `expected`.
using ReplyCheck = CheckedReply (*)(base::ByteView bytes, const protocol::Readings& readings,
                                    const Expectation& expected);

/// Replies in a row, from the first on, of which nothing is to be said.
struct ReplyRow {
  std::size_t replies = 0;
  std::size_t bytes = 0;
};

/// Requests in a row, whose replies are looked at together.
class AskedRow {
 public:
  explicit AskedRow(std::span<const Pending> requests)
      : count_(requests.size()), each_(requests.data()) {}
  explicit AskedRow(const PendingRow& row)
      : count_(row.count), first_id_(row.first.request_id), stride_(row.stride) {}

  std::size_t count() const noexcept { return count_; }
  [[gnu::always_inline]] std::uint32_t id(std::size_t i) const noexcept {
    return each_ != nullptr ? each_[i].request_id
                            : first_id_ + static_cast<std::uint32_t>(i) * stride_;
  }
  /// True if request `i` is plain, and of the same part as the first.
  [[gnu::always_inline]] bool is_alike(std::size_t i) const noexcept {
    return each_ == nullptr || (each_[i].plain() && each_[i].part == each_[0].part);
  }
  /// True if all of them are known to be so.
  bool all_alike() const noexcept { return each_ == nullptr; }

 private:
  std::size_t count_;
  const Pending* each_ = nullptr;
  std::uint32_t first_id_ = 0;
  std::uint32_t stride_ = 0;
};

/// Takes replies from the start of `bytes`, the first to the first of the requests asked, and so
/// on, as long as those are plain and of one part, and the replies complete and as expected.
using RowCheck = ReplyRow (*)(base::ByteView bytes, const protocol::Readings& readings,
                              const Expectation& expected, const AskedRow& asked);

/// Both checks of the replies to an operation.
struct ReplyChecks {
  ReplyCheck one = nullptr;
  RowCheck row = nullptr;
};

/// Those of each operation of the dialect, in the order of its table; empty for a dialect that is
/// not among protocol::throttr_dialects.
std::span<const ReplyChecks> reply_checks(const protocol::Dialect& dialect, protocol::Width width);

/// One check for each message that the dialect's servers send unasked.
std::span<const ReplyCheck> push_checks(const protocol::Dialect& dialect, protocol::Width width);

}  // namespace hallmark::loadgen
