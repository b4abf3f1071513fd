#include "captures/datagram_sequence.hpp"

#include <algorithm>

namespace hallmark::captures {
namespace {

/// The senders of all datagrams.
std::vector<Side> senders_of(const Format& format, const ExpectedDatagrams& expected,
                             const std::vector<LooseDatagram>& datagrams) {
  std::vector<Side> senders;
  for (const LooseDatagram& one : datagrams) {
    const auto said = one.from ? one.from : expected.from;
    senders.push_back(said ? *said : likely_sender_of(format, one.bytes));
  }
  return senders;
}

}  // namespace

std::vector<LooseDatagram> datagrams_in(const Loaded& loaded) {
  std::vector<LooseDatagram> all;
  for (const Utterance& one : loaded.dialogue) all.push_back({one.from, one.bytes});
  for (const TextLine& one : loaded.lines) all.push_back({one.from, one.bytes});
  if (all.empty()) all.push_back({std::nullopt, loaded.bytes});
  return all;
}

void decode_datagrams(const Format& format, const ExpectedDatagrams& expected,
                      const std::vector<LooseDatagram>& datagrams, const Sink& sink) {
  const std::vector<Side> senders = senders_of(format, expected, datagrams);
  const bool marked =
      std::ranges::any_of(datagrams, [](const LooseDatagram& one) { return one.from.has_value(); });
  const auto some_from = [&](Side side) {
    return std::ranges::find(senders, side) != senders.end();
  };
  DatagramDialogue dialogue(format, 0,
                            marked || (some_from(Side::client) && some_from(Side::server)), sink);
  dialogue.expect(expected.operations);
  for (std::size_t i = 0; i < datagrams.size(); ++i) dialogue.feed(senders[i], datagrams[i].bytes);
  dialogue.end("the input ends");
}

}  // namespace hallmark::captures
