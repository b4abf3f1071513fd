#include "cli/vectors/vectors_directory.hpp"

#include <filesystem>
#include <system_error>

#include "base/read_file.hpp"
#include "base/text.hpp"

namespace hallmark::cli {
namespace {

namespace fs = std::filesystem;

/// Empty if the program is not in its build tree, or the source tree is gone.
fs::path source_tree() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  const fs::path note = program.parent_path() / "source-tree";
  if (error || !fs::is_regular_file(note, error)) return {};
  constexpr std::size_t longest_path = 4096;
  const auto text = base::read_file(note, longest_path, "the path of a source tree");
  return text ? fs::path(*text) : fs::path();
}

}  // namespace

std::string default_vectors_directory() {
  const fs::path tree = source_tree();
  std::error_code ignored;
  if (tree.empty() || !fs::is_directory(tree / "vectors", ignored)) return {};
  return (tree / "vectors").string();
}

std::string shown_vectors_directory(const std::string& directory) {
  return directory.empty() ? "the program" : base::printable(directory);
}

}  // namespace hallmark::cli
