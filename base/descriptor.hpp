#pragma once
#include <cstddef>
#include <span>
#include <string_view>
#include <utility>

#include "base/error.hpp"

namespace hallmark::base {

/// Owns a file descriptor and closes it in the end.
class Descriptor {
 public:
  Descriptor() = default;
  /// A negative number is that of no descriptor.
  explicit Descriptor(int number) noexcept : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(other.release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept;
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { reset(); }

  int get() const noexcept { return number_; }
  bool open() const noexcept { return number_ >= 0; }
  /// Closes it now.
  void reset() noexcept;
  /// The caller closes it.
  int release() noexcept { return std::exchange(number_, -1); }

 private:
  int number_ = -1;
};

struct Pipe {
  Descriptor read;
  Descriptor write;
};

/// A pipe of which child processes inherit nothing. Error: the process has no descriptor left.
Result<Pipe> make_pipe();

/// Calls read(2), and again if a signal interrupted it. Returns the number of bytes, 0 at the end,
/// or -1 with errno set.
std::ptrdiff_t read_some(const Descriptor& file, std::span<char> into);

/// Writes all of it, also to a descriptor that does not block: then it waits until there is room.
/// Returns 0 or the number of the error (errno); a pipe that nobody reads is EPIPE, not a signal.
/// EINTR: SIGINT or SIGTERM came before the reader of a pipe or a device had taken all of it.
int write_all(const Descriptor& file, std::string_view content);

/// The system's words for an error number, such as "No such file or directory".
std::string errno_text(int number);

}  // namespace hallmark::base
