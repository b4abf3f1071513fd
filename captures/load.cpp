#include "captures/load.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "base/base64.hpp"
#include "base/text.hpp"

namespace hallmark::captures {
namespace {

using base::Error;
using base::Result;

constexpr std::size_t longest_quotation = 40;

struct Asked {
  std::optional<InputFormat> format;  ///< empty: it is to be found out
  Messages messages;
};

/// Text that is no file may be a mistyped path: that is said as well.
Error about(const Loaded& loaded, const std::string* text, const Error& error) {
  if (text == nullptr) return {fmt::format("{}: {}", loaded.name, error.message)};
  return {fmt::format("'{}' is no file, and {}", base::excerpt(*text, longest_quotation),
                      error.message)};
}

Result<void> parse_dialogue(Loaded& loaded, std::string_view text) {
  auto said = parse_directed_hex(text);
  if (!said) return said.error();
  loaded.dialogue = std::move(*said);
  return {};
}

Result<void> parse_lines(Loaded& loaded, std::string_view text) {
  loaded.lines = parse_text(text);
  if (loaded.lines.empty()) return Error{"no bytes in it"};
  return {};
}

/// Precondition: a format, and no capture.
Result<void> parse(Loaded& loaded, std::string_view text) {
  if (loaded.format == InputFormat::text) return parse_lines(loaded, text);
  const bool hex = loaded.format == InputFormat::hex;
  if (hex && has_directions(text)) return parse_dialogue(loaded, text);
  auto bytes = loaded.format == InputFormat::binary ? Result<Bytes>(base::to_bytes(text))
               : hex                                ? parse_hex(text)
                                                    : base::from_any_base64(text);
  if (!bytes) return bytes.error();
  if (bytes->empty()) return Error{"no bytes in it"};
  loaded.bytes = std::move(*bytes);
  return {};
}

Result<InputFormat> format_of(std::string_view text, const Asked& asked) {
  if (asked.format) return *asked.format;
  return asked.messages == Messages::text ? Result<InputFormat>(detect_of_text(text))
                                          : detect(text);
}

Result<void> understand(Loaded& loaded, std::string_view text, const Asked& asked) {
  const auto format = format_of(text, asked);
  if (!format) return format.error();
  if (*format == InputFormat::capture) return Error{"a capture has to be a file or standard input"};
  loaded.format = *format;
  return parse(loaded, text);
}

Result<Loaded> load_text(const std::string& text, const Asked& asked) {
  Loaded loaded{"command line", InputFormat::hex};
  const auto understood = understand(loaded, text, asked);
  if (!understood) return about(loaded, &text, understood.error());
  return loaded;
}

Result<Loaded> load_file(const std::string& path, const Asked& asked) {
  auto file = InputFile::open(path);
  if (!file) return file.error();
  Loaded loaded{path == "-" ? "standard input" : path, InputFormat::capture};
  if (asked.format ? *asked.format == InputFormat::capture : is_capture(file->beginning())) {
    loaded.capture = std::move(*file);
    return loaded;
  }
  const auto bytes = file->read_all(longest_input);
  if (!bytes) return bytes.error();
  const auto understood = understand(loaded, base::as_text(*bytes), asked);
  if (!understood) return about(loaded, nullptr, understood.error());
  return loaded;
}

/// Words of text that have no blank are parts of one message, which was typed without quotes.
std::string joined(const std::vector<std::string>& words, Messages messages) {
  const bool apart =
      messages == Messages::binary || std::ranges::any_of(words, [](const std::string& word) {
        return word.find_first_of("<> ") != std::string::npos;
      });
  return fmt::format("{}", fmt::join(words, apart ? "\n" : " "));
}

}  // namespace

Result<Loaded> load(const std::vector<std::string>& words, std::optional<InputFormat> format,
                    Messages messages) {
  const Asked asked{format, messages};
  if (words.empty()) return load_file("-", asked);
  std::error_code ignored;
  const bool is_file = words.front() == "-" || std::filesystem::exists(words.front(), ignored);
  if (words.size() == 1 && is_file) return load_file(words.front(), asked);
  return load_text(joined(words, messages), asked);
}

}  // namespace hallmark::captures
