#pragma once
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "stores/address.hpp"
#include "stores/error.hpp"

/// Stores in which limiters keep their states: strings under keys, in Redis, in PostgreSQL or in a
/// file. The meaning of the strings is nobody's business here.
namespace hallmark::stores {

/// The table of states in PostgreSQL. Names are quoted as they stand; `name` may be qualified with
/// a schema: `limits.ratelimit_kv`.
struct Table {
  std::string name = "ratelimit_kv";
  std::string key = "key";                ///< text, varchar or bytea; unique
  std::string value = "value";            ///< text, varchar or bytea
  std::string expires_at = "expires_at";  ///< timestamp, with a time zone or without; null: never
};

struct Access {
  /// No operation waits longer than this for the store: connecting, a batch of a scanner, a call of
  /// a connection. Longer than 0.
  std::chrono::milliseconds timeout{5000};
  Table table{};
};

/// The number of milliseconds until the store drops an entry. Empty if it never does, or if nobody
/// asked.
using ExpiresIn = std::optional<std::chrono::milliseconds>;

enum class EntryKind : std::uint8_t {
  text,
  other_type,  ///< of Redis: no string; `value` names its type ("hash")
  expired,   ///< of PostgreSQL: a row whose time is over, which counts as absent; `value` is there
  overlong,  ///< of a file: a line longer than allowed; `value` is how it begins
};

/// An entry that a scanner found. Views are valid until the scanner's next call.
struct Entry {
  EntryKind kind = EntryKind::text;
  std::string_view key{};  ///< in a file without keys: the number of the line, from 1
  std::string_view value{};
  ExpiresIn expires_in{};

  /// The place in a file, in bytes from its beginning; `FileEdit` needs it.
  struct Line {
    std::uint64_t begin = 0;
    std::uint64_t value = 0;  ///< the beginning of the state
    std::uint64_t value_end = 0;
    std::uint64_t end = 0;  ///< after the line's terminator
  } line{};
};

struct ScanOptions {
  /// Keys that match, by the glob of Redis (`*`, `?`, `[a-z]`, `[^a]`, `\` before a literal one).
  std::string match = "*";
  std::size_t batch = 1000;          ///< at most about so many entries in a batch; 1 to 100,000
  bool expiry = false;               ///< fill `Entry::expires_in`; of Redis it costs a PTTL a key
  std::size_t longest_line = 65536;  ///< of a file, in bytes
};

/// The progress of a scanner. `total` is an estimate of what is in the store, whatever `match`
/// says; 0 if there is none.
struct Progress {
  std::uint64_t done = 0;
  std::uint64_t total = 0;
  bool bytes = false;  ///< else keys
};

/// Reads a store from one end to the other in batches, in the memory of about two of them (values
/// included), and changes nothing. The next batch is on its way while the caller works on the last.
///
/// Redis: what is there during all of the scan is given at least once, and may be given twice; what
/// comes or goes meanwhile may be given or not. PostgreSQL: the rows of one moment, each once.
/// File: lines `key TAB state` or only `state`, ended by LF or CR LF, in their order; empty lines
/// are skipped.
class Scanner {
 public:
  virtual ~Scanner() = default;

  /// The next entries; empty: there are no more. After an error the scan is over.
  virtual Result<std::span<const Entry>> next() = 0;
  virtual Progress progress() const = 0;
};

/// Connects, or opens. Errors: usage, unreachable, denied, missing, lost.
Result<std::unique_ptr<Scanner>> open_scanner(const Address& address, const ScanOptions& options,
                                              const Access& access = {});

/// The fate of the expiry of an entry that is written.
struct Expiry {
  enum class Kind : std::uint8_t { keep, in, never } kind = Kind::keep;
  std::chrono::milliseconds after{0};  ///< for `in`; longer than 0

  /// Leaves the expiry as it is; a new entry never expires.
  static Expiry keep() { return {}; }
  static Expiry in(std::chrono::milliseconds after) { return {Kind::in, after}; }
  static Expiry never() { return {Kind::never, {}}; }
};

enum class Presence : std::uint8_t { absent, text, other_type };

struct Held {
  Presence presence = Presence::absent;
  std::string value{};  ///< of `text`
  ExpiresIn expires_in{};
};

/// `expected` nothing: there has to be no entry, or an expired one.
struct Change {
  std::string key{};
  std::optional<std::string> expected{};
  std::string desired{};
  Expiry expiry{};
};

struct Removal {
  std::string key{};
  std::string expected{};
};

enum class Outcome : std::uint8_t {
  done,
  conflict,  ///< something else is there than expected; nothing was changed
};

/// Reads and writes single entries. Each write is atomic: no other writer comes between its
/// comparison and its change. The calls for many take the round trips of few, and give an answer
/// for each in their order; they are not one transaction. After an error of a write nobody knows
/// which of them were done; writing again is safe, since what was done conflicts.
class Connection {
 public:
  virtual ~Connection() = default;

  enum class WithExpiry : bool { no, yes };
  virtual Result<std::vector<Held>> get(std::span<const std::string> keys, WithExpiry expiry) = 0;
  virtual Result<std::vector<Outcome>> compare_and_set(std::span<const Change> changes) = 0;
  virtual Result<std::vector<Outcome>> compare_and_delete(std::span<const Removal> removals) = 0;
  /// Removes entries whatever they hold. Result: how many there were.
  virtual Result<std::uint64_t> erase(std::span<const std::string> keys) = 0;

  Result<Held> get(const std::string& key, WithExpiry expiry = WithExpiry::no);
  Result<Outcome> compare_and_set(const Change& change);
  Result<Outcome> compare_and_delete(const Removal& removal);
};

/// Errors: usage (also a file: see `FileEdit`), unreachable, denied, missing, lost.
Result<std::unique_ptr<Connection>> connect(const Address& address, const Access& access = {});

}  // namespace hallmark::stores
