// Feeds arbitrary bytes to the generic and to the compile-time decoder, as every message of every
// dialect, and stops where they disagree or where a decoded message does not encode to the same
// bytes.
//   cmake --preset fuzz && ninja -C build/fuzz &&
//   build/fuzz/protocol/hallmark_messages_fuzz -max_total_time=600
#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "base/hex.hpp"
#include "protocol/annotate.hpp"
#include "protocol/codec/encode.hpp"
#include "protocol/codec/fast.hpp"
#include "protocol/codec/fast_text.hpp"
#include "protocol/dialects/all.hpp"

namespace hallmark::protocol {
namespace {

void require(bool holds, const char* what, const Layout& layout, base::ByteView bytes) {
  if (holds) return;
  std::fprintf(stderr, "%s: %.*s %s\n", what, static_cast<int>(layout.name().size()),
               layout.name().data(), base::to_hex(bytes).c_str());
  std::abort();
}

template <class M>
void compare(const Layout& layout, const Readings& readings, base::ByteView bytes) {
  Decoder generic(layout, {.max_bytes = 1 << 16});
  const Decoder::State state = generic.resume(bytes);
  dump(annotate(generic, bytes), bytes);
  if (state == Decoder::State::complete) {
    const Record values = MessageView(generic, bytes).record();
    const auto again = encode(layout, values);
    require(again.has_value(), "does not encode again", layout, bytes);
    // Text may carry bytes behind its first zero; nothing else may change.
    const bool same_size = again->size() == generic.size();
    require(same_size, "encodes to another size", layout, bytes);
  }
  typename M::View view;
  const fast::Outcome outcome = fast::decode<M>(bytes, readings, view, true);
  require(outcome.complete() == (state == Decoder::State::complete) ||
              generic.error().reason.starts_with("announces"),
          "the decoders disagree", layout, bytes);
  if (outcome.complete() && state == Decoder::State::complete) {
    require(outcome.size == generic.size(), "the decoders disagree on the size", layout, bytes);
  }
}

template <const Dialect& D, Width W, std::size_t... I>
void compare_all(const Readings& readings, base::ByteView bytes, std::size_t which,
                 std::index_sequence<I...>) {
  const auto one = [&]<std::size_t N>() {
    if (which == 2 * N) {
      compare<fast::Request<D, N, W>>(Layout::request(D.operations[N], W, readings), readings,
                                      bytes);
    } else if (which == 2 * N + 1) {
      compare<fast::Reply<D, N, W>>(Layout::reply(D.operations[N], W, readings), readings, bytes);
    }
  };
  (one.template operator()<I>(), ...);
}

template <const Dialect& D>
void compare_dialect(bool literal, std::size_t which, base::ByteView bytes) {
  static const Readings profiles[] = {Readings(D, Profile::deployed),
                                      Readings(D, Profile::literal)};
  constexpr std::size_t operations = D.operations.size();
  compare_all<D, D.widths[D.widths.size() / 4]>(profiles[literal ? 1 : 0], bytes,
                                                which % (2 * operations),
                                                std::make_index_sequence<operations>{});
}

/// Takes the dialect of streams that stands at that place, counted round and round.
template <std::size_t... I>
void compare_stream(std::size_t place, bool literal, std::size_t which, base::ByteView bytes,
                    std::index_sequence<I...>) {
  const auto one = [&]<std::size_t at>() {
    if (place % sizeof...(I) == at)
      compare_dialect<*tables::throttr_dialects[at]>(literal, which, bytes);
  };
  (one.template operator()<I>(), ...);
}

template <class M>
void compare_text(const Layout& layout, const Readings& readings, base::ByteView bytes) {
  const auto generic = decode(layout, bytes);
  typename M::View view;
  const bool fast = fast_text::decode<M>(bytes, readings, view);
  require(fast == generic.has_value(), "the decoders of text disagree", layout, bytes);
  if (!fast) return;
  const auto again = encode(layout, *generic);
  require(again && std::ranges::equal(*again, bytes), "encodes to other text", layout, bytes);
}

template <std::size_t... I>
void compare_datagrams(bool literal, base::ByteView bytes, std::index_sequence<I...>) {
  const Readings readings(tables::ratelimit_udp, literal ? Profile::literal : Profile::deployed);
  const auto& operations = tables::ratelimit_udp.operations;
  (compare_text<fast_text::Request<tables::ratelimit_udp, I>>(
       Layout::request(operations[I], Width::none, readings), readings, bytes),
   ...);
  (compare_text<fast_text::Reply<tables::ratelimit_udp, I>>(
       Layout::reply(operations[I], Width::none, readings), readings, bytes),
   ...);
}

}  // namespace
}  // namespace hallmark::protocol

/// The first byte chooses the message, the bits of the second the profile and the dialect, the rest
/// is the message.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace hallmark::protocol;
  if (size < 2) return 0;
  const bool literal = (data[1] & 1) != 0;
  const hallmark::base::ByteView bytes{data + 2, size - 2};
  if ((data[1] & 8) != 0) {
    compare_datagrams(literal, bytes,
                      std::make_index_sequence<tables::ratelimit_udp.operations.size()>{});
    return 0;
  }
  const std::size_t place = (data[1] >> 5) * 4U + (data[1] >> 1 & 3);
  compare_stream(place, literal, data[0], bytes,
                 std::make_index_sequence<tables::throttr_dialects.size()>{});
  return 0;
}
