#include "base/descriptor.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>

#include <array>
#include <cerrno>
#include <thread>

namespace hallmark::base {
namespace {

bool is_open(int number) { return ::fcntl(number, F_GETFD) >= 0; }

TEST(Descriptor, ClosesWhatItOwns) {
  int number = -1;
  {
    const Descriptor file(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    number = file.get();
    EXPECT_TRUE(file.open());
    EXPECT_TRUE(is_open(number));
  }
  EXPECT_FALSE(is_open(number));
}

TEST(Descriptor, IsMovedAndReleased) {
  Descriptor first(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  const int number = first.get();
  Descriptor second(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  const int replaced = second.get();
  second = std::move(first);
  EXPECT_FALSE(is_open(replaced));
  EXPECT_EQ(second.get(), number);
  const Descriptor third(second.release());
  EXPECT_FALSE(second.open());
  EXPECT_EQ(third.get(), number);
}

TEST(Pipe, PassesBytesAndIsNotInherited) {
  auto pipe = make_pipe();
  ASSERT_TRUE(pipe);
  EXPECT_EQ(::fcntl(pipe->read.get(), F_GETFD), FD_CLOEXEC);
  EXPECT_EQ(write_all(pipe->write, "abc"), 0);
  pipe->write.reset();
  std::array<char, 8> got{};
  EXPECT_EQ(read_some(pipe->read, got), 3);
  EXPECT_EQ(read_some(pipe->read, got), 0);
}

TEST(WriteAll, TellsOfAPipeThatNobodyReadsAndRaisesNoSignal) {
  auto pipe = make_pipe();
  pipe->read.reset();
  EXPECT_EQ(write_all(pipe->write, "abc"), EPIPE);
  sigset_t pending;
  ::sigpending(&pending);
  EXPECT_EQ(sigismember(&pending, SIGPIPE), 0);
}

TEST(WriteAll, WaitsForRoomAlsoIfTheDescriptorDoesNotBlock) {
  auto pipe = make_pipe();
  ::fcntl(pipe->write.get(), F_SETFL, O_NONBLOCK);
  const std::string much(std::size_t{1} << 20, 'x');
  std::size_t read = 0;
  std::thread reader([&] {
    std::array<char, 4096> some;
    for (auto got = read_some(pipe->read, some); got > 0; got = read_some(pipe->read, some))
      read += static_cast<std::size_t>(got);
  });
  EXPECT_EQ(write_all(pipe->write, much), 0);
  pipe->write.reset();
  reader.join();
  EXPECT_EQ(read, much.size());
}

}  // namespace
}  // namespace hallmark::base
