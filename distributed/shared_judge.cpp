#include "distributed/shared_judge.hpp"

#include <algorithm>

#include "base/byte_stream.hpp"

namespace hallmark::distributed {
namespace {

using base::ByteReader;
using base::ByteWriter;
using base::Result;
using loadgen::Observation;

void put(ByteWriter& out, const Observation& one) {
  out.number(one.index);
  out.number(one.part);
  out.number(one.key);
  out.number(one.client);
  out.signed_number(one.sent_ns);
  out.signed_number(one.received_ns);
  out.number(one.success ? 1 : 0);
  out.number(one.told);
  out.bytes(one.reply);
}

Observation get(ByteReader& in) {
  Observation one;
  one.index = in.number();
  one.part = static_cast<std::uint32_t>(in.number());
  one.key = static_cast<std::uint32_t>(in.number());
  one.client = static_cast<std::uint32_t>(in.number());
  one.sent_ns = in.signed_number();
  one.received_ns = in.signed_number();
  one.success = in.number() != 0;
  one.told = in.number();
  const auto reply = in.bytes();
  one.reply.assign(reply.begin(), reply.end());
  return one;
}

}  // namespace

ObservationSender::ObservationSender(const loadgen::Requests& requests,
                                     const loadgen::WatchedKeys& watched, std::uint32_t ranks,
                                     std::uint32_t loops)
    : requests_(requests),
      watched_(watched),
      owners_(static_cast<std::uint32_t>(std::min<std::size_t>(ranks, watched.size()))),
      ranks_(ranks),
      complete_ns_(loops, INT64_MIN) {}

std::vector<Observed> ObservationSender::sorted(std::uint32_t own,
                                                std::span<const Observation> observations,
                                                std::int64_t complete_ns) {
  complete_ns_[own] = complete_ns;
  const std::int64_t known_ns = *std::ranges::min_element(complete_ns_);
  std::vector<ByteWriter> written(owners_);
  for (Observation one : observations) {
    const std::size_t slot = watched_.slot_of(requests_.parts()[one.part].keys, one.key);
    if (one.received_ns != oracle::never_ns) one.received_ns += widened_ns(one.received_ns);
    one.sent_ns -= widened_ns(one.sent_ns);
    put(written[owner_of(slot, ranks_)], one);
  }
  const bool is_time = known_ns != INT64_MIN && known_ns != INT64_MAX;
  const std::int64_t complete = is_time ? known_ns - widened_ns(known_ns) : known_ns;
  std::vector<Observed> sorted;
  for (ByteWriter& one : written) sorted.push_back({complete, std::move(one).take()});
  return sorted;
}

SharedJudge::SharedJudge(const loadgen::Requests& requests, std::uint32_t watched,
                         std::uint32_t ranks)
    : requests_(requests),
      watched_(requests.workload().keys, watched),
      judge_(requests, watched_, ranks),
      complete_ns_(ranks, INT64_MIN) {}

Result<void> SharedJudge::take(std::uint32_t from, const Observed& observed) {
  ByteReader in(observed.observations);
  std::vector<Observation> taken;
  while (in.ok() && !in.at_end()) {
    Observation one = get(in);
    const bool of_this_run = in.ok() && one.part < requests_.parts().size() &&
                             one.key < requests_.workload().keys && watched_.may_be(one.key) &&
                             requests_.parts()[one.part].action;
    if (!of_this_run) return base::Error{"observations of another run"};
    const std::size_t slot = watched_.slot_of(requests_.parts()[one.part].keys, one.key);
    // A key that is never at rest is given up when too much waits; what was sent later is unknown.
    if (watched_.watch(requests_.parts()[one.part].keys, one.key, one.sent_ns) ||
        one.sent_ns < watched_.watched_until_ns(slot))
      taken.push_back(std::move(one));
  }
  complete_ns_[from] = observed.complete_ns;
  judge_.take(from, taken, observed.complete_ns);
  return {};
}

bool SharedJudge::complete() const {
  return std::ranges::all_of(complete_ns_, [](std::int64_t ns) { return ns == INT64_MAX; });
}

reports::RecordChecks SharedJudge::finish() {
  judge_.finish(*std::ranges::min_element(complete_ns_));
  return judge_.checks();
}

}  // namespace hallmark::distributed
