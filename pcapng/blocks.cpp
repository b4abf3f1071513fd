#include "pcapng/blocks.hpp"

#include <cstdint>

namespace hallmark::pcapng {
namespace {

constexpr std::uint32_t section_header = 0x0a0d0d0a;
constexpr std::uint32_t interface_description = 1;
constexpr std::uint32_t enhanced_packet = 6;
constexpr std::uint32_t byte_order_magic = 0x1a2b3c4d;
constexpr std::uint16_t link_type_ethernet = 1;
constexpr std::uint32_t no_snap_length = 0;

constexpr std::uint16_t option_end = 0;
constexpr std::uint16_t option_comment = 1;
constexpr std::uint16_t option_interface_name = 2;
constexpr std::uint16_t option_application = 4;
constexpr std::uint16_t option_time_resolution = 9;

template <class Number>
void append_number(std::string& to, Number number) {
  to.append(reinterpret_cast<const char*>(&number), sizeof number);
}

void pad(std::string& to, std::size_t length) { to.append((4 - length % 4) % 4, '\0'); }

void append_option(std::string& to, std::uint16_t code, std::string_view value) {
  append_number(to, code);
  append_number(to, static_cast<std::uint16_t>(value.size()));
  to.append(value);
  pad(to, value.size());
}

void end_options(std::string& to) { append_option(to, option_end, {}); }

/// The text without the rest of a character that was cut.
std::string_view cut_comment(std::string_view text) {
  if (text.size() <= longest_comment) return text;
  std::size_t length = longest_comment;
  while (length > 0 && (static_cast<unsigned char>(text[length]) & 0xc0) == 0x80) --length;
  return text.substr(0, length);
}

/// A block: its length stands in front of its body and behind it.
class Block {
 public:
  Block(std::string& to, std::uint32_t type) : to_(to), begin_(to.size()) {
    append_number(to_, type);
    append_number(to_, std::uint32_t{0});
  }
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;

  ~Block() {
    const auto length = static_cast<std::uint32_t>(to_.size() - begin_ + sizeof(std::uint32_t));
    to_.replace(begin_ + sizeof length, sizeof length, reinterpret_cast<const char*>(&length),
                sizeof length);
    append_number(to_, length);
  }

 private:
  std::string& to_;
  std::size_t begin_;
};

}  // namespace

void append_head(std::string& to, std::string_view application, std::string_view interface) {
  {
    const Block block(to, section_header);
    append_number(to, byte_order_magic);
    append_number(to, std::uint16_t{1});
    append_number(to, std::uint16_t{0});
    append_number(to, std::int64_t{-1});  // the length of the section is not said
    append_option(to, option_application, application);
    end_options(to);
  }
  const Block block(to, interface_description);
  append_number(to, link_type_ethernet);
  append_number(to, std::uint16_t{0});
  append_number(to, no_snap_length);
  append_option(to, option_interface_name, interface);
  append_option(to, option_time_resolution, "\x09");  // 10^-9 s
  end_options(to);
}

void append_packet(std::string& to, Time at, base::ByteView frame, std::string_view comment) {
  const Block block(to, enhanced_packet);
  const auto time = static_cast<std::uint64_t>(at.count());
  const auto length = static_cast<std::uint32_t>(frame.size());
  append_number(to, std::uint32_t{0});
  append_number(to, static_cast<std::uint32_t>(time >> 32));
  append_number(to, static_cast<std::uint32_t>(time));
  append_number(to, length);
  append_number(to, length);
  to.append(base::as_text(frame));
  pad(to, frame.size());
  if (comment.empty()) return;
  append_option(to, option_comment, cut_comment(comment));
  end_options(to);
}

}  // namespace hallmark::pcapng
