#pragma once

#include "protocol/codec/fast.hpp"
#include "protocol/little_endian.hpp"

namespace hallmark::protocol::fast {
namespace detail {

/// Sizes and writes the fields of one list from named values.
template <class List, class Source>
class ListEncoder {
 public:
  ListEncoder(const Readings& readings, std::uint8_t opcode, const Source& source)
      : readings_(readings), opcode_(opcode), source_(source) {}

  std::size_t size() const { return size_from(std::make_index_sequence<List::size>{}); }

  std::uint8_t* write(std::uint8_t* out) const {
    write_from(out, std::make_index_sequence<List::size>{});
    return out;
  }

 private:
  template <std::size_t... I>
  std::size_t size_from(std::index_sequence<I...>) const {
    return (std::size_t{0} + ... + (present<List, I>(readings_) ? size_of<I>() : 0));
  }

  template <std::size_t... I>
  void write_from(std::uint8_t*& out, std::index_sequence<I...>) const {
    ((present<List, I>(readings_) ? write_one<I>(out) : void()), ...);
  }

  template <std::size_t I>
  static consteval auto name_of_measured() {
    constexpr std::string_view name = List::fields[I].measured();
    char text[name.size() + 1]{};
    for (std::size_t i = 0; i < name.size(); ++i) text[i] = name[i];
    return FieldText<name.size() + 1>(text);
  }

  template <std::size_t I>
  const auto& value() const {
    return source_.template get<name_of_field<List, I>()>();
  }

  template <std::size_t I>
  std::size_t size_of() const {
    constexpr const Field& field = List::fields[I];
    if constexpr (field.is<kinds::Bytes>()) {
      return value<I>().size();
    } else if constexpr (field.is<kinds::Group>()) {
      return group_size<I>();
    } else {
      return List::bytes_of(I);
    }
  }

  template <std::size_t I, class Record>
  using HeadEncoder = ListEncoder<HeadList<List, I>, Record>;
  template <std::size_t I, class Record>
  using TailEncoder = ListEncoder<TailList<List, I>, Record>;

  template <std::size_t I>
  std::size_t group_size() const {
    std::size_t size = 0;
    for (const auto& record : value<I>()) {
      using Record = std::remove_cvref_t<decltype(record)>;
      size += HeadEncoder<I, Record>(readings_, 0, record).size() +
              TailEncoder<I, Record>(readings_, 0, record).size();
    }
    return size;
  }

  template <std::size_t I>
  void write_group(std::uint8_t*& out) const {
    for (const auto& record : value<I>()) {
      out = HeadEncoder<I, std::remove_cvref_t<decltype(record)>>(readings_, 0, record).write(out);
    }
    if constexpr (TailList<List, I>::size != 0) {
      for (const auto& record : value<I>()) {
        out =
            TailEncoder<I, std::remove_cvref_t<decltype(record)>>(readings_, 0, record).write(out);
      }
    }
  }

  template <std::size_t I>
  std::uint64_t number() const {
    constexpr const Field& field = List::fields[I];
    if constexpr (field.is<kinds::Opcode>()) {
      return opcode_;
    } else if constexpr (field.is<kinds::Size>()) {
      return source_.template get<name_of_measured<I>()>().size();
    } else if constexpr (field.is<kinds::Count>()) {
      const auto& records = source_.template get<name_of_measured<I>()>();
      return static_cast<std::uint64_t>(std::ranges::distance(records.begin(), records.end()));
    } else {
      return static_cast<std::uint64_t>(value<I>());
    }
  }

  template <std::size_t I>
  void write_one(std::uint8_t*& out) const {
    constexpr const Field& field = List::fields[I];
    if constexpr (field.is<kinds::Group>()) {
      write_group<I>(out);
    } else if constexpr (field.is<kinds::Bytes, kinds::Opaque, kinds::Text>()) {
      const auto& bytes = value<I>();
      if (bytes.size() != 0) std::memcpy(out, bytes.data(), bytes.size());
      constexpr std::size_t width = List::bytes_of(I);
      if constexpr (field.is<kinds::Text>())
        std::memset(out + bytes.size(), 0, width - bytes.size());
      out += field.is<kinds::Bytes>() ? bytes.size() : width;
    } else {
      constexpr std::size_t width = List::bytes_of(I);
      const std::uint64_t n = number<I>();
      assert(n <= max_of_width(width));
      store<width>(out, n);
      out += width;
    }
  }

  const Readings& readings_;
  std::uint8_t opcode_;
  const Source& source_;
};

}  // namespace detail

/// Appends a message to `out` and returns its size. `source` is a `values(…)` or a decoded view.
/// Precondition: every value fits its field (a key has at most 255 bytes, text at most its width).
template <class M, class Source>
inline std::size_t encode(ByteBuffer& out, const Readings& readings, const Source& source) {
  const detail::ListEncoder<typename M::Head, Source> head(readings, M::opcode, source);
  std::size_t size = head.size();
  if constexpr (M::Tail::size == 0) {
    head.write(out.grow(size));
  } else {
    const detail::ListEncoder<typename M::Tail, Source> tail(readings, M::opcode, source);
    size += tail.size();
    tail.write(head.write(out.grow(size)));
  }
  return size;
}

/// Appends a reply that ends with the status, of which `source` says that it is a failure.
template <class M, class Source>
inline std::size_t encode_failure(ByteBuffer& out, const Readings& readings, const Source& source) {
  const detail::ListEncoder<typename M::Head, Source> head(readings, M::opcode, source);
  const std::size_t size = head.size();
  head.write(out.grow(size));
  return size;
}

}  // namespace hallmark::protocol::fast
