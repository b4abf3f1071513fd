#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstring>
#include <iterator>
#include <limits>
#include <ranges>

#include "protocol/any_field.hpp"
#include "protocol/codec/byte_buffer.hpp"
#include "protocol/codec/named_values.hpp"
#include "protocol/little_endian.hpp"
#include "protocol/readings.hpp"

/// Encoding and decoding specialised at compile time for one message and one value width, from the
/// same tables that the generic walkers read. For servers and load generators; the generic walkers
/// are for everything that people look at. A differential test holds both equal.
///
///   using Reply = fast::Reply<throttr_7_1, fast::operation_index(throttr_7_1, "QUERY"),
///   Width::u16>; fast::encode<Reply>(out, readings, values("status"_f = 1u, "quota"_f = 7u, …));
///   Reply::View reply;
///   if (fast::decode<Reply>(bytes, readings, reply).complete()) use(reply.get<"quota">());
namespace hallmark::protocol::fast {

/// The outcome of an attempt to decode.
struct Outcome {
  enum class State : std::uint8_t { complete, need_more, malformed };
  State state = State::complete;
  /// Complete: size of the message. Need more: the message has at least so many bytes.
  /// Malformed: offset of the field that is wrong.
  std::uint64_t size = 0;
  /// Malformed: the field.
  const Field* field = nullptr;

  bool complete() const { return state == State::complete; }
};

/// Position of an operation in its dialect; does not compile for a name that is not there.
consteval std::size_t operation_index(const Dialect& dialect, MessageName name) {
  for (std::size_t i = 0; i < dialect.operations.size(); ++i) {
    if (dialect.operations[i].name == name) return i;
  }
  throw "the dialect has no operation of that name";
}

consteval std::size_t push_index(const Dialect& dialect, MessageName name) {
  for (std::size_t i = 0; i < dialect.pushes.size(); ++i) {
    if (dialect.pushes[i].name == name) return i;
  }
  throw "the dialect has no push of that name";
}

/// A list of fields as a type: everything below is a function of it.
template <const Dialect& D, Width W, class Source>
struct FieldList {
  static constexpr const Dialect& dialect = D;
  static constexpr Width width = W;
  static constexpr std::span<const Field> fields = Source::fields();
  static constexpr std::size_t size = fields.size();
  /// Bytes that the fields of fixed length in front of each take, and last those of all of
  /// them.
  static constexpr std::array<std::size_t, size + 1> offsets = [] {
    std::array<std::size_t, size + 1> sums{};
    for (std::size_t i = 0; i < size; ++i) sums[i + 1] = sums[i] + fields[i].width_in(width);
    return sums;
  }();

