#include "reports/tests/golden.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "cmake/places/places.hpp"

namespace hallmark::reports {
namespace {

std::string read(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

bool updating() {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): one thread
  const char* value = std::getenv("HALLMARK_UPDATE_GOLDEN");
  return value != nullptr && std::string_view(value) == "1";
}

std::string first_difference(const std::string& golden, const std::string& text) {
  std::istringstream left(golden), right(text);
  std::string expected, came;
  for (int number = 1;; ++number) {
    const bool more_left = static_cast<bool>(std::getline(left, expected));
    const bool more_right = static_cast<bool>(std::getline(right, came));
    if (more_left != more_right || expected != came || !more_left) {
      return fmt::format("line {}\n  golden: {}\n  came:   {}", number,
                         more_left ? expected : "(end)", more_right ? came : "(end)");
    }
  }
}

}  // namespace

void expect_golden(std::string_view name, const std::string& text) {
  const auto path = std::filesystem::path(places::source()) / "reports/tests/golden" / name;
  const auto golden = read(path);
  if (golden == text) return;
  if (updating()) std::ofstream(path, std::ios::binary) << text;
  ADD_FAILURE() << path << (updating() ? " is updated, " : " differs, ")
                << first_difference(golden, text)
                << "\nHALLMARK_UPDATE_GOLDEN=1 writes the golden files anew";
}

}  // namespace hallmark::reports
