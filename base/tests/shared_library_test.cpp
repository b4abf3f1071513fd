#include "base/shared_library.hpp"

#include <gmock/gmock.h>

namespace hallmark::base {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(SharedLibrary, GivesOutItsFunctions) {
  auto library = SharedLibrary::load("libz.so.1");
  ASSERT_TRUE(library) << library.error().message;
  const char* (*version)() = nullptr;
  library->find("zlibVersion", version);
  ASSERT_TRUE(library->complete());
  EXPECT_THAT(version(), StartsWith("1."));
}

TEST(SharedLibrary, NamesTheFirstFunctionThatItLacks) {
  auto library = SharedLibrary::load("libz.so.1");
  ASSERT_TRUE(library) << library.error().message;
  void (*missing)() = nullptr;
  library->find("no_such_function", missing).find("nor_this_one", missing);
  EXPECT_EQ(missing, nullptr);
  EXPECT_EQ(library->complete().error().message,
            "libz.so.1 has no function no_such_function: expected a newer version");
}

TEST(SharedLibrary, SaysWhyItCannotBeLoaded) {
  const auto library = SharedLibrary::load("libhallmark-none.so.1");
  ASSERT_FALSE(library);
  EXPECT_THAT(library.error().message, HasSubstr("cannot load libhallmark-none.so.1: "));
}

}  // namespace
}  // namespace hallmark::base
