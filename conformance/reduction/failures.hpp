#pragma once

#include <memory>
#include <mutex>

#include "conformance/drivers/stream/vector_player.hpp"
#include "conformance/reduction/script.hpp"

namespace hallmark::conformance {

/// A failed case, as something that can be played again and cut down.
struct Failure {
  std::string case_id;
  std::optional<Script> script;                   ///< if it is the failure of one reply
  std::shared_ptr<const vectors::Vector> vector;  ///< that failed; null: it was no vector …
  Delivery delivery = Delivery::whole;            ///< … delivered that way
};

/// The failures of a run, as many as are worth reducing. Used by several threads.
class Failures {
 public:
  static constexpr std::size_t most = 100;

  /// Notes the format that the target is held to, as far as that is known.
  void are_of(const WireFormat& format) {
    format_ = std::make_unique<WireFormat>(format.width(), format.readings());
  }
  /// Null where nothing was played.
  const WireFormat* format() const { return format_.get(); }

  void add(Failure failure);
  /// The failures, in no particular order.
  const std::vector<Failure>& all() const { return failures_; }

 private:
  std::unique_ptr<WireFormat> format_;
  std::mutex mutex_;
  std::vector<Failure> failures_;
};

}  // namespace hallmark::conformance