  /// Bytes of `n` fields from `i` on, without those that are as long as their content.
  static consteval std::size_t bytes_of(std::size_t i, std::size_t n = 1) {
    return offsets[i + n] - offsets[i];
  }
};

namespace detail {

inline constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

constexpr bool variable(const Field& field) { return field.is<kinds::Bytes, kinds::Group>(); }

template <class List>
constexpr bool conditional(std::size_t i) {
  return !List::fields[i].when.reading.empty();
}

/// Returns true if field I is present under these readings. Costs nothing for a field that always
/// is.
template <class List, std::size_t I>
constexpr bool present(const Readings& readings) {
  if constexpr (!conditional<List>(I)) {
    return true;
  } else {
    constexpr const When& when = List::fields[I].when;
    constexpr std::size_t reading = Readings::index_of(List::dialect, when.reading);
    constexpr std::size_t answer = Readings::index_of(List::dialect.readings[reading], when.answer);
    return readings.chosen(reading, answer);
  }
}

/// Returns true if field i is there in every message, and always as wide. Neighbours that are share
/// one check of the bytes that are there.
template <class List>
consteval bool certain(std::size_t i) {
  return !conditional<List>(i) && !variable(List::fields[i]);
}

/// Bytes of the run of certain fields that begins with field i; 0 if none begins there.
template <class List>
consteval std::size_t width_of_run(std::size_t i) {
  if (i > 0 && certain<List>(i - 1)) return 0;
  std::size_t n = 0;
  while (i + n < List::size && certain<List>(i + n)) ++n;
  return List::bytes_of(i, n);
}

/// The name of field I as a template argument, for named values.
template <class List, std::size_t I>
consteval auto name_of_field() {
  constexpr std::size_t length = List::fields[I].name.size() + 1;
  char text[length]{};
  for (std::size_t i = 0; i + 1 < length; ++i) text[i] = List::fields[I].name[i];
  return FieldText<length>(text);
}

/// Position of the size or count field that measures field `name`; conditional twins come first
/// to first, and whichever is present has been decoded into each of their slots' first.
template <class List>
consteval std::size_t measure_index(std::string_view name) {
  for (std::size_t i = 0; i < List::size; ++i) {
    if (List::fields[i].measured() == name) return i;
  }
  return none;
}

/// Position of the field of that name; of conditional twins, the first.
template <class List>
consteval std::size_t index_of(std::string_view name) {
  for (std::size_t i = 0; i < List::size; ++i) {
    if (List::fields[i].name == name) return i;
  }
  return none;
}

inline std::uint64_t saturating_add(std::uint64_t a, std::uint64_t b) {
  std::uint64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? std::numeric_limits<std::uint64_t>::max() : sum;
}

inline std::uint64_t saturating_multiply(std::uint64_t a, std::uint64_t b) {
  std::uint64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? std::numeric_limits<std::uint64_t>::max()
                                                : product;
}

template <std::size_t width>
inline std::uint64_t load(const std::uint8_t* in) {
  if constexpr (width == 1) {
    return *in;
  } else if constexpr (width == 2 || width == 4 || width == 8) {
    std::conditional_t<width == 2, std::uint16_t,
                       std::conditional_t<width == 4, std::uint32_t, std::uint64_t>>
        n;
    static_assert(std::endian::native == std::endian::little,
                  "the tables are little-endian, as the machine must be");
    std::memcpy(&n, in, width);
    return n;
  } else {
    return load_little_endian(in, width);
  }
}

template <std::size_t width>
inline void store(std::uint8_t* out, std::uint64_t value) {
  std::memcpy(out, &value, width);
}

/// Returns true if field I may be that number. If the codes have no gap, as in most lists, this
/// costs one comparison.
template <class List, std::size_t I>
constexpr bool listed(std::uint64_t number) {
  constexpr std::span<const Choice> choices =
      List::fields[I].template get<kinds::ChoiceOf>().choices;
  constexpr std::uint64_t least = std::ranges::min(choices, {}, &Choice::code).code;
  constexpr std::uint64_t most = std::ranges::max(choices, {}, &Choice::code).code;
  if constexpr (most - least + 1 == choices.size()) {
    return number - least <= most - least;
  } else {
    return std::ranges::find(choices, number, &Choice::code) != choices.end();
  }
}

template <class Parent, std::size_t I, bool tail>
struct GroupSource {
  static constexpr std::span<const Field> fields() {
    constexpr const kinds::Group& group = Parent::fields[I].template get<kinds::Group>();
    return tail ? group.tail : group.head;
  }
};

template <class Parent, std::size_t I>
using HeadList = FieldList<Parent::dialect, Parent::width, GroupSource<Parent, I, false>>;
template <class Parent, std::size_t I>
using TailList = FieldList<Parent::dialect, Parent::width, GroupSource<Parent, I, true>>;

}  // namespace detail

/// The records of a decoded group, read from the bytes as they are visited. Holds no copy: the
/// message must outlive it.
template <class Parent, std::size_t I>
class GroupView;

namespace detail {

/// The decoder keeps this of field I: a number, a view of the bytes, or a view of the records.
template <class List, std::size_t I>
using ValueOf = std::conditional_t<
    List::fields[I].template is<kinds::Group>(), GroupView<List, I>,
    std::conditional_t<List::fields[I].numeric(), std::uint64_t, base::ByteView>>;

template <class List, std::size_t I>
struct Slot {
  ValueOf<List, I> value{};
};

/// The decoded values of a list of fields, a slot a field. Each slot is a base; std::tuple derives
/// one from the other, each a template of all that are behind it.
template <class List, class Indices = std::make_index_sequence<List::size>>
struct Slots;
template <class List, std::size_t... I>
struct Slots<List, std::index_sequence<I...>> : Slot<List, I>... {
  /// The value of field N.
  template <std::size_t N>
  const auto& at() const {
    return static_cast<const Slot<List, N>&>(*this).value;
  }
};

/// Decodes the fields of one list from `at` on. `Outer` slots are those of the record's head,
/// where a tail looks up its sizes.
template <class List, class Outer = List>
class ListDecoder {
 public:
  ListDecoder(base::ByteView in, const Readings& readings, bool check_choices)
      : in_(in), readings_(readings), check_choices_(check_choices) {}

