#include "conformance/certificate/reader.hpp"

#include <fmt/format.h>

#include "base/read_file.hpp"
#include "base/text.hpp"
#include "conformance/certificate/lines.hpp"
#include "conformance/certificate/sha256.hpp"
#include "conformance/certificate/zstd_stream.hpp"
#include "reports/structure_reader.hpp"

namespace hallmark::certificate {
namespace {

using base::Error;
using base::Json;
using base::JsonReader;
using conformance::Part;
using reports::StructureReader;

constexpr std::size_t most_file_bytes = 256 * base::mebibyte;
/// The longest line that may nest: reading it takes a multiple of its length.
constexpr std::size_t longest_nested_line = 8 * base::mebibyte;
constexpr std::size_t deepest_nesting = 12;
constexpr std::string_view magic("\x28\xb5\x2f\xfd", 4);

struct Wrong {
  std::string what;
};

template <class T, class E>
T value_or_throw(base::Expected<T, E> result) {
  if (!result) throw Wrong{result.error().message};
  return std::move(*result);
}

/// An object of one member.
Json nested(std::string_view line) {
  if (line.size() > longest_nested_line)
    throw Wrong{fmt::format("is longer than {} MiB", longest_nested_line / base::mebibyte)};
  Json json = value_or_throw(base::parse_json(line, {.depth = deepest_nesting, .is_line = true}));
  if (!json.is_object() || json.size() != 1) throw Wrong{"is not a JSON object of one member"};
  return json;
}

/// Takes a certificate line by line.
class Lines {
 public:
  void take(std::string_view line) {
    if (ended_) throw Wrong{"comes after the end"};
    if (!started_) {
      start(line);
    } else if (!finishing_ && !line.starts_with("{\"commission\"")) {
      transcript(value_or_throw(FlatObject::parse(line)));
    } else {
      finish(line);
    }
    // The last line tells the hash of those before it.
    digest_.add(line);
    digest_.add("\n");
  }

  bool ended() const { return ended_; }
  Certificate certificate() && { return std::move(certificate_); }

 private:
  void start(std::string_view line) {
    auto first = FlatObject::parse(line);
    const auto version = first ? first->take_number("hallmark_certificate") : std::nullopt;
    if (!version) throw Wrong{"is not the beginning of a certificate"};
    if (*version != format_version) {
      throw Wrong{
          fmt::format("has format {}, and this program reads {}: verify it with the version "
                      "that wrote it, or a newer one",
                      *version, format_version)};
    }
    certificate_.tool = first->take_text("tool").value_or("");
    started_ = true;
  }

  void transcript(FlatObject line) {
    if (line.kind() == part_key) {
      if (open_) throw Wrong{"begins a part within another one"};
      certificate_.parts.push_back(value_or_throw(part_of(std::move(line))));
      open_ = true;
    } else if (!open_) {
      throw Wrong{"is of no part"};
    } else if (line.kind() == part_end_key) {
      certificate_.parts.back().ended = value_or_throw(end_of(std::move(line)));
      open_ = false;
    } else {
      certificate_.parts.back().crossings.push_back(value_or_throw(crossing_of(std::move(line))));
    }
  }

  void finish(std::string_view line) {
    const Json json = nested(line);
    const auto members = JsonReader(json).members();
    const auto& [kind, content] = members.front();
    if (open_) throw Wrong{"comes where a part has no end"};
    if (kind == "commission" && !finishing_) {
      certificate_.commission = read_commission(content);
      finishing_ = true;
    } else if (kind == "suite" && next_ == Next::suite) {
      certificate_.suite = read_identity(content);
      next_ = Next::result;
    } else if (kind == "result" && next_ == Next::result) {
      certificate_.result = StructureReader::structure<reports::CertifyResult>(content);
      next_ = Next::cases;
    } else if (kind == "case" && next_ == Next::cases) {
      certificate_.result.cases.push_back(StructureReader::structure<reports::CaseResult>(content));
    } else if (kind == "end" && next_ == Next::cases) {
      end(content);
    } else {
      throw Wrong{fmt::format("is \"{}\", which has no place here", base::excerpt(kind, 40))};
    }
  }

  void end(const JsonReader& content) {
    base::JsonMembers members(content);
    if (members["sha256"].string() != digest_.hex())
      throw Wrong{"has not the hash of the lines before it: the certificate was changed"};
    members.no_more();
    ended_ = true;
  }

  enum class Next : std::uint8_t { suite, result, cases };

  Certificate certificate_;
  Sha256 digest_;
  bool started_ = false;
  bool open_ = false;       ///< a part has begun
  bool finishing_ = false;  ///< no part follows
  bool ended_ = false;
  Next next_ = Next::suite;
};

/// Cuts what is decompressed into lines.
class Text {
 public:
  Text(Lines& lines, const Limits& limits) : lines_(lines), limits_(limits) {}

  std::size_t line() const { return line_; }

  void add(std::string_view text) {
    size_ += text.size();
    if (size_ > limits_.text)
      throw Wrong{
          fmt::format("goes beyond {} MiB, more than a certificate holds", limits_.text >> 20)};
    rest_ += text;
    std::size_t begin = 0;
    for (auto end = rest_.find('\n', searched_); end != std::string::npos;
         end = rest_.find('\n', begin)) {
      ++line_;
      lines_.take(std::string_view(rest_).substr(begin, end - begin));
      begin = end + 1;
    }
    rest_.erase(0, begin);
    searched_ = rest_.size();
    if (rest_.size() > limits_.line)
      throw Wrong{fmt::format("is longer than {} MiB", limits_.line >> 20)};
  }

  bool is_whole() const { return rest_.empty(); }

 private:
  Lines& lines_;
  const Limits& limits_;
  std::string rest_;
  std::size_t searched_ = 0;
  std::size_t size_ = 0;
  std::size_t line_ = 0;  ///< counted from 1
};

/// All of the frame, into `text`. Errors: what is wrong with the frame.
base::Result<void> decompress(std::string_view file, Text& text) {
  Decompressor decompressor;
  while (!decompressor.ended()) {
    const auto piece = decompressor.next(file);
    if (!piece) return Error{decompressor.error()};
    text.add(*piece);
    if (piece->empty() && file.empty() && !decompressor.ended())
      return Error{"is cut off; expected all of the file that was written"};
  }
  if (!file.empty()) return Error{fmt::format("has {} bytes too many at its end", file.size())};
  return {};
}

}  // namespace

base::Result<Certificate> read(std::string_view file, const std::string& source,
                               const Limits& limits) {
  if (!file.starts_with(magic))
    return Error{
        fmt::format("{}: is no certificate, which is a Zstandard file that `hallmark "
                    "certify --certificate` writes",
                    source)};
  Lines lines;
  Text text(lines, limits);
  try {
    const auto decompressed = decompress(file, text);
    if (!decompressed) return Error{fmt::format("{}: {}", source, decompressed.error().message)};
  } catch (const Wrong& wrong) {
    // A text that is too large ends within the line after the last whole one.
    return Error{fmt::format("{}: line {} {}", source, text.line(), base::printable(wrong.what))};
  } catch (const base::JsonMismatch& mismatch) {
    return Error{fmt::format("{}: line {} {}", source, text.line(), mismatch.message)};
  }
  if (!lines.ended() || !text.is_whole())
    return Error{fmt::format("{}: ends after line {} without its last line", source, text.line())};
  return std::move(lines).certificate();
}

base::Result<Certificate> read_file(const std::string& path) {
  const auto content = base::read_file(path, most_file_bytes, "a certificate");
  if (!content) return content.error();
  return read(*content, path);
}

}  // namespace hallmark::certificate
