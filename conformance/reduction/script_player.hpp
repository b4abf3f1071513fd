#pragma once

#include "conformance/isolation/housekeeper.hpp"
#include "conformance/reduction/record_reply.hpp"
#include "vectors/format/vector.hpp"

namespace hallmark::conformance {

/// The result of playing a script.
struct PlayedScript {
  bool fails = false;  ///< its last reply is not what it has to be
  /// Fields of that reply that are known to be right.
  protocol::Record expected;
  /// The lifetime of the record that the reply has to find; nothing if it has to find none.
  std::optional<vectors::Lifetime> lifetime;
  bool tells_rest = false;  ///< the reply has to tell what is left of it
};

/// Plays scripts over connections of their own, on records that do not exist before.
class ScriptPlayer {
 public:
  ScriptPlayer(RunContext& context, Housekeeper& housekeeper)
      : context_(context), housekeeper_(housekeeper) {}

  PlayedScript play(const Script& script);

 private:
  std::vector<PlayedStep> played(const Script& script);
  void purge(const Script& script);

  RunContext& context_;
  Housekeeper& housekeeper_;
};

/// The request as it is sent.
base::Bytes bytes_of(const WireFormat& format, const ScriptStep& step);

/// Rounded up.
std::uint64_t milliseconds_of(Time ns);

/// The script as a golden vector: replies before the last may be anything.
vectors::Vector vector_of(const WireFormat& format, const Script& script,
                          const PlayedScript& played_script);

}  // namespace hallmark::conformance
