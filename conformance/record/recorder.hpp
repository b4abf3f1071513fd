#pragma once

#include <array>
#include <optional>

#include "conformance/record/part.hpp"
#include "conformance/record/per_thread.hpp"

namespace hallmark::conformance {

/// Takes the parts of a run, each when it is over. Called by several threads, one at a time.
class PartSink {
 public:
  PartSink() = default;
  virtual ~PartSink() = default;
  PartSink(const PartSink&) = delete;
  PartSink& operator=(const PartSink&) = delete;
  virtual void take(Part part) = 0;
};

/// Keeps all that crosses the seam, part by part. While a run is recorded its clock goes on at
/// crossings only: every time that a case learns is one that the record has.
class Recorder {
 public:
  explicit Recorder(PartSink& sink) : sink_(sink) {}

  /// Before a run; `now` is where its clock begins.
  void start(Links links, Time now);
  void begin_part(std::string_view name, Time now);
  /// The time of the last crossing on this thread.
  Time now() { return here().now; }

  /// The number of a new connection.
  std::uint32_t next_link();
  /// A crossing that is over at that time.
  void add(Crossing crossing, Time at);
  std::uint64_t shared(Shared what, std::uint64_t current);
  void judged(std::string_view message, base::ByteView bytes);

  /// The run is over; so are the last parts of its threads.
  void finish();

 private:
  struct Current {
    std::optional<Part> part;
    Time now = 0;
    std::uint32_t links = 0;
    /// The values last told in this part, and the number of crossings before each.
    struct Told {
      std::uint64_t value = 0;
      std::optional<std::size_t> behind = {};
    };
    std::array<Told, shared_numbers> told;
  };

  /// Returns the current part of the calling thread. Crossings of a thread that has begun no part
  /// make up one of their own.
  Current& here();
  void end(Current& current);

  PartSink& sink_;
  std::mutex sinking_;
  Links links_ = Links::of_part;
  Time started_ = 0;
  PerThread<Current> parts_;
};

}  // namespace hallmark::conformance
