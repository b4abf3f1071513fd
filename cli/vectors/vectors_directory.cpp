#include "cli/vectors/vectors_directory.hpp"

#include <filesystem>
#include <system_error>

#include "cmake/places/places.hpp"

namespace hallmark::cli {

std::string default_vectors_directory() {
  namespace fs = std::filesystem;
  std::error_code ignored;
  if (fs::is_directory(places::source("vectors"), ignored)) return places::source("vectors");
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored);
  return (program.parent_path() / "../share/hallmark/vectors").lexically_normal().string();
}

}  // namespace hallmark::cli
