// Prints the digests of all vectors below a directory, of format 2 or 3 (digest.hpp):
//   hallmark_vector_digests DIRECTORY
// Exit 2: something cannot be read.
#include <fmt/format.h>

#include <filesystem>

#include "vectors/format/format_2.hpp"
#include "vectors/format/json_file.hpp"
#include "vectors/format/tests/digest.hpp"

namespace {

namespace fs = std::filesystem;
using namespace hallmark;
using Files = std::vector<vectors::VectorFile>;

base::Result<Files> read_either(std::string_view text) {
  if (!vectors::is_format_2(text)) return vectors::read_json(text);
  auto file = vectors::read_format_2(text);
  if (file.has_error()) return file.error();
  return Files{std::move(*file)};
}

/// True for files of messages: neither schemas nor states.
bool holds_vectors(const fs::path& path) {
  return path.extension() == ".json" && path.string().find("/schema/") == std::string::npos &&
         path.string().find("/ratelimit-state/") == std::string::npos;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: hallmark_vector_digests DIRECTORY\n");
    return 2;
  }
  vectors::test::Digests all;
  for (const auto& entry : fs::recursive_directory_iterator(argv[1])) {
    if (!holds_vectors(entry.path())) continue;
    const auto files = vectors::reading::load(entry.path().string(), read_either);
    if (files.has_error()) {
      fmt::print(stderr, "{}\n", files.error().message);
      return 2;
    }
    all.merge(vectors::test::digests_of(*files));
  }
  fmt::print("{}", vectors::test::in_lines(all));
}
