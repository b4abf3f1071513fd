#pragma once

#include <mutex>
#include <set>
#include <string>
#include <utility>

#include "conformance/drivers/stream/wire_format.hpp"

namespace hallmark::reports {
struct CertifyResult;
}

namespace hallmark::conformance {

class Evidence;

/// The likely causes that the messages of a run contradict. A cause has to predict all that came:
/// a target that sends one whole QUERY in u16 does not send them in u8. For several threads.
class RefutedCauses {
 public:
  /// Looks at the messages that a case received whole and without a mismatch.
  void see(const WireFormat& format, const Evidence& evidence);

  /// Takes back the causes that some message contradicts, and those about a field that is wrong
  /// elsewhere in another way. `of_target` is the cause that explains the target as a whole, which
  /// stays; empty: there is none.
  void take_back(reports::CertifyResult& result, const std::string& of_target) const;

 private:
  std::mutex mutex_;
  /// Messages that were looked at, by name and size: others of the same size show the same.
  std::set<std::pair<std::string, std::size_t>> seen_;
  std::set<std::pair<std::string, std::string>> refuted_;  ///< by the message: a cause
};

}  // namespace hallmark::conformance
