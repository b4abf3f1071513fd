#include "cli/metrics/libcurl.hpp"

#include "base/shared_library.hpp"

namespace hallmark::cli {
namespace {

base::Result<Libcurl> loaded_libcurl() {
  auto library = base::SharedLibrary::load("libcurl.so.4");
  if (!library) return library.error();
  Libcurl functions;
#define HALLMARK_FIND(name) library->find(#name, functions.name);
  HALLMARK_LIBCURL_FUNCTIONS(HALLMARK_FIND)
#undef HALLMARK_FIND
  if (const auto found = library->complete(); !found) return found.error();
  return functions;
}

const base::Result<Libcurl>& the_libcurl() {
  static const base::Result<Libcurl> library = loaded_libcurl();
  return library;
}

}  // namespace

base::Result<void> load_libcurl() {
  if (!the_libcurl()) return the_libcurl().error();
  return {};
}

const Libcurl& libcurl() { return *the_libcurl(); }

}  // namespace hallmark::cli
