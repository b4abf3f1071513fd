#pragma once

#include <deque>
#include <optional>

#include "conformance/drivers/stream/network.hpp"
#include "reports/result.hpp"
#include "vectors/format/match.hpp"

namespace hallmark::conformance {

/// The messages of a case as they passed, kept cheaply; what people see of them is made only when
/// the case turns out not to be as expected. Bounded: of a long message the beginning is kept, of a
/// long case the end and the last request.
class Evidence {
 public:
  static constexpr std::size_t most_bytes = 4096;
  static constexpr std::size_t most_messages = 2048;
  static constexpr std::size_t most_shown = 128;

  /// A message, or the beginning of one.
  struct Passed {
    std::string connection;
    reports::Direction direction;
    Time at;
    std::optional<protocol::Layout> layout;
    base::Bytes bytes;
    std::uint64_t omitted;
    std::vector<std::size_t> cuts;
    std::vector<vectors::Mismatch> mismatches;
    std::optional<base::Bytes> expected;
    bool broken = false;  ///< no whole message
  };

  void start(Time now);

  /// A request; `cuts` are the offsets at which it was cut into segments.
  void sent(const std::string& connection, const std::optional<protocol::Layout>& layout,
            base::ByteView bytes, Time at, std::span<const std::size_t> cuts = {});

  /// A message, or what there is of one.
  void received(const std::string& connection, const std::optional<protocol::Layout>& layout,
                base::ByteView bytes, Time at);

  /// Bytes that are no whole message, and what is wrong with them.
  void broken(const std::string& connection, const std::optional<protocol::Layout>& layout,
              base::ByteView bytes, Time at, std::vector<vectors::Mismatch> mismatches);

  /// Notes what should have come instead of the bytes that are not a whole message, if there are
  /// any.
  void expect_instead(base::Bytes expected);

  /// Notes what is wrong with the message received last, and what it should have been.
  void mark(std::vector<vectors::Mismatch> mismatches, std::optional<base::Bytes> expected);

  /// The messages at the end, and the last request where that is none of them.
  std::vector<reports::Exchange> exchanges() const;

  /// Every request kept, in hexadecimal, a line each; `|` stands where it was cut.
  std::vector<std::string> reproduction() const;

  /// All messages that are kept, in the order in which they passed.
  const std::deque<Passed>& passed() const { return passed_; }
  /// Returns true if every request is still kept.
  bool is_whole() const { return dropped_ == 0; }
  /// Returns how many messages were received, those forgotten since included.
  std::size_t received_in_all() const { return received_in_all_; }

 private:
  void forget_oldest();
  Passed& add(const std::string& connection, reports::Direction direction,
              const std::optional<protocol::Layout>& layout, base::ByteView bytes, Time at);
  reports::Exchange exchange_of(const Passed& passed) const;

  Time start_ = 0;
  std::size_t requests_ = 0;  ///< those that are kept
  std::size_t dropped_ = 0;   ///< requests that are no longer kept
  std::size_t received_in_all_ = 0;
  std::deque<Passed> passed_;
};

}  // namespace hallmark::conformance
