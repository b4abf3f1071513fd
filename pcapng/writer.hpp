#pragma once

#include <string>

#include "base/output_file.hpp"
#include "pcapng/blocks.hpp"

namespace hallmark::pcapng {

/// A pcapng file that is written while a run lasts, in little memory, and appears at the end: whole
/// or not at all.
class Writer {
 public:
  /// `application` wrote it, for example "hallmark 1.0". Error: one line, nothing can be written
  /// there.
  static base::Result<Writer> create(const std::string& path, std::string_view application);

  /// After a write has failed, nothing is written any more; `commit` says why.
  void add(Time at, base::ByteView frame, std::string_view comment = {});

  std::uint64_t packets() const { return packets_; }

  /// Is called once, and last. Error: one line, also if an earlier write failed.
  base::Result<void> commit();

 private:
  explicit Writer(base::OutputFile file) : file_(std::move(file)) {}
  void flush();

  base::OutputFile file_;
  std::string buffer_;
  std::string error_;
  std::uint64_t packets_ = 0;
};

}  // namespace hallmark::pcapng
