#include "loadgen/drivers/stream/reply_check.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <utility>

#include "loadgen/drivers/stream/frame.hpp"
#include "protocol/any_field.hpp"
#include "protocol/dialects/all.hpp"
#include "protocol/little_endian.hpp"

namespace hallmark::loadgen {
namespace {

using base::ByteView;
using protocol::Choice;
using protocol::Dialect;
using protocol::Field;
using protocol::Message;
using protocol::Readings;
using protocol::Width;
using protocol::kinds::ChoiceOf;
using protocol::kinds::Group;
namespace fast = protocol::fast;

consteval bool has(std::span<const Field> fields, protocol::FieldName name) {
  for (const auto& field : fields) {
    if (field.name == name) return true;
  }
  return false;
}

/// Returns true if all of the bytes are the one that values are filled with.
bool is_filler(ByteView bytes) {
  return bytes.empty() || (bytes.front() == filler &&
                           std::memcmp(bytes.data(), bytes.data() + 1, bytes.size() - 1) == 0);
}

std::uint64_t writer_of(ByteView value) {
  return value.size() < writer_bytes ? 0 : protocol::load_little_endian(value.data(), writer_bytes);
}

template <class M, class View>
bool is_as_stored(const View& reply, const Expectation& expected) {
  bool same = true;
  if constexpr (has(M::Tail::fields, "ttl_type")) {
    same = same && reply.template get<"ttl_type">() == expected.ttl_type;
  }
  if constexpr (has(M::Tail::fields, "ttl")) {
    same = same && reply.template get<"ttl">() <= expected.most_ttl;
  }
  if constexpr (has(M::Tail::fields, "value")) {
    const ByteView value = reply.template get<"value">();
    same = same && value.size() == expected.value_size &&
           is_filler(value.subspan(value.size() < writer_bytes ? 0 : writer_bytes));
  }
  return same;
}

template <class M>
[[gnu::always_inline]] inline CheckedReply check(ByteView bytes, const Readings& readings,
                                                 const Expectation& expected) {
  CheckedReply checked;
  typename M::View reply;
  checked.outcome = fast::decode<M>(bytes, readings, reply, true);
  if (!checked.outcome.complete()) return checked;
  if constexpr (has(M::Head::fields, "request_id")) {
    checked.request_id = static_cast<std::uint32_t>(reply.template get<"request_id">());
  }
  if constexpr (has(M::Head::fields, "status")) {
    checked.success = !fast::detail::present<typename M::Head, M::status>(readings) ||
                      reply.template get<"status">() != 0;
  }
  if constexpr (has(M::Head::fields, "payload")) checked.payload = reply.template get<"payload">();
  if constexpr (has(M::Tail::fields, "quota")) checked.told = reply.template get<"quota">();
  if constexpr (has(M::Tail::fields, "value"))
    checked.told = writer_of(reply.template get<"value">());
  if (checked.success && expected.stored) checked.as_stored = is_as_stored<M>(reply, expected);
  return checked;
}

template <class M>
CheckedReply check_one(ByteView bytes, const Readings& readings, const Expectation& expected) {
  return check<M>(bytes, readings, expected);
}

/// Bytes of the id that these replies begin with; the maximum if their id is elsewhere.
template <class M>
consteval std::size_t leading_id_bytes() {
  constexpr auto fields = M::Head::fields;
  if (!has(fields, "request_id")) return 0;
  const bool leads = fields.front().name == "request_id" && fields.front().when.reading.empty();
  return leads ? M::Head::bytes_of(0) : std::numeric_limits<std::size_t>::max();
}

/// Sixteen bytes side by side.
using SixteenBytes [[gnu::vector_size(16)]] = std::uint64_t;

inline bool is_zero(std::uint64_t word) { return word == 0; }
inline bool is_zero(const SixteenBytes& bytes) { return (bytes[0] | bytes[1]) == 0; }

/// A reply that those behind it are compared with. So many words cover the bytes behind its id; the
/// last overlaps the one before it.
template <std::size_t id_bytes, class Word, std::size_t words>
class RepeatedReply {
 public:
  RepeatedReply(const std::uint8_t* reply, std::size_t size) : last_(size - sizeof(Word)) {
    for (std::size_t i = 0; i < words; ++i) words_[i] = word(reply, i);
  }