  /// False when more is needed or the bytes are malformed: then `outcome` says which.
  template <class SlotsOfOuter>
  bool run(std::uint8_t opcode, std::size_t& at, Slots<List>& slots, const SlotsOfOuter& outer,
           Outcome& outcome) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return (take<I>(opcode, at, slots, outer, outcome) && ...);
    }
    (std::make_index_sequence<List::size>{});
  }

 private:
  static bool need(std::uint64_t bytes, Outcome& outcome) {
    outcome = {Outcome::State::need_more, bytes, nullptr};
    return false;
  }

  static bool wrong(std::size_t offset, const Field& field, Outcome& outcome) {
    outcome = {Outcome::State::malformed, offset, &field};
    return false;
  }

  /// Field I, unless the readings leave it out.
  template <std::size_t I, class SlotsOfOuter>
  bool take(std::uint8_t opcode, std::size_t& at, Slots<List>& slots, const SlotsOfOuter& outer,
            Outcome& outcome) {
    constexpr const Field& field = List::fields[I];
    if (!present<List, I>(readings_)) return true;
    if constexpr (field.is<kinds::Bytes>()) {
      const std::uint64_t length = measure<I>(slots, outer);
      if (in_.size() - at < length) return need(saturating_add(at, length), outcome);
      static_cast<Slot<List, I>&>(slots).value = in_.subspan(at, length);
      at += length;
      return true;
    } else if constexpr (field.is<kinds::Group>()) {
      return static_cast<Slot<List, I>&>(slots).value.decode(in_, at, measure<I>(slots, outer),
                                                             readings_, check_choices_, outcome);
    } else {
      constexpr std::size_t width = certain<List>(I) ? width_of_run<List>(I) : List::bytes_of(I);
      if constexpr (width != 0) {
        if (in_.size() - at < width) return need(at + width, outcome);
      }
      return take_fixed<I>(opcode, at, slots, outcome);
    }
  }

  /// A field of fixed width whose bytes are known to be there. Conditional twins share the slot of
  /// the first of them.
  template <std::size_t I>
  bool take_fixed(std::uint8_t opcode, std::size_t& at, Slots<List>& slots, Outcome& outcome) {
    constexpr const Field& field = List::fields[I];
    constexpr std::size_t width = List::bytes_of(I);
    auto& value = static_cast<Slot<List, index_of<List>(field.name)>&>(slots).value;
    if constexpr (field.is<kinds::Opaque, kinds::Text>()) {
      value = in_.subspan(at, width);
    } else {
      value = load<width>(in_.data() + at);
      if constexpr (field.is<kinds::Opcode>()) {
        if (value != opcode) return wrong(at, field, outcome);
      } else if constexpr (field.is<kinds::Status>()) {
        if (value > kinds::Status::success) return wrong(at, field, outcome);
      } else if constexpr (field.is<kinds::ChoiceOf>()) {
        if (check_choices_ && !listed<List, I>(value)) return wrong(at, field, outcome);
      }
    }
    at += width;
    return true;
  }

  template <std::size_t I, class SlotsOfOuter>
  static std::uint64_t measure(const Slots<List>& slots, const SlotsOfOuter& outer) {
    constexpr std::size_t own = measure_index<List>(List::fields[I].name);
    if constexpr (own != none) {
      return static_cast<const Slot<List, own>&>(slots).value;
    } else {
      constexpr std::size_t outside = measure_index<Outer>(List::fields[I].name);
      static_assert(outside != none, "nothing measures this field");
      return static_cast<const Slot<Outer, outside>&>(outer).value;
    }
  }

  base::ByteView in_;
  const Readings& readings_;
  bool check_choices_;
};

}  // namespace detail

