#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "loadgen/drivers/datagram/keys.hpp"
#include "loadgen/workload/workload.hpp"
#include "protocol/codec/byte_buffer.hpp"
#include "protocol/readings.hpp"

namespace hallmark::loadgen::datagram {

/// One part of the mix: an operation, encoded once for each pattern of keys.
struct Part {
  std::string name;
  std::uint8_t operation = 0;  ///< place among those of the dialect
  bool has_key = false;
  bool is_use = false;  ///< counts against a limit

  /// A request of which each copy differs in the digits of its id and of its key.
  struct Frame {
    base::Bytes bytes;
    std::size_t id_at = 0;
    std::size_t key_digits_at = 0;
    std::size_t key_digits = 0;
  };
  std::vector<Frame> frames;
};

/// The content of a reply to a use.
struct UseSaid {
  bool over = false;
  std::uint64_t rate = 0;   ///< tenths
  std::uint64_t limit = 0;  ///< tenths
  std::uint64_t period = 0;
};

/// The target's statistics of a key.
struct StatisticsSaid {
  std::uint64_t n_req = 0;
  std::uint64_t n_over = 0;
};

/// All that can be said about the requests of a run before it starts.
class Requests {
 public:
  /// Errors, one line: a mix that the dialect does not have, or keys that it cannot say.
  static base::Result<Requests> make(const protocol::Readings& readings, std::string_view mix,
                                     std::uint64_t seed, Keys keys);

  const std::vector<Part>& parts() const noexcept { return parts_; }
  std::vector<std::string> names() const;
  const Keys& keys() const noexcept { return keys_; }
  std::uint8_t part_of(std::uint64_t index) const noexcept {
    return static_cast<std::uint8_t>(chooser_.part_of(index));
  }

  /// Appends a request; returns its size.
  std::size_t append(protocol::ByteBuffer& out, std::uint8_t part, std::uint32_t key,
                     std::uint64_t id) const;

  /// The id that a reply starts with; nothing where there is none of ours.
  static std::optional<std::uint64_t> id_of(base::ByteView reply);

  /// Returns true if the bytes are a reply to that part about that key. Fills `said` for a use.
  bool is_reply(std::uint8_t part, std::uint32_t key, base::ByteView reply,
                std::optional<UseSaid>& said) const;

  /// A request about a key of any text, under an id, as a probe before the run or a question after.
  base::Bytes ping(std::uint64_t id) const;
  base::Bytes ask_statistics(std::string_view key, std::uint64_t id) const;
  std::optional<StatisticsSaid> statistics_in(base::ByteView reply) const;

 private:
  Requests(const protocol::Readings& readings, std::span<const MixPart> mix, std::uint64_t seed,
           Keys keys);
  base::Result<Part> make_part(const MixPart& named) const;
  base::Result<Part::Frame> make_frame(const protocol::Operation& operation,
                                       std::uint32_t key) const;

  protocol::Readings readings_;
  RequestChooser chooser_;
  Keys keys_;
  std::vector<Part> parts_;
};

/// Names for `--mix`, in lower case.
std::vector<std::string_view> mix_names(const protocol::Dialect& dialect);

}  // namespace hallmark::loadgen::datagram
