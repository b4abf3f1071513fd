#pragma once

#include <string>

#include "protocol/codec/fast.hpp"
#include "protocol/text/text.hpp"

/// Encoding and decoding of messages of text, specialised at compile time as in
/// protocol/codec/fast.hpp. A message is all of the bytes given.
///
///   using Reply = fast_text::Reply<ratelimit_udp, fast::operation_index(ratelimit_udp, "ping")>;
///   fast_text::encode<Reply>(out, readings, values("request_id"_f = std::string_view("17")));
///   Reply::View view;
///   if (fast_text::decode<Reply>(bytes, readings, view)) use(view.text<"request_id">());
namespace hallmark::protocol::fast_text {

template <class M>
class View;

namespace detail {

enum class Part : std::uint8_t { request, reply, format };

template <const Dialect& D, std::size_t I, Part part>
struct Source {
  static constexpr std::span<const Field> fields() {
    if constexpr (part == Part::request) return D.operations[I].request.fields;
    if constexpr (part == Part::reply) return D.operations[I].reply.fields;
    if constexpr (part == Part::format) return D.formats[I].message.fields;
  }
};

template <const Dialect& D, std::size_t I, Part part>
struct Message {
  static_assert(D.transport != Transport::stream, "the dialect is not one of text");
  using List = fast::FieldList<D, Width::none, Source<D, I, part>>;
  using View = fast_text::View<Message>;
};

}  // namespace detail

template <const Dialect& D, std::size_t I>
using Request = detail::Message<D, I, detail::Part::request>;
template <const Dialect& D, std::size_t I>
using Reply = detail::Message<D, I, detail::Part::reply>;
/// A format without groups.
template <const Dialect& D, std::size_t I>
using State = detail::Message<D, I, detail::Part::format>;

/// Position of the format of that name.
consteval std::size_t format_index(const Dialect& dialect, MessageName name) {
  for (std::size_t i = 0; i < dialect.formats.size(); ++i) {
    if (dialect.formats[i].name == name) return i;
  }
  return fast::detail::none;
}

/// A decoded message; refers to the bytes it was decoded from.
template <class M>
class View {
 public:
  using List = typename M::List;

  /// The text of a tag, word, line or state; empty for a tag that is absent.
  template <FieldText name>
  std::string_view text() const {
    return texts_[position<name>()];
  }
  /// The value of a real.
  template <FieldText name>
  double real() const {
    return std::bit_cast<double>(numbers_[position<name>()]);
  }
  /// The value of a signed decimal.
  template <FieldText name>
  std::int64_t signed_number() const {
    return static_cast<std::int64_t>(numbers_[position<name>()]);
  }
  /// The value of a decimal or choice.
  template <FieldText name>
  std::uint64_t number() const {
    return numbers_[position<name>()];
  }
  /// Returns true if the tag was sent.
  template <FieldText name>
  bool has() const {
    return !text<name>().empty();
  }

  /// Sets a field; only for `decode`.
  void set(std::size_t field, std::string_view text, std::uint64_t number) {
    texts_[field] = text;
    numbers_[field] = number;
  }

 private:
  template <FieldText name>
  static consteval std::size_t position() {
    constexpr std::size_t found = fast::detail::index_of<List>(name.view());
    static_assert(found != fast::detail::none, "the message has no field of that name");
    return found;
  }

  std::array<std::string_view, List::size> texts_;
  std::array<std::uint64_t, List::size> numbers_;
};

namespace detail {

template <class M>
class Reader {
 public:
  using List = typename M::List;

  Reader(std::string_view rest, const Readings& readings, View<M>& view)
      : rest_(rest), readings_(readings), view_(view) {}

  bool read() { return read(std::make_index_sequence<List::size>{}) && rest_.empty(); }

 private:
  template <std::size_t... I>
  bool read(std::index_sequence<I...>) {
    return ((!fast::detail::present<List, I>(readings_) || one<I>()) && ...);
  }

  template <std::size_t I>
  bool one() {
    constexpr const Field& field = List::fields[I];
    if constexpr (field.is<kinds::Literal>()) {
      if (!rest_.starts_with(field.get<kinds::Literal>().spelling)) return false;
      rest_.remove_prefix(field.get<kinds::Literal>().spelling.size());
      return true;
    } else if constexpr (field.is<kinds::Tag>()) {
      const std::string_view digits = text::tag_at_front(rest_);
      view_.set(I, digits, digits.size());
      rest_.remove_prefix(digits.empty() ? 0 : digits.size() + 1);
      return true;
    } else if constexpr (field.is<kinds::Decimal>()) {
      const auto decimal = text::decimal_at_front(rest_, field.get<kinds::Decimal>().decimals);
      return decimal && take<I>(decimal->length, decimal->number);
    } else if constexpr (field.is<kinds::Word>()) {
      const std::size_t length = text::word_at_front(rest_, field.get<kinds::Word>().until).size();
      return length != 0 && take<I>(length, length);
    } else if constexpr (field.is<kinds::SignedDecimal>()) {
      const auto number = text::signed_at_front(rest_);
      return number && take<I>(number->length, static_cast<std::uint64_t>(number->number));
    } else if constexpr (field.is<kinds::Real>()) {
      const auto real = text::real_at_front(rest_);
      return real && take<I>(real->length, std::bit_cast<std::uint64_t>(real->number));
    } else if constexpr (field.is<kinds::State>()) {
      const auto length = text::state_at_front(rest_, field.get<kinds::State>().until,
                                               field.get<kinds::State>().until_last);
      return length && *length != 0 && take<I>(*length, *length);
    } else if constexpr (field.is<kinds::Line>()) {
      return text::is_line(rest_) && take<I>(rest_.size(), rest_.size());
    } else {
      constexpr const auto& choice = field.get<kinds::ChoiceOf>();
      static_assert(choice.width == 1, "no kind of text");
      if (rest_.empty()) return false;
      const auto code = static_cast<std::uint8_t>(rest_[0]);
      return find_choice(choice.choices, code) != nullptr && take<I>(1, code);
    }
  }

