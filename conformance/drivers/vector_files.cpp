#include "conformance/drivers/vector_files.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>

#include "vectors/format/json.hpp"
#include "vectors/format/state_json.hpp"

namespace hallmark::conformance {
namespace {

/// "throttr-7.1 u16", or "ratelimit-udp".
std::string in_words(std::string_view dialect, protocol::Width width) {
  if (width == protocol::Width::none) return std::string(dialect);
  return fmt::format("{} {}", dialect, protocol::name_of(width));
}

}  // namespace

bool is_one_file(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path, ignored);
}

OrReason<std::vector<vectors::VectorFile>> vector_files(const std::string& path,
                                                        const WireFormat& format) {
  if (!is_one_file(path)) {
    auto files = vectors::load_directory(path, format.dialect().name, format.width());
    if (!files) return files.error().message;
    return std::move(*files);
  }
  auto files = vectors::load_file(path);
  if (!files) return files.error().message;
  const std::string expected = in_words(format.dialect().name, format.width());
  std::vector<std::string> held;
  for (vectors::VectorFile& file : *files) {
    held.push_back(in_words(file.dialect, file.width));
    if (held.back() == expected) return std::vector{std::move(file)};
  }
  return fmt::format("{} has vectors of {}; expected {}, which the target is held to", path,
                     fmt::join(held, ", "), expected);
}

OrReason<std::vector<vectors::StateVectorFile>> state_vector_files(const std::string& path) {
  if (!is_one_file(path)) {
    auto files = vectors::load_state_directory(path);
    if (!files) return files.error().message;
    return std::move(*files);
  }
  auto file = vectors::load_state_file(path);
  if (!file) return file.error().message;
  return std::vector<vectors::StateVectorFile>{std::move(*file)};
}

}  // namespace hallmark::conformance
