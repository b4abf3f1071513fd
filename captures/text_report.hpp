#pragma once

#include <map>

#include "captures/report.hpp"
#include "reports/terminal.hpp"

namespace hallmark::captures {

struct TextOptions {
  reports::TerminalStyle style;
  /// Records of a list, and remarks of one kind about one connection, that are printed; the rest is
  /// counted.
  std::size_t most_records = 8;
  std::size_t most_remarks = 8;
};

/// A transcript for people: one block for each message, its fields by offset.
class TextReport {
 public:
  TextReport(const Format& format, TextOptions options, Write write)
      : format_(format), options_(options), write_(std::move(write)) {}

  void begin(const Source& source);
  void add(const Event& event);
  /// `capture` may be null.
  void end(const Tally& tally, const CaptureSummary* capture);

 private:
  void write(std::uint32_t connection, const Opened& opened);
  void write(std::uint32_t connection, const Closed& closed);
  void write(std::uint32_t connection, const Request& request);
  void write(std::uint32_t connection, const Reply& reply);
  void write(std::uint32_t connection, const Push& push);
  void write(std::uint32_t connection, const Finding& finding);

  void title(std::uint32_t connection, std::uint64_t number, std::string_view name,
             std::string_view kind, const Message& message, const std::string& more);
  void fields(const protocol::Layout& layout, ByteView bytes);
  void line(const std::string& text) { write_(text + "\n"); }
  /// Counts a remark of that kind. Returns true if it is still to be printed.
  bool admits(std::uint32_t connection, FindingKind kind);

  const Format& format_;
  TextOptions options_;
  Write write_;
  std::map<std::pair<std::uint32_t, FindingKind>, std::uint64_t> remarks_;
};

}  // namespace hallmark::captures
