#include "conformance/drivers/stream/cutting.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace hallmark::conformance {
namespace {

using vectors::Send;
using vectors::Step;
using vectors::Vector;

/// The most requests that are sent byte by byte among those that resemble each other: a listing is
/// filled with hundreds.
constexpr std::size_t most_alike_bytewise = 4;

}  // namespace

/// Returns the offsets at which fields begin and end, and one byte before and behind each.
std::set<std::size_t> edges_of(const WireFormat& format, const Send& send) {
  std::set<std::size_t> edges;
  const std::size_t size = send.bytes.size();
  protocol::Decoder decoder(
      format.request(format.operation(protocol::MessageName::unchecked(send.operation))),
      {.refuse_unlisted = false});
  decoder.resume(send.bytes);
  for (const protocol::FieldValue& field : decoder.fields()) {
    for (const std::size_t edge :
         {std::size_t{field.offset}, std::size_t{field.offset} + field.length}) {
      for (const std::size_t at : {edge - std::min(edge, std::size_t{1}), edge, edge + 1}) {
        if (at > 0 && at < size) edges.insert(at);
      }
    }
  }
  return edges;
}

std::vector<std::size_t> cuts_of(const WireFormat& format, const Send& send) {
  std::set<std::size_t> cuts = edges_of(format, send);
  const std::size_t size = send.bytes.size();
  for (std::size_t at = 1; at < std::min(size, cut_everywhere_below); ++at) cuts.insert(at);
  return {cuts.begin(), cuts.end()};
}

std::vector<Rank> ranks_of(const Vector& vector) {
  std::map<std::tuple<std::string, std::string, std::size_t>, std::size_t> counts;
  const auto count_of = [&](const Step& step, const Send& send) -> std::size_t& {
    return counts[{step.connection, send.operation, send.bytes.size()}];
  };
  std::vector<Rank> ranks(vector.steps.size());
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    const Send* const send = std::get_if<Send>(&vector.steps[i].action);
    if (send != nullptr) ranks[i].rank = count_of(vector.steps[i], *send)++;
  }
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    const Send* const send = std::get_if<Send>(&vector.steps[i].action);
    if (send != nullptr) ranks[i].of = count_of(vector.steps[i], *send);
  }
  return ranks;
}

std::vector<std::size_t> cuts_for(const WireFormat& format, const Send& send,
                                  const Cutting& cutting, const Rank& rank) {
  switch (cutting.cuts) {
    case Cuts::none:
    case Cuts::chained: return {};
    case Cuts::everywhere:
      if (rank.rank >= most_alike_bytewise) return {};
      return cuts_of(format, send);
    case Cuts::at_offset:
      if (cutting.offset >= send.bytes.size()) return {};
      return {cutting.offset};
    case Cuts::by_rank: {
      const auto cuts = cuts_of(format, send);
      const std::size_t chosen = rank.rank + cutting.round * rank.of;
      if (chosen >= cuts.size()) return {};
      return {cuts[chosen]};
    }
  }
  return {};
}

}  // namespace hallmark::conformance
