#include "reference/protocol/document.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "reference/protocol/dialects/throttr_7_1.hpp"

namespace hallmark::protocol {
namespace {

// HALLMARK_UPDATE_GOLDEN=1 rewrites the page; the comparison fails all the same in that run.
TEST(Document, IsThePageInDocs) {
  const std::string path = HALLMARK_SOURCE_DIR "/docs/dialects/throttr-7.1.md";
  std::ostringstream page;
  page << std::ifstream(path).rdbuf();
  const std::string expected = document(throttr_7_1);
  if (std::getenv("HALLMARK_UPDATE_GOLDEN") != nullptr) std::ofstream(path) << expected;
  EXPECT_TRUE(page.str() == expected) << path << " is not what the table says";
}

}  // namespace
}  // namespace hallmark::protocol
