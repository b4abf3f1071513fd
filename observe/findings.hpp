#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "observe/record.hpp"

namespace hallmark::observe {

/// Findings of the same kind, of the same side, about the same operation. The first one stands for
/// all.
struct FindingGroup {
  captures::FindingKind kind{};
  Side side = Side::client;  ///< the side that did it
  std::string operation;     ///< empty: about no operation in particular
  std::uint64_t count = 0;

  // The first one.
  std::uint64_t connection = 0;
  std::uint64_t request = 0;  ///< its number on the connection, from 1; 0: about none
  Time at{0};
  Side sender = Side::client;  ///< whose bytes it is about: a reply that is missing has none
  std::uint64_t offset = 0;    ///< in what that side sent on that connection
  std::string reason;
  base::Bytes bytes;  ///< the first of those it is about, at most `most_shown`

  static constexpr std::size_t most_shown = 64;
};

/// The findings of an observation, in memory that does not depend on how many there are.
class Findings {
 public:
  /// Returns the group if the finding is the first of it; null otherwise.
  const FindingGroup* add(const captures::Finding& finding, std::uint64_t connection, Time at);

  /// The groups in the order in which they first occurred.
  const std::vector<FindingGroup>& groups() const { return groups_; }
  std::uint64_t count() const { return count_; }

 private:
  std::vector<FindingGroup> groups_;
  std::uint64_t count_ = 0;
};

/// A title that says which side does what: "server: malformed reply to QUERY".
std::string title_of(const FindingGroup& group);

}  // namespace hallmark::observe
