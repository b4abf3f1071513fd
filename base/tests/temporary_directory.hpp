#pragma once
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "base/temporary_directory.hpp"

namespace hallmark::base::test {

/// A directory of this test alone, removed with all that is in it.
class TemporaryDirectory {
 public:
  TemporaryDirectory() : directory_(base::TemporaryDirectory::create("hallmark-test").value()) {}

  const std::filesystem::path& path() const { return directory_.path(); }
  std::filesystem::path operator/(const std::filesystem::path& name) const { return path() / name; }

  std::filesystem::path write(const std::filesystem::path& name, std::string_view content) const {
    std::filesystem::create_directories((path() / name).parent_path());
    std::ofstream(path() / name, std::ios::binary) << content;
    return path() / name;
  }
  std::string read(const std::filesystem::path& name) const {
    std::ifstream file(path() / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  /// The number of files and directories in it.
  std::size_t entries() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(path()),
                                                  std::filesystem::directory_iterator()));
  }

 private:
  base::TemporaryDirectory directory_;
};

}  // namespace hallmark::base::test
