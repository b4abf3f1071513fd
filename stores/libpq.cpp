#include "stores/libpq.hpp"

#include "base/shared_library.hpp"

namespace hallmark::stores {
namespace {

base::Result<Libpq> loaded_libpq() {
  auto library = base::SharedLibrary::load(libpq_file);
  if (!library) return library.error();
  Libpq functions;
#define HALLMARK_FIND(name) library->find(#name, functions.name);
  HALLMARK_LIBPQ_FUNCTIONS(HALLMARK_FIND)
#undef HALLMARK_FIND
  if (const auto found = library->complete(); !found) return found.error();
  return functions;
}

const base::Result<Libpq>& the_libpq() {
  static const base::Result<Libpq> library = loaded_libpq();
  return library;
}

}  // namespace

base::Result<void> load_libpq() {
  if (!the_libpq()) return the_libpq().error();
  return {};
}

const Libpq& libpq() { return *the_libpq(); }

}  // namespace hallmark::stores
