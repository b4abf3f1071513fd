#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.hpp"
#include "clients/format.hpp"

namespace hallmark::clients {

/// Bytes of a client that a clause forbids.
struct Breach {
  std::string clause;
  std::uint64_t connection = 0;
  std::uint64_t request = 0;  ///< its place on the connection, from 1
  std::string what;           ///< for people
  base::Bytes bytes{};        ///< at most `most_bytes`

  static constexpr std::size_t most_bytes = 64;
};

/// Holds what clients send to the clauses about them. Keeps the first breach of each clause.
class RequestJudge {
 public:
  explicit RequestJudge(const Format& format) : format_(format) {}

  /// Bytes have come, before they are taken apart: kept to tell which protocol they are of.
  void received(std::uint64_t connection, base::ByteView bytes);
  /// A whole request.
  void request(std::uint64_t connection, const protocol::Operation& operation,
               base::ByteView bytes);
  /// The request has its reply.
  void answered(std::uint64_t connection, base::ByteView request);
  /// `rest` does not begin with a request.
  void not_a_request(std::uint64_t connection, base::ByteView rest);
  /// The client has ended its sending; `left` is what no whole request was made of.
  void ended(std::uint64_t connection, base::ByteView left);
  /// The client ended the connection before it had taken every reply.
  void left_replies(std::uint64_t connection);

  const std::vector<Breach>& breaches() const { return breaches_; }

  /// The clauses that this looks after, where the dialect has them.
  static const std::vector<std::string_view>& clauses();

 private:
  struct History {
    base::Bytes bytes{};  ///< at most `most_history`
    std::uint64_t requests = 0;
    std::set<std::string> waiting{};  ///< ids of requests without their reply
  };
  static constexpr std::size_t most_history = std::size_t{64} << 10;
  static constexpr std::size_t most_connections = 4'096;

  History* history_of(std::uint64_t connection);
  void check_choices(std::uint64_t connection, const protocol::Operation& operation,
                     base::ByteView bytes);
  void check_id(std::uint64_t connection, const protocol::Operation& operation,
                base::ByteView bytes);
  void breach(std::string_view clause, std::uint64_t connection, std::string what,
              base::ByteView bytes);

  const Format& format_;
  std::map<std::uint64_t, History> histories_;
  std::vector<Breach> breaches_;
};

/// Another format whose whole requests some bytes are.
struct OtherFormat {
  std::string name{};          ///< "throttr-7.3 at u32"; empty: there is none
  bool other_dialect = false;  ///< false: of the same dialect, at another width
  std::size_t requests = 0;
};

/// The first format of streams that `bytes` are whole requests of, and nothing else: of the same
/// dialect at other widths, then of others with the answers of released servers.
OtherFormat other_format_of(const Format& format, base::ByteView bytes);

}  // namespace hallmark::clients