/// A decoded record: the slots of its head and of its tail.
template <class Head, class Tail>
class RecordView {
 public:
  /// A number as std::uint64_t, bytes as a ByteView, a group as a range of records.
  template <FieldText name>
  const auto& get() const {
    if constexpr (detail::index_of<Head>(name.view()) != detail::none) {
      return head.template at<detail::index_of<Head>(name.view())>();
    } else {
      static_assert(detail::index_of<Tail>(name.view()) != detail::none, "no field has that name");
      return tail.template at<detail::index_of<Tail>(name.view())>();
    }
  }

  detail::Slots<Head> head{};
  detail::Slots<Tail> tail{};
};

template <class Parent, std::size_t I>
class GroupView {
 public:
  using Head = detail::HeadList<Parent, I>;
  using Tail = detail::TailList<Parent, I>;
  using Record = RecordView<Head, Tail>;

  std::uint64_t size() const { return count_; }
  bool empty() const { return count_ == 0; }

  class iterator {
   public:
    using value_type = Record;
    using difference_type = std::ptrdiff_t;
    using iterator_category = std::forward_iterator_tag;

    iterator() = default;
    iterator(const GroupView* group, std::uint64_t index)
        : group_(group), index_(index), tail_at_(group->tails_at_) {
      read();
    }
    const Record& operator*() const { return record_; }
    const Record* operator->() const { return &record_; }
    iterator& operator++() {
      ++index_;
      read();
      return *this;
    }
    iterator operator++(int) {
      iterator before = *this;
      ++*this;
      return before;
    }
    bool operator==(const iterator& other) const { return index_ == other.index_; }

   private:
    void read() {
      if (index_ < group_->count_) group_->read(head_at_, tail_at_, record_);
    }

    const GroupView* group_ = nullptr;
    std::uint64_t index_ = 0;
    std::size_t head_at_ = 0;
    std::size_t tail_at_ = 0;
    Record record_{};
  };

  iterator begin() const { return iterator(this, 0); }
  iterator end() const { return iterator(this, count_); }

  /// Checks that all records are there and remembers where; `at` moves behind them.
  bool decode(base::ByteView in, std::size_t& at, std::uint64_t count, const Readings& readings,
              bool check_choices, Outcome& outcome) {
    bytes_ = in.subspan(at);
    count_ = count;
    readings_ = &readings;
    std::size_t head_at = 0;
    if (!walk_heads(head_at, check_choices, outcome)) return relocate(at, outcome);
    tails_at_ = head_at;
    std::size_t tail_at = tails_at_;
    if (!walk_tails(tail_at, check_choices, outcome)) return relocate(at, outcome);
    bytes_ = bytes_.first(tail_at);
    at += tail_at;
    return true;
  }

 private:
  /// Width of the fields that every head has for certain.
  static consteval std::size_t least_width() {
    std::size_t width = 0;
    for (std::size_t i = 0; i < Head::size; ++i) {
      if (detail::certain<Head>(i)) width += Head::bytes_of(i);
    }
    return width;
  }

  /// Makes offsets inside the group offsets in the message. When more is needed, it is at least
  /// what the heads of all announced records take.
  bool relocate(std::size_t at, Outcome& outcome) const {
    if (outcome.state == Outcome::State::need_more) {
      constexpr std::size_t least = least_width();
      outcome.size = std::max(outcome.size, detail::saturating_multiply(count_, least));
    }
    outcome.size = detail::saturating_add(outcome.size, at);
    return false;
  }

  bool walk_heads(std::size_t& at, bool check_choices, Outcome& outcome) {
    detail::ListDecoder<Head> decoder(bytes_, *readings_, check_choices);
    for (std::uint64_t i = 0; i < count_; ++i) {
      detail::Slots<Head> slots;
      if (!decoder.run(0, at, slots, slots, outcome)) return false;
    }
    return true;
  }

  bool walk_tails(std::size_t& tail_at, bool check_choices, Outcome& outcome) {
    if constexpr (Tail::size != 0) {
      detail::ListDecoder<Head> heads(bytes_, *readings_, check_choices);
      detail::ListDecoder<Tail, Head> tails(bytes_, *readings_, check_choices);
      std::size_t head_at = 0;
      for (std::uint64_t i = 0; i < count_; ++i) {
        Record record;
        heads.run(0, head_at, record.head, record.head, outcome);
        if (!tails.run(0, tail_at, record.tail, record.head, outcome)) return false;
      }
    }
    return true;
  }

