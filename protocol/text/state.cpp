#include "protocol/text/state.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace hallmark::protocol::state {
namespace {

using Found = base::Expected<Parsed, Malformed>;

/// Why a string has none of the headers, in the words of the document.
Malformed unknown_header(std::string_view text, const Dialect& dialect, const Taken& taken) {
  std::vector<std::string_view> headers;
  for (const Format& format : dialect.formats) {
    const bool asked = taken.strategy.empty() || taken.strategy == format.strategy;
    if (asked && std::ranges::find(headers, format.header) == headers.end())
      headers.push_back(format.header);
  }
  if (headers.empty())
    return {"header", 0, fmt::format("no strategy is called {}", taken.strategy)};
  if (text.empty()) return {"header", 0, "the string is empty"};
  if (text.front() == '{')
    return {"header", 0, "starts with '{': JSON, as states were before version 1"};
  const std::string_view front = text.substr(0, text.find('|'));
  const std::string_view strategy = taken.strategy.empty() ? "state" : taken.strategy;
  return {"header", 0,
          fmt::format(
              "{} starts no {}; expected one of {}",
              printable(base::as_bytes(text.substr(0, std::min<std::size_t>(front.size() + 1, 8)))),
              strategy, fmt::join(headers, " "))};
}

class Parser {
 public:
  explicit Parser(const Readings& readings) : readings_(readings) {}

  Found parse(std::string_view text, std::size_t offset, const Taken& taken, std::size_t depth) {
    std::optional<Parsed> found;
    std::optional<Malformed> furthest;
    for (const Format& format : readings_.dialect().formats) {
      if (!could_be(format, text, taken)) continue;
      if (found && found->format->strategy == format.strategy) continue;
      auto one = as(format, text, offset, taken, depth);
      if (one && !found) {
        found = std::move(*one);
      } else if (one) {
        found->others.push_back(&format);
      } else if (!furthest || furthest->offset < one.error().offset) {
        furthest = one.error();
      }
    }
    if (found) return std::move(*found);
    if (furthest) return *std::move(furthest);
    Malformed unknown = unknown_header(text, readings_.dialect(), taken);
    unknown.offset += offset;
    return unknown;
  }

 private:
  bool could_be(const Format& format, std::string_view text, const Taken& taken) const {
    return text.starts_with(format.header) &&
           (taken.strategy.empty() || taken.strategy == format.strategy) &&
           readings_.holds(format.message.when);
  }

  Found as(const Format& format, std::string_view text, std::size_t offset, const Taken& taken,
           std::size_t depth) {
    Parsed parsed{.format = &format,
                  .text = text,
                  .offset = offset,
                  .decoder = Decoder(Layout::format(format, readings_)),
                  .others = {},
                  .parts = {}};
    if (parsed.decoder.resume(base::as_bytes(text)) != Decoder::State::complete) {
      Malformed error = parsed.decoder.error();
      // Left over bytes belong to no field: the one that they follow says where to look.
      if (error.field.empty()) error.field = parsed.decoder.fields().back().field->name;
      error.offset += offset;
      return error;
    }
    for (const FieldValue& value : parsed.decoder.fields()) {
      if (!value.field->is<kinds::State>()) continue;
      if (depth == most_depth) {
        return Malformed{std::string(value.field->name), offset + value.offset,
                         fmt::format("is a composite deeper than {}", most_depth)};
      }
      auto inner = part(parsed, value, taken, depth);
      if (!inner) return inner.error();
      parsed.parts.push_back(std::move(*inner));
    }
    return parsed;
  }

  Found part(const Parsed& whole, const FieldValue& value, const Taken& taken, std::size_t depth) {
    const std::string_view strategy =
        value.field->name == "primary" ? taken.primary : taken.secondary;
    auto inner = parse(whole.text.substr(value.offset, value.length), whole.offset + value.offset,
                       {.strategy = strategy}, depth + 1);
    if (inner) return inner;
    Malformed error = inner.error();
    error.field = error.field.empty() ? std::string(value.field->name)
                                      : fmt::format("{}.{}", value.field->name, error.field);
    return error;
  }

  const Readings& readings_;
};

void append(const Parsed& parsed, const std::string& prefix, std::vector<Annotation>& all) {
  std::size_t next_part = 0;
  for (Annotation& one : protocol::annotate(parsed.decoder, base::as_bytes(parsed.text))) {
    const bool is_part = next_part < parsed.parts.size() &&
                         parsed.parts[next_part].offset == parsed.offset + one.offset;
    if (is_part) {
      append(parsed.parts[next_part++], prefix + one.path + ".", all);
      continue;
    }
    if (one.offset == 0) {
      one.path = "header";
      one.meaning = std::string(parsed.format->name);
      for (const Format* const other : parsed.others)
        one.meaning += fmt::format(" or {}", other->name);
    }
    one.path = prefix + one.path;
    one.offset += parsed.offset;
    all.push_back(std::move(one));
  }
}

}  // namespace

base::Expected<Parsed, Malformed> parse(std::string_view text, const Readings& readings,
                                        const Taken& taken) {
  return Parser(readings).parse(text, 0, taken, 0);
}

base::Expected<std::string, EncodeError> write(const Format& format, const Record& values,
                                               const Readings& readings) {
  const Layout layout = Layout::format(format, readings);
  const auto bytes = encode(layout, values);
  if (!bytes) return bytes.error();
  std::string text(base::as_text(*bytes));
  const auto again = decode(layout, *bytes);
  for (const Field& field : format.message.fields) {
    if (!field.is<kinds::State>() || !layout.present(field)) continue;
    const Value* const read = again ? again->find(field.name) : nullptr;
    if (read == nullptr || *read != *values.find(field.name))
      return EncodeError{std::string(field.name), "would read back as another state"};
  }
  return text;
}

bool canonical(const Parsed& parsed) {
  const auto bytes = encode(parsed.decoder.layout(), parsed.values());
  return bytes && base::as_text(*bytes) == parsed.text &&
         std::ranges::all_of(parsed.parts, canonical);
}

std::vector<Annotation> annotate(const Parsed& parsed) {
  std::vector<Annotation> all;
  append(parsed, "", all);
  return all;
}

const Format* current_format(const Dialect& dialect, std::string_view strategy) {
  for (const Format& format : dialect.formats) {
    if (format.strategy == strategy && format.current) return &format;
  }
  return nullptr;
}

std::vector<std::string_view> strategies(const Dialect& dialect) {
  std::vector<std::string_view> names;
  for (const Format& format : dialect.formats) {
    if (names.empty() || names.back() != format.strategy) names.push_back(format.strategy);
  }
  return names;
}

}  // namespace hallmark::protocol::state
