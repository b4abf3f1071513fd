#pragma once

#include "captures/format.hpp"
#include "captures/inbox.hpp"

namespace hallmark::captures {

/// The next thing from one side: bytes, or the knowledge that some are not in the capture.
struct Chunk {
  Side from;
  ByteView bytes;
  std::uint64_t missing = 0;  ///< bytes that were sent and not captured; then `bytes` is empty
  Stamp stamp = {};
};

/// Reads one side's bytes message by message. Once it has lost its way it passes over what comes,
/// until it is told that a message begins.
class Reader {
 public:
  /// The longest hole within a message that is bridged.
  static constexpr std::uint64_t longest_hole = std::uint64_t{1} << 20;
  /// The most bytes that a finding shows of those that it is about.
  static constexpr std::size_t most_shown = 4096;

  explicit Reader(Side side) : side_(side) {}

  /// False when bytes are missing that cannot be bridged: where messages begin is then unknown.
  bool take_in(const Chunk& chunk);

  const Inbox& inbox() const { return inbox_; }
  bool lost() const { return lost_; }

  bool reading() const { return decoder_.has_value(); }
  /// The next byte begins a message of that layout.
  void begin(const protocol::Layout& layout) { decoder_ = Format::decoder(layout); }
  /// Precondition: reading.
  protocol::Decoder::State resume() { return decoder_->resume(inbox_.bytes()); }
  const protocol::Decoder& decoder() const { return *decoder_; }

  /// Returns true if missing bytes lie in a field that decides which fields follow.
  bool hides_structure() const;
  /// Ends a complete message and appends the remarks about it. Precondition: complete.
  Message take(std::vector<Finding>& remarks, std::uint64_t number);

  /// About the bytes that are there.
  Finding finding(FindingKind kind, std::string reason) const;

  /// Drops what is there; from here on everything is passed over.
  void lose();
  /// Passes over the first bytes without losing the way. Precondition: not reading.
  void pass(std::size_t length);
  /// Like `pass`, for bytes that were reported already.
  void drop(std::size_t length) { inbox_.take(length); }
  /// The next byte begins a message.
  void find();
  /// Returns the bytes that were passed over since the last call, as a finding; nothing if there
  /// are none.
  std::optional<Finding> passed();

 private:
  void skip(ByteView bytes, std::uint64_t offset, std::optional<Time> at);
  void remark_holes(std::vector<Finding>& remarks) const;
  void remark_unlisted(std::vector<Finding>& remarks) const;

  Side side_;
  Inbox inbox_;
  std::optional<protocol::Decoder> decoder_;
  bool lost_ = false;
  std::optional<Finding> passed_;
};

}  // namespace hallmark::captures
