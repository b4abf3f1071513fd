#include "reports/saved_result.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>

#include "reports/json_reader.hpp"
#include "reports/run_verdict.hpp"
#include "reports/text.hpp"

namespace hallmark::reports {
namespace {

using Json = nlohmann::json;

constexpr std::size_t max_file_bytes = std::size_t{1} << 30;

/// The keys that say what the document is, and the one that follows from the rest of it.
void describe_preamble(JsonReader& archive, std::uint64_t& code) {
  std::string format;
  std::uint64_t version = 0;
  archive("format", format);
  archive("format_version", version);
  archive("exit_code", code);
}

void check_version(const Json& json) {
  const auto version = json.find("format_version");
  if (version == json.end() || *version != json_fields::format_version) {
    throw Mismatch("/format_version", std::to_string(json_fields::format_version),
                   version == json.end() ? nullptr : &*version);
  }
}

template <class T>
void check_code(const Json& json, const T& result, std::uint64_t code) {
  const auto expected = static_cast<unsigned>(exit_code(result));
  if (code != expected) {
    throw Mismatch("/exit_code", fmt::format("{}, which follows from the rest", expected),
                   &json["exit_code"]);
  }
}

/// Reports of earlier versions do not name the operations that the target lacks.
void take_missing_operations(const Json& json, CertifyResult& result) {
  const bool all_there = count_verdicts(result).unsupported == 0;
  if (result.missing_operations.empty()) result.missing_operations = unsupported_operations(result);
  if (all_there && !result.missing_operations.empty()) {
    throw Mismatch("/missing_operations", "nothing, as no case is unsupported",
                   &json["missing_operations"]);
  }
}

CertifyResult read_certify(const Json& json) {
  CertifyResult result;
  VerdictCounts summary;
  std::uint64_t code = 0;
  JsonReader reader(json, "");
  describe_preamble(reader, code);
  describe(reader, result);
  std::optional<std::string> verdict;
  reader("verdict", verdict);
  reader("summary", summary);
  reader.no_more();
  check_code(json, result, code);
  take_missing_operations(json, result);
  if (verdict && *verdict != run_verdict(result)) {
    throw Mismatch("/verdict", fmt::format("{}, which follows from the rest", run_verdict(result)),
                   &json["verdict"]);
  }
  if (summary != count_verdicts(result)) {
    throw Mismatch("/summary", "the counts of the cases", &json["summary"]);
  }
  return result;
}

LoadResult read_load(const Json& json) {
  LoadResult result;
  std::uint64_t code = 0;
  JsonReader reader(json, "");
  describe_preamble(reader, code);
  describe(reader, result);
  reader.no_more();
  check_code(json, result, code);
  return result;
}

SavedResult read_document(const Json& json) {
  const auto format = json.is_object() ? json.find("format") : json.end();
  const bool known =
      json.is_object() && format != json.end() &&
      (*format == json_fields::certify_format || *format == json_fields::load_format);
  if (!known) {
    const bool has_format = json.is_object() && format != json.end();
    throw Mismatch(has_format ? "/format" : "",
                   "a saved result (\"format\": \"hallmark-certify\" or \"hallmark-load\")",
                   has_format ? &*format : &json);
  }
  check_version(json);
  if (*format == json_fields::certify_format) return read_certify(json);
  return read_load(json);
}

/// "[json.exception.parse_error.101] parse error at line 1, …" without the library's own number.
std::string_view without_tag(std::string_view message) {
  const auto tag = message.find("] ");
  return tag == std::string_view::npos ? message : message.substr(tag + 2);
}

Error unreadable(const std::filesystem::path& path, int reason) {
  return {
      fmt::format("cannot read {}: {}", path.string(), std::generic_category().message(reason))};
}

class File {
 public:
  explicit File(const std::filesystem::path& path)
      : descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  ~File() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
};

Result<void> read_text(const std::filesystem::path& path, std::string& text) {
  const File file(path);
  if (file.descriptor() < 0) return unreadable(path, errno);
  std::array<char, 65536> buffer;
  while (true) {
    const auto got = ::read(file.descriptor(), buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return unreadable(path, errno);
    if (got == 0) return {};
    text.append(buffer.data(), static_cast<std::size_t>(got));
    if (text.size() > max_file_bytes) return unreadable(path, EFBIG);
  }
}

}  // namespace

Result<SavedResult> parse_result(std::string_view json, std::string_view source) {
  try {
    return read_document(Json::parse(json));
  } catch (const Json::exception& error) {
    return Error{fmt::format("{}: expected a saved result as JSON, came {}", source,
                             shorten(printable(without_tag(error.what())), 160))};
  } catch (const Mismatch& error) {
    return Error{fmt::format("{}: {}", source, error.what())};
  }
}

Result<SavedResult> read_result(const std::filesystem::path& path) {
  std::string text;
  if (const auto read = read_text(path, text); !read) return read.error();
  return parse_result(text, path.string());
}

}  // namespace hallmark::reports
