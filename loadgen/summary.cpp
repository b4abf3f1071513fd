#include "loadgen/summary.hpp"

#include <fmt/format.h>

#include "loadgen/hdr_codec.hpp"

namespace hallmark::loadgen {
namespace {

double ratio(std::uint64_t a, std::uint64_t b) {
  return b == 0 ? 0.0 : static_cast<double>(a) / static_cast<double>(b);
}

Histogram sum(const Tally& tally, Histogram PartTally::*which) {
  Histogram all;
  for (const PartTally& part : tally.parts) all.add(part.*which);
  return all;
}

void add_errors(const Tally& tally, reports::LoadResult& result) {
  for (std::size_t i = 0; i < failure_kinds; ++i) {
    if (tally.failures[i] == 0) continue;
    const auto kind = name_of(static_cast<Failure>(i));
    result.errors.push_back({std::string{kind}, tally.failures[i], tally.examples[i]});
  }
}

/// A run that did not send what was asked for says nothing of the asked rate.
std::string why_inconclusive(const Tally& tally) {
  const auto count = [&](Failure kind) { return tally.failures[static_cast<std::size_t>(kind)]; };
  if (const auto late = count(Failure::late); late != 0) {
    return fmt::format(
        "the client was the bottleneck: it came to {} requests only after their timeout", late);
  }
  if (const auto held = count(Failure::backlog); held != 0) {
    return fmt::format(
        "{} requests were not sent, since too much waited on their connections already", held);
  }
  return {};
}

}  // namespace

reports::Latency latency_of(const Histogram& histogram) {
  reports::Latency latency;
  if (histogram.empty()) return latency;
  latency.quantiles = {
      histogram.count(),          histogram.min(),          histogram.quantile(0.5),
      histogram.quantile(0.9),    histogram.quantile(0.99), histogram.quantile(0.999),
      histogram.quantile(0.9999), histogram.max(),          histogram.mean()};
  latency.histogram = encode_compressed_base64(histogram);
  return latency;
}

void summarise(const Tally& tally, const Requests& requests, reports::LoadResult& result) {
  const bool open = result.loop == reports::LoopKind::open;
  const auto corrected = open ? &PartTally::corrected : &PartTally::uncorrected;
  for (std::size_t i = 0; i < tally.parts.size(); ++i) {
    const PartTally& part = tally.parts[i];
    result.operations.push_back({requests.parts()[i].name, part.counts, latency_of(part.*corrected),
                                 latency_of(part.uncorrected)});
  }
  result.counts = tally.total();
  result.corrected = latency_of(sum(tally, corrected));
  result.uncorrected = latency_of(sum(tally, &PartTally::uncorrected));
  result.send_lag = latency_of(tally.send_lag);
  add_errors(tally, result);
  result.inconclusive = why_inconclusive(tally);
  result.bytes_out = tally.bytes_out;
  result.bytes_in = tally.bytes_in;
  result.requests_per_write = ratio(tally.sent, tally.writes);
  result.replies_per_read = ratio(result.counts.completed, tally.reads);
}

reports::SecondSample sample_of(const Tally& tally, std::uint64_t second, bool open_loop) {
  const auto latencies = sum(tally, open_loop ? &PartTally::corrected : &PartTally::uncorrected);
  const auto counts = tally.total();
  return {second,
          tally.sent,
          counts.completed,
          counts.failed + counts.timed_out + counts.shed,
          latencies.quantile(0.5),
          latencies.quantile(0.99),
          latencies.max()};
}

}  // namespace hallmark::loadgen
