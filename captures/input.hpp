#pragma once

#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "captures/event.hpp"

namespace hallmark::captures {

/// `text`: messages of text as they are, a line each.
enum class InputFormat : std::uint8_t { hex, base64, binary, capture, text };

/// "hex", "base64", "binary", "pcap", "text".
std::string_view name_of(InputFormat format);

/// The number of first bytes that tell a capture from everything else.
inline constexpr std::size_t bytes_to_tell_capture = 4;

/// pcap with times in micro- or nanoseconds, of either byte order, or pcapng.
bool is_capture(ByteView beginning);

/// Detects the format of the input. Hexadecimal digits are hex, even if they could be base64;
/// base64 has to be padded, in lines of one length. Error: text that is neither.
base::Result<InputFormat> detect(std::string_view input);

/// Like `detect`, for messages of text: input that is not hex is the messages themselves, never
/// base64.
InputFormat detect_of_text(std::string_view input);

/// Pairs of hexadecimal digits of either case. Between pairs may stand blanks, newlines, commas,
/// colons and semicolons; before each 0x or \x. A # starts a comment, to the end of its line.
/// Error: what is none of these, and in which line; half a byte.
base::Result<Bytes> parse_hex(std::string_view text);

/// The bytes that one side sent without a break.
struct Utterance {
  Side from;
  Bytes bytes;
};

/// Returns true if any line of the hex starts with > (client to server) or < (server to client).
bool has_directions(std::string_view hex);

/// Lines of hex; one without a mark goes on with what the line before said.
/// Errors as `parse_hex`, and a first line without a mark.
base::Result<std::vector<Utterance>> parse_directed_hex(std::string_view text);

/// A message of text.
struct TextLine {
  std::optional<Side> from;  ///< empty: no mark says it
  Bytes bytes;
};

/// The lines that are not empty. One or two > or < in front, and a blank, say who sent it.
std::vector<TextLine> parse_text(std::string_view text);

}  // namespace hallmark::captures
