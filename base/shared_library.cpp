#include "base/shared_library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

namespace hallmark::base {

Result<SharedLibrary> SharedLibrary::load(const std::string& name) {
  void* const handle = ::dlopen(name.c_str(), RTLD_LAZY | RTLD_LOCAL);
  if (handle != nullptr) return SharedLibrary(handle, name);
  // NOLINTNEXTLINE(concurrency-mt-unsafe): the C library keeps it per thread
  const char* const reason = ::dlerror();
  return Error{fmt::format("cannot load {}: {}", name, reason == nullptr ? "unknown" : reason)};
}

Result<void> SharedLibrary::complete() const {
  if (missing_.empty()) return {};
  return Error{fmt::format("{} has no function {}: expected a newer version", name_, missing_)};
}

void* SharedLibrary::address_of(const char* function) {
  void* const address = ::dlsym(handle_, function);
  if (address == nullptr && missing_.empty()) missing_ = function;
  return address;
}

}  // namespace hallmark::base
