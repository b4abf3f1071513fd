#include "observe/quick_pairs.hpp"

#include <algorithm>

#include "protocol/little_endian.hpp"

namespace hallmark::observe {
namespace {

using protocol::Field;
using protocol::Layout;
namespace kinds = protocol::kinds;

constexpr std::size_t worth_moving = 16'384;

/// The shape of fields that start at offset 0; nothing where they have none.
std::optional<Shape> shape_of(const Layout& layout, std::span<const Field> fields) {
  Shape shape;
  bool in_bytes = false;
  for (const Field& field : fields) {
    if (!layout.present(field)) continue;
    if (field.is<kinds::Bytes>()) {
      in_bytes = true;
      continue;
    }
    const auto width = static_cast<std::uint32_t>(layout.width_of(field));
    if (in_bytes || width == 0 || field.is<kinds::Count>()) return std::nullopt;
    if (field.is<kinds::Size>()) shape.sizes.push_back({shape.fixed, width});
    if (const auto* const choice = field.as<kinds::ChoiceOf>()) {
      if (width != 1) return std::nullopt;
      shape.choices.push_back({shape.fixed, choice->choices});
    }
    shape.fixed += width;
  }
  return shape;
}

bool is_only_status(const Layout& layout) {
  const auto present = std::ranges::count_if(
      layout.message().fields, [&](const Field& field) { return layout.present(field); });
  return present == 1 && layout.status() != nullptr;
}

}  // namespace

std::optional<std::size_t> Shape::length_of(base::ByteView bytes) const {
  if (bytes.size() < fixed) return 0;
  for (const Choices& one : choices) {
    if (protocol::find_choice(one.listed, bytes[one.offset]) == nullptr) return std::nullopt;
  }
  std::uint64_t length = fixed;
  for (const Number& size : sizes) {
    const std::uint64_t more = protocol::load_little_endian(bytes.data() + size.offset, size.width);
    if (more > captures::Format::largest_message) return std::nullopt;
    length += more;
  }
  return length > bytes.size() ? 0 : static_cast<std::size_t>(length);
}

Shapes::Shapes(const captures::Format& format) {
  const protocol::Dialect& dialect = format.dialect();
  if (dialect.transport != protocol::Transport::stream) return;
  for (std::size_t i = 0; i < dialect.operations.size(); ++i) {
    const protocol::Operation& operation = dialect.operations[i];
    const Layout request = format.request(operation);
    const Layout reply = format.reply(operation);
    // Once a client has subscribed, pushes come between replies.
    if (!reply.sent() || !is_only_status(reply) || operation.name == "SUBSCRIBE") continue;
    auto asked = shape_of(request, request.message().fields);
    auto found = shape_of(reply, reply.message().on_success);
    const bool starts_with_code =
        request.first() != nullptr && request.first()->is<kinds::Opcode>();
    if (!asked || !found || !starts_with_code) continue;
    pairs_.push_back({i, std::move(*asked), std::move(*found)});
    by_opcode_[operation.opcode] = static_cast<std::uint8_t>(pairs_.size());
  }
}

void QuickPairs::Kept::drop(std::size_t length) {
  head += length;
  if (head == bytes.size()) {
    if (bytes.capacity() > worth_moving) bytes = {};
    bytes.clear();
    head = 0;
  } else if (head > worth_moving) {
    bytes.erase(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(head));
    head = 0;
  }
}

bool QuickPairs::read_requests() {
  while (true) {
    const auto rest = kept(Side::client).subspan(read_);
    if (rest.empty()) return true;
    const Shapes::Pair* const pair = shapes_.starting_with(rest.front());
    if (pair == nullptr) return false;
    const auto length = pair->request.length_of(rest);
    if (!length) return false;
    if (*length == 0) return kept(Side::client).size() <= most_kept;
    if (waiting_.size() == most_waiting) return false;
    waiting_.push_back({pair, static_cast<std::uint32_t>(*length)});
    read_ += *length;
  }
}

/// The same as Shape::length_of, but for a reply with its status.
std::optional<std::size_t> QuickPairs::reply_length(base::ByteView bytes) const {
  if (bytes.front() == kinds::Status::failure) return 1;
  if (bytes.front() != kinds::Status::success) return std::nullopt;
  const Shape& found = waiting_.front().pair->found;
  if (found.fixed == 0 && found.sizes.empty()) return 1;
  const auto length = found.length_of(bytes.subspan(1));
  if (!length || *length == 0) return length;
  return 1 + *length;
}

}  // namespace hallmark::observe
