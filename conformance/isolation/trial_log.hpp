#pragma once

#include <optional>
#include <string>
#include <vector>

#include "conformance/judgement/verdict.hpp"

/// Tells what became of the inputs of a case, with as few words as they allow.
namespace hallmark::conformance {

/// Inputs of one kind.
struct Series {
  std::string one;   ///< "opcode", "INSERT cut at byte"
  std::string many;  ///< "opcodes", "INSERTs cut at bytes"
  /// The operation, or what stands in its place, such as "opcode"; empty: that of the case.
  std::string message = {};
  bool operator==(const Series&) const = default;
};

/// One input: a series and its place there.
struct Input {
  Series series;
  std::string name;  ///< "41"; may be empty
  /// Only the first and the last are named of inputs whose numbers follow each other.
  std::optional<std::uint64_t> number = {};
  bool operator==(const Input&) const = default;
};

/// "opcode 41"
std::string in_words(const Input& input);

/// A fault of the target at an input.
struct Deviation {
  /// The worst first.
  enum class Harm : std::uint8_t { kills, hangs, silences, other };

  Harm harm = Harm::other;
  Code code;  ///< without the input
  std::string reason;
};

/// Notes inputs, and tells of them in the end.
class TrialLog {
 public:
  /// So many ranges of a series are named, fewer where there are several series, and so many
  /// series; of the others it says how many inputs they are.
  static constexpr std::size_t most_ranges = 8;
  static constexpr std::size_t most_ranges_beside_others = 3;
  static constexpr std::size_t most_series = 4;

  void note(const Input& input, const Deviation& deviation);
  void note_untried(const Input& input) { untried_.push_back(input); }

  bool is_clean() const { return groups_.empty(); }
  bool is_complete() const { return untried_.empty(); }

  /// "opcodes 40..4f kill the process; after 31 this connection never answers again". `stopped`:
  /// why some inputs were not tried.
  std::string reason(const std::string& stopped) const;
  /// That of the worst, with the others behind it. Precondition: not clean.
  Code code() const;

 private:
  /// Inputs that went wrong in the same way.
  struct Group {
    Deviation deviation;
    bool alike = true;  ///< their reasons are the same, too
    std::vector<Input> inputs;
  };

  std::vector<Group> groups_;  ///< the worst first
  std::vector<Input> untried_;
};

}  // namespace hallmark::conformance
