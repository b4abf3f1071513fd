#include "captures/libpcap.hpp"

#include "base/shared_library.hpp"

namespace hallmark::captures {
namespace {

base::Result<Libpcap> loaded_libpcap() {
  auto library = base::SharedLibrary::load("libpcap.so.0.8");
  if (!library) return library.error();
  Libpcap functions;
#define HALLMARK_FIND(name) library->find(#name, functions.name);
  HALLMARK_LIBPCAP_FUNCTIONS(HALLMARK_FIND)
#undef HALLMARK_FIND
  if (const auto found = library->complete(); !found) return found.error();
  return functions;
}

const base::Result<Libpcap>& the_libpcap() {
  static const base::Result<Libpcap> library = loaded_libpcap();
  return library;
}

}  // namespace

base::Result<void> load_libpcap() {
  if (!the_libpcap()) return the_libpcap().error();
  return {};
}

const Libpcap& libpcap() { return *the_libpcap(); }

}  // namespace hallmark::captures
