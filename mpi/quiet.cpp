#include "mpi/quiet.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>

namespace hallmark::mpi {
namespace {

constexpr std::size_t most_bytes = std::size_t{64} << 10;

}  // namespace

Quiet::Quiet()
    : kept_(memfd_create("printed", MFD_CLOEXEC)),
      out_(dup(STDOUT_FILENO)),
      err_(dup(STDERR_FILENO)) {
  dup2(kept_.get(), STDOUT_FILENO);
  dup2(kept_.get(), STDERR_FILENO);
}

Quiet::~Quiet() {
  std::fflush(stdout);
  dup2(out_.get(), STDOUT_FILENO);
  dup2(err_.get(), STDERR_FILENO);
}

std::string Quiet::text() const {
  std::fflush(stdout);
  std::string text(most_bytes, '\0');
  const ssize_t read = pread(kept_.get(), text.data(), text.size(), 0);
  text.resize(read < 0 ? 0 : static_cast<std::size_t>(read));
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

}  // namespace hallmark::mpi
