#include "protocol/document.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "cmake/places/places.hpp"
#include "protocol/dialects.hpp"
#include "protocol/tests/identifier.hpp"

namespace hallmark::protocol {
namespace {

class Page : public ::testing::TestWithParam<const Dialect*> {};

// HALLMARK_UPDATE_GOLDEN=1 rewrites the page; the comparison fails all the same in that run.
TEST_P(Page, IsTheOneInDocs) {
  const Dialect& dialect = *GetParam();
  const std::string path = places::source("docs/dialects/") + std::string(dialect.name) + ".md";
  std::ostringstream page;
  page << std::ifstream(path).rdbuf();
  const std::string expected = document(dialect);
  if (std::getenv("HALLMARK_UPDATE_GOLDEN") != nullptr) std::ofstream(path) << expected;
  EXPECT_TRUE(page.str() == expected) << path << " is not what the table says";
}

INSTANTIATE_TEST_SUITE_P(Dialects, Page, ::testing::ValuesIn(all_dialects),
                         [](const auto& row) { return test::identifier(row.param->name); });

}  // namespace
}  // namespace hallmark::protocol
