#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace hallmark::loadgen::datagram {

/// The fate of a request id.
enum class Fate : std::uint8_t { unused, waiting, received, malformed, timed_out, late, not_sent };

/// One request id in use. Times are nanoseconds from the start of the run.
struct Request {
  std::uint64_t id = 0;
  std::int64_t planned_ns = 0;
  std::int64_t sent_ns = 0;
  std::uint64_t ordinal = 0;  ///< in its schedule
  std::uint64_t use = 0;      ///< of the limit oracle
  std::uint32_t key = 0;
  std::uint32_t socket = 0;
  std::uint8_t part = 0;
  Fate fate = Fate::unused;
  bool counted = true;  ///< false during warm-up
  /// One bit for each id that this place had before, the latest in bit 0: set if that id was sent,
  /// and if it was answered.
  std::uint32_t sent_before = 0;
  std::uint32_t answered_before = 0;
};

/// The requests of a worker by their ids. An id is a number in decimal whose low bits are a place
/// in a ring and whose high bits count how often that place was taken, so that a reply finds its
/// request without a search. A place is taken again when its request has ended; what had become of
/// the 32 ids before is kept, so that a reply that comes late is still known as late, and one that
/// comes twice as a duplicate.
class IdRing {
 public:
  /// All ids have so many digits: requests differ in bytes, not in size.
  static constexpr std::size_t id_digits = 12;

  /// `places` is a power of two of at most 2^24.
  explicit IdRing(std::size_t places);

  /// Takes the next free place; null when all of them wait. What is left in it of its last request
  /// is to be read before.
  Request* next_free();
  /// Gives it a new id.
  void take(Request& request);

  enum class Known : std::uint8_t {
    current,      ///< `request` has that id
    lost_before,  ///< an id of `request`'s place before, that had no reply
    answered_before,
    never,  ///< not an id that was sent, as far as is known
  };
  struct Match {
    Known known = Known::never;
    Request* request = nullptr;
    std::uint32_t bit = 0;  ///< of answered_before
  };
  Match find(std::uint64_t id);

  /// Calls `expired` for the requests that wait, oldest first, as long as it returns true.
  template <class Expired>
  void expire(Expired expired) {
    for (; oldest_ != next_; ++oldest_) {
      Request& request = places_[oldest_ & mask_];
      if (request.id != oldest_ || request.fate != Fate::waiting) continue;
      if (!expired(request)) return;
    }
  }

  std::vector<Request>& places() { return places_; }

 private:
  std::vector<Request> places_;
  std::uint64_t mask_;
  unsigned bits_;
  std::uint64_t next_;
  std::uint64_t oldest_;
};

}  // namespace hallmark::loadgen::datagram
