#pragma once

#include <cstdio>
#include <memory>
#include <string>

#include "base/error.hpp"
#include "captures/event.hpp"

namespace hallmark::captures {

/// A file or pipe whose first bytes can be looked at before it is decided who reads it.
class InputFile {
 public:
  /// "-" is standard input. Error: which file, and why it cannot be read.
  static base::Result<InputFile> open(const std::string& path);

  /// The first bytes, as many as tell a capture; fewer where there are no more.
  ByteView beginning() const { return beginning_; }

  /// All bytes, those of `beginning` included. Error: more than `most` bytes, or reading failed.
  base::Result<Bytes> read_all(std::size_t most);

  /// The file from its first byte on, as if nobody had read from it; the caller closes it.
  std::FILE* release();

 private:
  struct Close {
    void operator()(std::FILE* file) const {
      if (file != stdin) std::fclose(file);
    }
  };
  using File = std::unique_ptr<std::FILE, Close>;
  struct Rewound;

  InputFile(File file, std::string path) : file_(std::move(file)), path_(std::move(path)) {}

  File file_;
  std::string path_;
  Bytes beginning_;
};

}  // namespace hallmark::captures
