#pragma once

#include <optional>
#include <string>
#include <vector>

#include "captures/input.hpp"
#include "captures/input_file.hpp"

namespace hallmark::captures {

/// The most bytes that an input may have. Captures have no limit: they are never in memory as a
/// whole.
inline constexpr std::size_t longest_input = std::size_t{64} << 20;

/// The kind of the messages in an input: decides what it is taken for where nobody says it.
enum class Messages : std::uint8_t { binary, text };

/// The input that is to be decoded. Exactly one of the last four is there.
struct Loaded {
  std::string name;  ///< a path, "standard input" or "command line"
  InputFormat format;
  std::optional<InputFile> capture = {};
  std::vector<Utterance> dialogue = {};  ///< from lines of hex with directions
  std::vector<TextLine> lines = {};      ///< from messages of text
  Bytes bytes = {};
};

/// `words`: a path; "-" or none for standard input; or else text that holds the bytes themselves.
/// `format`: empty if it is to be found out.
/// Words are lines; of messages of text, blanks join them if none has one, nor > or <.
/// Errors: nothing to read, nothing in it, or not in that format; one line each.
base::Result<Loaded> load(const std::vector<std::string>& words, std::optional<InputFormat> format,
                          Messages messages = Messages::binary);

}  // namespace hallmark::captures