  /// Compares a reply with it, and its id with that one, and adds up where they differ.
  void compare(const std::uint8_t* reply, std::uint32_t id) {
    for (std::size_t i = 0; i < words; ++i) differences_ |= words_[i] ^ word(reply, i);
    if constexpr (id_bytes != 0) {
      std::uint32_t told = 0;
      std::memcpy(&told, reply, id_bytes);
      ids_that_differ_ |= told ^ id;
    }
  }
  /// Returns true if all replies were the same but for their ids, which were as they should.
  bool all_repeated() const { return is_zero(differences_) && ids_that_differ_ == 0; }

 private:
  Word word(const std::uint8_t* reply, std::size_t i) const {
    Word word;
    std::memcpy(&word, reply + (i + 1 < words ? id_bytes + i * sizeof(Word) : last_), sizeof word);
    return word;
  }

  Word words_[words];
  Word differences_{};
  std::uint32_t ids_that_differ_ = 0;
  std::size_t last_;
};

template <std::size_t id_bytes, class Word, std::size_t words>
std::size_t count_repeated(const std::uint8_t* first, std::size_t size, std::size_t most,
                           const AskedRow asked, std::size_t from) {
  using Repeated = RepeatedReply<id_bytes, Word, words>;
  if (asked.all_alike()) {
    // As a rule all of them repeat it: one branch for all costs less than one for each.
    Repeated repeated(first, size);
    for (std::size_t i = 1; i < most; ++i) repeated.compare(first + i * size, asked.id(from + i));
    if (repeated.all_repeated()) return most;
  }
  Repeated repeated(first, size);
  std::size_t i = 1;
  for (; i < most && asked.is_alike(from + i); ++i) {
    repeated.compare(first + i * size, asked.id(from + i));
    if (!repeated.all_repeated()) break;
  }
  return i;
}

/// Returns how many replies at the start of `bytes` repeat the first, of `size` bytes, which was
/// as expected of request `from`: byte for byte, apart from the id of their own request. Those
/// that are not counted have to be looked at by themselves.
template <class M>
std::size_t repetitions(ByteView bytes, std::size_t size, const AskedRow& asked, std::size_t from) {
  constexpr std::size_t id_bytes = leading_id_bytes<M>();
  if constexpr (id_bytes > sizeof(Pending::request_id)) {
    return 1;
  } else {
    using Long = std::uint64_t;
    using Short = std::uint32_t;
    const std::uint8_t* const first = bytes.data();
    const std::size_t most = std::min(asked.count() - from, bytes.size() / size);
    // Each is compared with the one before it, all of them at once.
    if (id_bytes == 0 && asked.all_alike() &&
        std::memcmp(first, first + size, (most - 1) * size) == 0)
      return most;
    const std::size_t content = size - id_bytes;
    if (content < sizeof(Short)) return 1;
    if (content < sizeof(Long))
      return count_repeated<id_bytes, Short, 2>(first, size, most, asked, from);
    if (content == sizeof(Long))
      return count_repeated<id_bytes, Long, 1>(first, size, most, asked, from);
    if (content <= sizeof(SixteenBytes))
      return count_repeated<id_bytes, Long, 2>(first, size, most, asked, from);
    if (content <= 2 * sizeof(SixteenBytes))
      return count_repeated<id_bytes, SixteenBytes, 2>(first, size, most, asked, from);
    return 1;
  }
}

template <class M>
ReplyRow check_row(ByteView bytes, const Readings& readings, const Expectation& expected,
                   const AskedRow& asked) {
  ReplyRow row;
  while (row.replies < asked.count() && asked.is_alike(row.replies)) {
    const ByteView rest = bytes.subspan(row.bytes);
    const CheckedReply reply = check<M>(rest, readings, expected);
    if (!reply.outcome.complete() || !reply.as_stored) break;
    if (!reply.success && expected.must_succeed) break;
    if constexpr (has(M::Head::fields, "request_id")) {
      if (reply.request_id != asked.id(row.replies)) break;
    }
    const auto size = static_cast<std::size_t>(reply.outcome.size);
    const bool is_last = row.replies + 1 == asked.count();
    const std::size_t alike = is_last ? 1 : repetitions<M>(rest, size, asked, row.replies);
    row.replies += alike;
    row.bytes += alike * size;
  }
  return row;
}

consteval bool depends_on_readings(const Message& message) {
  return protocol::any_field(message,
                             [](const Field& field) { return !field.when.reading.empty(); });
}

constexpr bool same_choices(const Field& x, const Field& y) {
  return !x.is<ChoiceOf>() ||
         std::ranges::equal(x.get<ChoiceOf>().choices, y.get<ChoiceOf>().choices, {}, &Choice::code,
                            &Choice::code);
}

constexpr bool alike(std::span<const Field> a, std::span<const Field> b);

constexpr bool same_records(const Field& x, const Field& y) {
  return !x.is<Group>() || (alike(x.get<Group>().head, y.get<Group>().head) &&
                            alike(x.get<Group>().tail, y.get<Group>().tail));
}

// By what they say, not by address: with its sanitizers on, GCC cannot compare addresses of two
// objects in a constant expression.
constexpr bool alike(std::span<const Field> a, std::span<const Field> b) {
  return std::ranges::equal(a, b, [](const Field& x, const Field& y) {
    return x.name == y.name && x.kind.same_type(y.kind) && x.width() == y.width() &&
           x.measured() == y.measured() && x.when.reading == y.when.reading &&
           x.when.answer == y.when.answer && same_choices(x, y) && same_records(x, y);
  });
}

constexpr bool alike(const Message& a, const Message& b) {
  return alike(a.fields, b.fields) && alike(a.on_success, b.on_success);
}

template <std::size_t dialect>
constexpr const Dialect& table = *protocol::tables::throttr_dialects[dialect];

struct Place {
  std::size_t dialect;
  std::size_t operation;
};

/// Replies with the same fields share one check: that of the first operation in the tables which
/// has them. Readings have positions in their own dialect, so what depends on them is not shared
/// between dialects.
template <std::size_t dialect, std::size_t operation>
consteval Place first_alike() {
  constexpr const Message& reply = table<dialect>.operations[operation].reply;
  for (std::size_t d = depends_on_readings(reply) ? dialect : 0; d < dialect; ++d) {
    const auto others = protocol::tables::throttr_dialects[d]->operations;
    for (std::size_t i = 0; i < others.size(); ++i) {
      if (alike(reply, others[i].reply)) return {d, i};
    }
  }
  for (std::size_t i = 0; i < operation; ++i) {
    if (alike(reply, table<dialect>.operations[i].reply)) return {dialect, i};
  }
  return {dialect, operation};
}

template <std::size_t dialect, Width W, std::size_t operation>
consteval ReplyChecks reply_check() {
  constexpr Place place = first_alike<dialect, operation>();
  using Reply = fast::Reply<table<place.dialect>, place.operation, W>;
  return {&check_one<Reply>, &check_row<Reply>};
}

template <std::size_t dialect, Width W, std::size_t... I>
consteval auto reply_table(std::index_sequence<I...>) {
  return std::array<ReplyChecks, sizeof...(I)>{reply_check<dialect, W, I>()...};
}

template <std::size_t dialect, Width W, std::size_t... I>
consteval auto push_table(std::index_sequence<I...>) {
  return std::array<ReplyCheck, sizeof...(I)>{&check_one<fast::Push<table<dialect>, I, W>>...};
}

template <std::size_t dialect, Width W>
struct Checks {
  static constexpr auto replies =
      reply_table<dialect, W>(std::make_index_sequence<table<dialect>.operations.size()>{});
  static constexpr auto pushes =
      push_table<dialect, W>(std::make_index_sequence<table<dialect>.pushes.size()>{});
};

/// Calls `use` with the checks of a dialect at a width; an empty list where there are none.
template <class List, std::size_t dialect, class Use>
List with_width(Width width, Use use) {
  switch (width) {
    case Width::none: break;
    case Width::u8: return use(Checks<dialect, Width::u8>{});
    case Width::u16: return use(Checks<dialect, Width::u16>{});
    case Width::u32: return use(Checks<dialect, Width::u32>{});
    case Width::u64: return use(Checks<dialect, Width::u64>{});
  }
  return {};
}

template <class List, class Use>
List with_checks(const Dialect& dialect, Width width, Use use) {
  const auto from = [&]<std::size_t... d>(std::index_sequence<d...>) {
    List found;
    ((protocol::tables::throttr_dialects[d] == &dialect
          ? void(found = with_width<List, d>(width, use))
          : void()),
     ...);
    return found;
  };
  return from(std::make_index_sequence<protocol::tables::throttr_dialects.size()>{});
}

}  // namespace

std::span<const ReplyChecks> reply_checks(const Dialect& dialect, Width width) {
  return with_checks<std::span<const ReplyChecks>>(
      dialect, width, [](auto checks) { return std::span{checks.replies}; });
}

std::span<const ReplyCheck> push_checks(const Dialect& dialect, Width width) {
  return with_checks<std::span<const ReplyCheck>>(
      dialect, width, [](auto checks) { return std::span{checks.pushes}; });
}

}  // namespace hallmark::loadgen