  template <std::size_t I>
  bool take(std::size_t length, std::uint64_t number) {
    // Conditional twins share the slot of the first of them.
    view_.set(fast::detail::index_of<List>(List::fields[I].name), rest_.substr(0, length), number);
    rest_.remove_prefix(length);
    return true;
  }

  std::string_view rest_;
  const Readings& readings_;
  View<M>& view_;
};

template <class M, class Values>
class Writer {
 public:
  using List = typename M::List;

  Writer(const Readings& readings, const Values& values) : readings_(readings), values_(values) {}

  std::size_t most() const { return most(std::make_index_sequence<List::size>{}); }
  char* write(char* out) const {
    write(out, std::make_index_sequence<List::size>{});
    return out;
  }

 private:
  template <std::size_t... I>
  std::size_t most(std::index_sequence<I...>) const {
    return (std::size_t{0} + ... + most_of<I>());
  }

  template <std::size_t... I>
  void write(char*& out, std::index_sequence<I...>) const {
    ((fast::detail::present<List, I>(readings_) ? one<I>(out) : void()), ...);
  }

  template <std::size_t I>
  const auto& value() const {
    return values_.template get<fast::detail::name_of_field<List, I>()>();
  }

  template <std::size_t I>
  std::size_t most_of() const {
    constexpr const Field& field = List::fields[I];
    if constexpr (field.is<kinds::Literal>()) {
      return field.get<kinds::Literal>().spelling.size();
    } else if constexpr (field.is<kinds::Decimal>()) {
      return text::most_decimal_bytes;
    } else if constexpr (field.is<kinds::SignedDecimal>()) {
      return text::most_signed_bytes;
    } else if constexpr (field.is<kinds::Real>()) {
      return text::most_real_bytes;
    } else if constexpr (field.is<kinds::ChoiceOf>()) {
      return 1;
    } else {
      return value<I>().size() + 1;
    }
  }

  static void append(char*& out, std::string_view text) {
    if (!text.empty()) std::memcpy(out, text.data(), text.size());
    out += text.size();
  }

  template <std::size_t I>
  void one(char*& out) const {
    constexpr const Field& field = List::fields[I];
    if constexpr (field.is<kinds::Literal>()) {
      append(out, field.get<kinds::Literal>().spelling);
    } else if constexpr (field.is<kinds::Decimal>()) {
      out += text::write_decimal(out, static_cast<std::uint64_t>(value<I>()),
                                 field.get<kinds::Decimal>().decimals);
    } else if constexpr (field.is<kinds::SignedDecimal>()) {
      out += text::write_signed(out, value<I>());
    } else if constexpr (field.is<kinds::Real>()) {
      out += text::write_real(out, value<I>());
    } else if constexpr (field.is<kinds::ChoiceOf>()) {
      *out++ = static_cast<char>(value<I>());
    } else {
      append(out, value<I>());
      if constexpr (field.is<kinds::Tag>()) {
        if (!value<I>().empty()) *out++ = ' ';
      }
    }
  }

  const Readings& readings_;
  const Values& values_;
};

}  // namespace detail

/// Returns true if the bytes are that message, and fills `view` only then.
template <class M>
bool decode(base::ByteView message, const Readings& readings, View<M>& view) {
  return detail::Reader<M>(base::as_text(message), readings, view).read();
}

/// Appends a message to `out` and returns its size. `values` is a `values(…)` with a
/// std::string_view for each tag (empty: none), word, line and state, a number for each decimal, a
/// double for each real and a character for each choice. Precondition: each is right for its kind.
template <class M, class Values>
std::size_t encode(ByteBuffer& out, const Readings& readings, const Values& values) {
  const detail::Writer<M, Values> writer(readings, values);
  char* const begin = reinterpret_cast<char*>(out.prepare(writer.most()));
  const auto size = static_cast<std::size_t>(writer.write(begin) - begin);
  out.commit(size);
  return size;
}

/// Does the same as `encode`, into a string of its own.
template <class M, class Values>
std::string written(const Readings& readings, const Values& values) {
  const detail::Writer<M, Values> writer(readings, values);
  std::string out(writer.most(), '\0');
  out.resize(static_cast<std::size_t>(writer.write(out.data()) - out.data()));
  return out;
}

}  // namespace hallmark::protocol::fast_text
