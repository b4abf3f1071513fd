#pragma once

#include <optional>
#include <string>
#include <vector>

#include "captures/input.hpp"
#include "captures/input_file.hpp"

namespace hallmark::captures {

/// Of anything but a capture, which is never in memory as a whole.
inline constexpr std::size_t longest_input = std::size_t{64} << 20;

/// What was given to be decoded. Exactly one of the last three is there.
struct Loaded {
  std::string name;  ///< a path, "standard input" or "command line"
  InputFormat format;
  std::optional<InputFile> capture = {};
  std::vector<Utterance> dialogue = {};  ///< from lines with directions
  Bytes bytes = {};
};

/// `words`: a path; "-" or none for standard input; or else text that holds the bytes themselves.
/// `asked`: the format, where it is not to be found out.
/// Errors: nothing to read, nothing in it, or not in that format; one line each.
base::Result<Loaded> load(const std::vector<std::string>& words, std::optional<InputFormat> asked);

}  // namespace hallmark::captures
