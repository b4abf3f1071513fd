// Feeds arbitrary bytes to the readers of what ranks of a run send each other: messages, tallies
// and counters. What is accepted is encoded as bytes that read back as the same, of a message no
// more than came; a refusal is one line.
//
// The first byte chooses the reader, the rest is what was sent.
#include "base/fuzz/requirement.hpp"
#include "distributed/counter_sums.hpp"
#include "distributed/message.hpp"
#include "loadgen/results/tally_codec.hpp"

namespace hallmark::distributed {
namespace {

using fuzz::require;

void read_message(base::ByteView bytes) {
  const auto message = decode(bytes);
  if (!message) return fuzz::require_line(message.error().message);
  const base::Bytes encoded = encode(*message);
  require(encoded.size() <= bytes.size(), "a message does not grow");
  const auto again = decode(encoded);
  require(again && encode(*again) == encoded, "a message reads back as the same");
}

template <class Sum>
void add(base::ByteView bytes, Sum& sum, Sum& same) {
  using distributed::add_encoded;
  using distributed::encode;
  using loadgen::add_encoded;
  using loadgen::encode;
  const auto added = add_encoded(bytes, sum);
  if (!added) return fuzz::require_line(added.error().message);
  const base::Bytes encoded = encode(sum);
  require(add_encoded(encoded, same).has_value(), "what was added reads back");
  require(encode(same) == encoded, "what was added reads back as the same");
}

}  // namespace
}  // namespace hallmark::distributed

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace hallmark;
  fuzz::Input input(data, size);
  const unsigned reader = input.first() % 3;
  if (reader == 0) {
    distributed::read_message(input.bytes());
  } else if (reader == 1) {
    loadgen::Tally sum(1);
    loadgen::Tally same(1);
    distributed::add(input.bytes(), sum, same);
  } else {
    loadgen::CounterLedger sum(16);
    loadgen::CounterLedger same(16);
    distributed::add(input.bytes(), sum, same);
  }
  return 0;
}
