#pragma once

#include "captures/report.hpp"

namespace hallmark::captures {

/// A transcript as one JSON document (captures/schema/transcript.schema.json), an event a line.
/// All records of all lists are in it, and all bytes.
class JsonReport {
 public:
  JsonReport(const Format& format, Write write) : format_(format), write_(std::move(write)) {}

  void begin(const Source& source);
  void add(const Event& event);
  /// `capture` may be null. `exit_code` is that of the program.
  void end(const Tally& tally, const CaptureSummary* capture, int exit_code);

 private:
  const Format& format_;
  Write write_;
  bool first_ = true;
};

}  // namespace hallmark::captures
