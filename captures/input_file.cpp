#include "captures/input_file.hpp"

#include <fmt/format.h>
#include <sys/types.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <system_error>

#include "base/descriptor.hpp"
#include "captures/input.hpp"

namespace hallmark::captures {
namespace {

using base::Error;
using base::Result;

constexpr std::size_t block = 65'536;

Error cannot_read(const std::string& path, int reason) {
  return {fmt::format("cannot read {}: {}", path == "-" ? "standard input" : path,
                      base::errno_text(reason))};
}

}  // namespace

/// A stream that gives the first bytes once more before it goes on: pipes cannot be rewound.
struct InputFile::Rewound {
  File file;
  Bytes beginning;
  std::size_t given = 0;

  static ssize_t read(void* cookie, char* out, std::size_t size) {
    auto& self = *static_cast<Rewound*>(cookie);
    const std::size_t left = self.beginning.size() - self.given;
    if (left == 0) {
      const std::size_t got = std::fread(out, 1, size, self.file.get());
      return got == 0 && std::ferror(self.file.get()) != 0 ? -1 : static_cast<ssize_t>(got);
    }
    const std::size_t now = std::min(left, size);
    std::memcpy(out, self.beginning.data() + self.given, now);
    self.given += now;
    return static_cast<ssize_t>(now);
  }

  static int close(void* cookie) {
    delete static_cast<Rewound*>(cookie);
    return 0;
  }
};

Result<InputFile> InputFile::open(const std::string& path) {
  File file(path == "-" ? stdin : std::fopen(path.c_str(), "rb"));
  if (file == nullptr) return cannot_read(path, errno);
  InputFile input(std::move(file), path);
  input.beginning_.resize(bytes_to_tell_capture);
  const std::size_t got =
      std::fread(input.beginning_.data(), 1, bytes_to_tell_capture, input.file_.get());
  if (got == 0 && std::ferror(input.file_.get()) != 0) return cannot_read(path, errno);
  input.beginning_.resize(got);
  return input;
}

Result<Bytes> InputFile::read_all(std::size_t most) {
  Bytes all = beginning_;
  Bytes part(block);
  while (const std::size_t got = std::fread(part.data(), 1, part.size(), file_.get())) {
    if (all.size() + got > most) {
      return Error{fmt::format("{} is too long; allowed: {} bytes, more in a capture only",
                               path_ == "-" ? "standard input" : path_, most)};
    }
    all.insert(all.end(), part.begin(), part.begin() + static_cast<std::ptrdiff_t>(got));
  }
  if (std::ferror(file_.get()) != 0) return cannot_read(path_, errno);
  return all;
}

std::FILE* InputFile::release() {
  auto rewound = std::make_unique<Rewound>(Rewound{std::move(file_), std::move(beginning_)});
  constexpr cookie_io_functions_t functions = {&Rewound::read, nullptr, nullptr, &Rewound::close};
  std::FILE* const file = fopencookie(rewound.get(), "rb", functions);
  if (file == nullptr) throw std::bad_alloc();
  [[maybe_unused]] const Rewound* const of_the_stream = rewound.release();
  return file;
}

}  // namespace hallmark::captures
