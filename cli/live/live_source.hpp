#pragma once
#include <cstdint>
#include <optional>
#include <string>

namespace hallmark::cli {

/// The part of a run that a reader of its live page has been sent.
struct LivePosition {
  std::uint64_t list = 0;     ///< the number of the list; readers of another one get all of it
  std::uint64_t entries = 0;  ///< of that list
  std::uint64_t version = 0;  ///< of everything else; 0: nothing was sent

  bool operator==(const LivePosition&) const = default;
};

/// A run whose state can be read at any time, by any thread.
class LiveSource {
 public:
  LiveSource() = default;
  LiveSource(const LiveSource&) = delete;
  LiveSource& operator=(const LiveSource&) = delete;
  virtual ~LiveSource() = default;

  /// Returns the event that brings a reader up to date, JSON in one line, and moves `seen` there;
  /// nothing if the reader has seen everything.
  virtual std::optional<std::string> news(LivePosition& seen) = 0;
};

}  // namespace hallmark::cli