  /// Reads a record that `decode` has found to be whole.
  void read(std::size_t& head_at, std::size_t& tail_at, Record& record) const {
    Outcome outcome;
    detail::ListDecoder<Head>(bytes_, *readings_, false)
        .run(0, head_at, record.head, record.head, outcome);
    if constexpr (Tail::size != 0) {
      detail::ListDecoder<Tail, Head>(bytes_, *readings_, false)
          .run(0, tail_at, record.tail, record.head, outcome);
    }
  }

  base::ByteView bytes_;
  std::uint64_t count_ = 0;
  std::size_t tails_at_ = 0;
  const Readings* readings_ = nullptr;
};

namespace detail {

enum class Role : std::uint8_t { request, reply, push };

template <const Dialect& D, Role role, std::size_t I>
consteval const Message& message_of() {
  if constexpr (role == Role::request) {
    return D.operations[I].request;
  } else if constexpr (role == Role::reply) {
    return D.operations[I].reply;
  } else {
    return D.pushes[I].message;
  }
}

template <const Dialect& D, Role role, std::size_t I, bool success>
struct MessageSource {
  static constexpr std::span<const Field> fields() {
    constexpr const Message& message = message_of<D, role, I>();
    return success ? message.on_success : message.fields;
  }
};

template <const Dialect& D, Role role, std::size_t I, Width W>
struct MessageOf {
  using Head = FieldList<D, W, MessageSource<D, role, I, false>>;
  using Tail = FieldList<D, W, MessageSource<D, role, I, true>>;
  using View = RecordView<Head, Tail>;
  static constexpr const Dialect& dialect = D;
  static constexpr Width width = W;
  static constexpr std::uint8_t opcode = role == Role::push
                                             ? D.pushes[role == Role::push ? I : 0].opcode
                                             : D.operations[role == Role::push ? 0 : I].opcode;
  static constexpr std::size_t status = index_of<Head>("status");

  /// Returns true if this message is sent at all under these readings.
  static bool sent(const Readings& readings) {
    constexpr const When& when = message_of<D, role, I>().when;
    if constexpr (when.reading.empty()) {
      return true;
    } else {
      constexpr std::size_t reading = Readings::index_of(D, when.reading);
      return readings.chosen(reading, Readings::index_of(D.readings[reading], when.answer));
    }
  }
};

/// A message that is the same at each width is one type at all of them: its code is generated once.
template <const Dialect& D, Role role, std::size_t I, Width W>
using MessageAt =
    MessageOf<D, role, I, depends_on_width(message_of<D, role, I>()) ? W : D.widths.front()>;

}  // namespace detail

template <const Dialect& D, std::size_t I, Width W>
using Request = detail::MessageAt<D, detail::Role::request, I, W>;
template <const Dialect& D, std::size_t I, Width W>
using Reply = detail::MessageAt<D, detail::Role::reply, I, W>;
template <const Dialect& D, std::size_t I, Width W>
using Push = detail::MessageAt<D, detail::Role::push, I, W>;

/// Decodes the message that `in` starts with; bytes behind it are not looked at. `view` refers to
/// `in`. With `check_choices`, a number that is not among a field's choices is malformed.
template <class M>
inline Outcome decode(base::ByteView in, const Readings& readings, typename M::View& view,
                      bool check_choices = false) {
  Outcome outcome;
  std::size_t at = 0;
  detail::ListDecoder<typename M::Head> head(in, readings, check_choices);
  if (!head.run(M::opcode, at, view.head, view.head, outcome)) return outcome;
  if constexpr (M::Tail::size != 0) {
    bool success = true;
    if constexpr (M::status != detail::none) {
      success = !detail::present<typename M::Head, M::status>(readings) ||
                view.head.template at<M::status>() != 0;
    }
    detail::ListDecoder<typename M::Tail, typename M::Head> tail(in, readings, check_choices);
    if (success && !tail.run(M::opcode, at, view.tail, view.head, outcome)) return outcome;
  }
  return {Outcome::State::complete, at, nullptr};
}

}  // namespace hallmark::protocol::fast

#include "protocol/codec/fast_encode.hpp"
