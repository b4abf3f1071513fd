#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "base/tests/temporary_directory.hpp"
#include "e2e/program.hpp"

namespace hallmark::e2e {

using Arguments = std::vector<std::string>;

/// Runs the program as a user does, in a directory of its own.
class EndToEnd : public testing::Test {
 protected:
  /// `hallmark` with these arguments, to its end.
  Outcome hallmark(const Arguments& arguments) const;
  /// The command line of `hallmark` with these arguments.
  static Arguments command(const Arguments& arguments);

  std::string path(const std::string& name) const { return (directory_ / name).string(); }
  bool exists(const std::string& name) const { return std::filesystem::exists(directory_ / name); }
  std::string read(const std::string& name) const;
  void write(const std::string& name, const std::string& text) const;

  /// Validates a file against a schema of reports/schema. Returns the validator's complaints; empty
  /// if the file is valid.
  std::string violations(const std::string& schema, const std::string& name) const;

  base::test::TemporaryDirectory temporary_;
  const std::filesystem::path& directory_ = temporary_.path();
};

/// `hallmark serve` on ports that the system chose.
class Server {
 public:
  /// Waits until all of `listeners` are announced. `width`: empty for a dialect of text. `options`:
  /// what else `hallmark serve` is given; without a --dialect it serves throttr-7.1.
  Server(const std::string& width, const std::string& directory,
         const Arguments& listeners = {"tcp://127.0.0.1:0"}, const Arguments& options = {});

  const std::string& target() const { return targets_.front(); }
  const Arguments& targets() const { return targets_; }
  void send_signal(int signal) { program_.send_signal(signal); }
  Outcome stop(int signal);

 private:
  Program program_;
  Arguments targets_;
};

/// A TCP port of this process on loopback.
class Port {
 public:
  Port();
  ~Port();
  Port(const Port&) = delete;
  Port& operator=(const Port&) = delete;
  std::string target() const;

 protected:
  int socket_ = -1;

 private:
  unsigned port_ = 0;
};

/// Nobody listens: connecting is refused, and nobody else can take the port.
class Nobody : public Port {};

/// Connections are made, and nothing ever answers.
class Silence : public Port {
 public:
  Silence();
  /// False when patience is over.
  bool wait_for_connection() const;
};

/// Exit codes of a load run that was carried out. A busy machine makes it inconclusive, which is an
/// honest answer and not a failure.
inline const auto answered = testing::AnyOf(0, 4);

/// A text of exactly one line that holds each of `parts`.
testing::Matcher<std::string> one_line_with(const Arguments& parts);

}  // namespace hallmark::e2e
