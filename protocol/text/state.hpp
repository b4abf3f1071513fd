#pragma once

#include "base/expected.hpp"
#include "protocol/annotate.hpp"
#include "protocol/codec/encode.hpp"

/// Strings of a dialect at rest: found to be of one of its formats, read whole with the states that
/// they hold, and written.
namespace hallmark::protocol::state {

/// The kind of state that a string is taken for: the name of its strategy and, for a composite, the
/// names of the strategies of its parts. A name is empty if it is not known; `v1|` and `v2|` do not
/// name their strategy.
struct Taken {
  std::string_view strategy = {};
  std::string_view primary = {};
  std::string_view secondary = {};
};

/// Composites deeper than this are malformed.
inline constexpr std::size_t most_depth = 8;

/// A string that was read.
struct Parsed {
  const Format* format;
  std::string_view text;  ///< refers to what was read
  std::size_t offset;     ///< of a part: where in the whole string it starts
  Decoder decoder;
  /// Other formats that the text could be as well: of `v1|` and `v2|` where no strategy was given.
  std::vector<const Format*> others;
  /// The parts of a composite: primary and secondary.
  std::vector<Parsed> parts;

  MessageView view() const { return {decoder, base::as_bytes(text)}; }
  Record values() const { return view().record(); }
};

/// Reads a whole string. Error: the field that is wrong, or the last one where bytes are left over,
/// the offset in the whole string, and why; of several formats, of the one that went furthest.
base::Expected<Parsed, Malformed> parse(std::string_view text, const Readings& readings,
                                        const Taken& taken = {});

/// Writes a state; what would read back as something else is refused. Values as `encode` takes
/// them: a state inside a composite is the bytes of its text.
base::Expected<std::string, EncodeError> write(const Format& format, const Record& values,
                                               const Readings& readings);

/// Returns true if writing what was read, with all of its parts, gives the same bytes.
bool canonical(const Parsed& parsed);

/// Annotates a state as `annotate` does a message, its parts included: `primary.tokens`.
std::vector<Annotation> annotate(const Parsed& parsed);

/// The format in which states of that strategy are written today; null when there is no such
/// strategy.
const Format* current_format(const Dialect& dialect, std::string_view strategy);

/// Names of the strategies of a dialect, in the order of its table.
std::vector<std::string_view> strategies(const Dialect& dialect);

}  // namespace hallmark::protocol::state
