#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "base/json.hpp"

/// The tester's side of the line protocol (docs/adapter.md): requests out, bytes in, answers out.
/// No pipes and no clock.
namespace hallmark::conformance {

class AdapterSession {
 public:
  /// An answer of more bytes than this is taken for no answer; so much is held at most.
  static constexpr std::size_t longest_line = std::size_t{256} << 10;
  /// Objects and lists within each other: a composite of composites takes 8.
  static constexpr std::size_t deepest_nesting = 32;

  /// No answer yet.
  struct Waiting {};
  struct Answer {
    base::Json json;
    std::string line;
  };
  /// The adapter does not keep to the protocol: one line that says how. Nothing can be asked of it
  /// any more.
  struct Broken {
    std::string what;
    std::string line;  ///< the line as written; empty: nothing
  };
  using Event = std::variant<Waiting, Answer, Broken>;

  /// The line to send, with its newline; its id is one more than that of the line before.
  /// Precondition: the last request was answered.
  std::string ask(const base::Json& request);

  /// Takes bytes that the adapter wrote. Holds at most one byte more than `longest_line`, and drops
  /// the rest.
  void take(std::string_view bytes);

  /// Returns the next event. A line that nobody asked for breaks the protocol whenever it comes.
  Event next();

  /// Returns true if a request waits for its answer.
  bool waiting() const { return waiting_; }
  /// Returns the bytes held so far; once `next` says `Waiting`, they are the beginning of a line.
  std::string_view unfinished() const { return buffer_; }

 private:
  Event judge(std::string line);
  Event judge_unasked(std::string line) const;

  std::string buffer_;
  std::uint64_t last_id_ = 0;
  bool waiting_ = false;
};

}  // namespace hallmark::conformance
