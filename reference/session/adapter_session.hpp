#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "protocol/readings.hpp"

namespace hallmark::server {

namespace adapter {
class Adapter;
}

/// The reference adapter of the line protocol (docs/adapter.md): requests in, an answer for each
/// out, in their order. No pipes. It remembers nothing of a request once it is answered.
class AdapterSession {
 public:
  /// A request of more bytes than this is skipped, and answered with an error.
  static constexpr std::size_t longest_line = std::size_t{1} << 20;
  /// Objects and lists within each other.
  static constexpr std::size_t deepest_nesting = 32;

  /// `version` is named in the hello. `readings`: of a dialect at rest; under them states are
  /// decoded and encoded.
  AdapterSession(std::string version, const protocol::Readings& readings);
  /// Uses another adapter to answer.
  explicit AdapterSession(std::unique_ptr<adapter::Adapter> adapter);
  ~AdapterSession();

  /// Takes what came and appends the answers to every line that it ended to `out`. Nothing that
  /// comes is refused otherwise than by an answer: what is no JSON object gets one with the id
  /// null.
  void receive(std::string_view bytes, std::string& out);

 private:
  void answer(std::string& out);

  std::unique_ptr<adapter::Adapter> adapter_;
  std::string line_;
  bool skipping_ = false;  ///< the line is too long, and its rest is dropped
};

}  // namespace hallmark::server
