// Feeds arbitrary text to the reader of states, as each strategy and as any. What is read is
// written again, and reads back as the same values; its annotations cover it; an error lies within
// it. The generic decoder and the one of the compile time agree.
//
// The first byte chooses the strategy, the rest is the state.
#include "protocol/text/state.hpp"

#include "base/fuzz/requirement.hpp"
#include "protocol/codec/encode.hpp"
#include "protocol/codec/fast_text.hpp"
#include "protocol/dialects/ratelimit_state.hpp"

namespace hallmark::protocol {
namespace {

using fuzz::require;

/// A string is read as one of the strategies, or as any: what is read is written again, reads back
/// as the same values, and its annotations cover it.
void compare_states(std::size_t which, base::ByteView bytes) {
  static const Readings readings(tables::ratelimit_state, Profile::deployed);
  static const auto strategies = state::strategies(tables::ratelimit_state);
  const std::size_t chosen = which % (strategies.size() + 1);
  const std::string_view strategy = chosen == 0 ? "" : strategies[chosen - 1];
  const std::string_view text = base::as_text(bytes);
  const auto parsed = state::parse(text, readings, {.strategy = strategy});
  using TokenBucket =
      fast_text::State<tables::ratelimit_state,
                       fast_text::format_index(tables::ratelimit_state, "token-bucket/12")>;
  TokenBucket::View view;
  const bool fast = fast_text::decode<TokenBucket>(bytes, readings, view);
  const Layout token_bucket = Layout::format(tables::ratelimit_state.formats[0], readings);
  require(fast == decode(token_bucket, bytes).has_value(), "the decoders agree", text);
  if (!parsed) {
    require(parsed.error().offset <= bytes.size(), "an error lies within the text", text);
    return;
  }
  const Layout layout = Layout::format(*parsed->format, readings);
  const Record values = parsed->values();
  const auto again = state::write(*parsed->format, values, readings);
  require(again.has_value(), "what was read can be written", text);
  require(decode(layout, base::as_bytes(*again)).value() == values,
          "what was written reads back as the same", text);
  std::size_t at = 0;
  for (const Annotation& one : state::annotate(*parsed)) {
    require(one.offset == at, "annotations follow each other", text);
    at += one.length;
  }
  require(at == bytes.size(), "annotations cover the text", text);
}

}  // namespace
}  // namespace hallmark::protocol

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  hallmark::fuzz::Input input(data, size);
  const std::uint8_t which = input.first();
  hallmark::protocol::compare_states(which, input.bytes());
  return 0;
}
