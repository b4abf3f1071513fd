#include "conformance/identify/polyglot.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "protocol/codec/decode.hpp"
#include "protocol/codec/encode.hpp"

namespace hallmark::conformance {
namespace {

using base::append;
using base::Bytes;
using base::ByteView;
using protocol::Field;
using protocol::Layout;
using protocol::Record;
namespace kinds = protocol::kinds;

/// Bytes of which some are still free.
class Canvas {
 public:
  void put(std::size_t at, std::uint64_t value) {
    if (at >= cells_.size()) cells_.resize(at + 1);
    const auto byte = static_cast<std::uint8_t>(value);
    if (cells_[at].value_or(byte) != byte)
      throw std::logic_error("two layouts need one byte of a polyglot");
    cells_[at] = byte;
  }

  void put_all(std::size_t at, ByteView bytes) {
    for (const std::uint8_t byte : bytes) put(at++, byte);
  }

  Bytes bytes() const {
    Bytes all;
    for (const auto& cell : cells_) all.push_back(cell.value_or(0));
    return all;
  }

 private:
  std::vector<std::optional<std::uint8_t>> cells_;
};

std::size_t head_of(const Layout& layout) { return layout.fixed_size(layout.message().fields); }

/// Sizes of the names of a layout, which together fill `length` bytes.
std::vector<std::size_t> shares(const Layout& layout, std::size_t length) {
  std::vector<std::size_t> sizes;
  for (const Field& field : layout.message().fields) {
    if (field.is<kinds::Bytes>() && layout.present(field)) sizes.push_back(0);
  }
  for (std::size_t i = sizes.size(); i > 0; --i) {
    sizes[i - 1] = length / i;
    length -= sizes[i - 1];
  }
  return sizes;
}

/// Puts what the layout cannot do without: opcode, codes and sizes.
void put_needs(Canvas& canvas, const Layout& layout, std::size_t names_length,
               const ChoiceGiver& choice_of) {
  const auto sizes = shares(layout, names_length);
  std::size_t at = 0;
  std::size_t name = 0;
  for (const Field& field : layout.message().fields) {
    if (!layout.present(field)) continue;
    if (field.is<kinds::Opcode>()) canvas.put(at, layout.opcode());
    if (field.is<kinds::ChoiceOf>()) canvas.put(at, choice_of(layout, field));
    if (field.is<kinds::Size>()) canvas.put(at, sizes.at(name++));
    at += layout.width_of(field);
  }
}

/// The names of the message that `bytes` begin with.
std::vector<Bytes> names_in(const Layout& layout, ByteView bytes) {
  protocol::Decoder decoder(layout);
  if (decoder.resume(bytes) != protocol::Decoder::State::complete)
    throw std::logic_error("a polyglot is no whole message");
  std::vector<Bytes> names;
  for (const protocol::FieldValue& value : decoder.fields()) {
    if (!value.field->is<kinds::Bytes, kinds::Opaque>()) continue;
    const ByteView name = bytes.subspan(value.offset, value.length);
    names.emplace_back(name.begin(), name.end());
  }
  return names;
}

/// A QUERY of `size` bytes in all, of a name that ends with as much of `nonce` as fits.
Bytes query_of_size(const Layout& query, std::size_t size, ByteView nonce) {
  const std::size_t overhead = head_of(query);
  if (size <= overhead) throw std::logic_error("no QUERY is that short");
  Bytes name(size - overhead, '?');
  const std::size_t kept = std::min(name.size(), nonce.size());
  std::copy_n(nonce.end() - static_cast<std::ptrdiff_t>(kept), kept,
              name.end() - static_cast<std::ptrdiff_t>(kept));
  return *protocol::encode(query, {{"key", std::move(name)}});
}

}  // namespace

Polyglot polyglot(std::span<const Layout> layouts, std::span<const Bytes> tail, ByteView nonce,
                  const ChoiceGiver& choice_of) {
  std::size_t body = 0;
  for (const Layout& layout : layouts) body = std::max(body, head_of(layout));
  Canvas canvas;
  canvas.put_all(body, nonce);
  Polyglot made;
  std::size_t end = body + nonce.size();
  for (std::size_t i = 0; i < layouts.size(); ++i) {
    put_needs(canvas, layouts[i], end - head_of(layouts[i]), choice_of);
    made.readings.push_back({{}, tail.size() - std::min(i, tail.size())});
    if (i < tail.size()) {
      canvas.put_all(end, tail[i]);
      end += tail[i].size();
    }
  }
  made.bytes = canvas.bytes();
  for (std::size_t i = 0; i < layouts.size(); ++i)
    made.readings[i].names = names_in(layouts[i], made.bytes);
  return made;
}

Polyglot polyglot_set(const Layout& wide, const Layout& narrow, const Layout& query,
                      const Record& values, ByteView nonce) {
  // The low byte of the wide size is the narrow size; a 1 in the next byte makes the difference.
  constexpr std::size_t low = 16;
  const std::size_t left_over = 256 + head_of(wide) - head_of(narrow);
  Bytes value(low + 256 - left_over, '=');
  append(value, query_of_size(query, left_over / 2, nonce));
  append(value, query_of_size(query, left_over - left_over / 2, nonce));
  Record record = values;
  record.set("value", std::move(value));
  Polyglot made;
  made.bytes = *protocol::encode(wide, record);
  made.readings = {{names_in(wide, made.bytes), 0}, {names_in(narrow, made.bytes), 2}};
  return made;
}

Polyglot polyglot_by_field(const Layout& wide, const Layout& narrow, const Layout& query,
                           const Record& short_values, ByteView nonce) {
  Polyglot made;
  made.bytes = *protocol::encode(narrow, short_values);
  append(made.bytes, query_of_size(query, head_of(wide) - head_of(narrow), nonce));
  made.readings = {{names_in(wide, made.bytes), 0}, {names_in(narrow, made.bytes), 1}};
  return made;
}

}  // namespace hallmark::conformance
