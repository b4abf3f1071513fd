#include "loadgen/results/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "loadgen/histogram/hdr_codec.hpp"

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

Unanswered sum(const Tally& tally, Unanswered PartTally::*which) {
  Unanswered all;
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

/// The value at the quantile of all requests, the unanswered ones behind all others; nothing where
/// one of those may be there.
std::optional<std::uint64_t> known_quantile(const Histogram& histogram, double q,
                                            const Unanswered& lost) {
  if (lost.count == 0) return histogram.quantile(q);
  const auto all = static_cast<double>(histogram.count() + lost.count);
  // Half a request below the rank, so that no rounding makes it the next one.
  const double rank = std::max(1.0, std::ceil(q * all * (1 - 1e-12)));
  if (rank > static_cast<double>(histogram.count())) return std::nullopt;
  const auto value = histogram.quantile((rank - 0.5) / static_cast<double>(histogram.count()));
  if (value > lost.beyond_ns) return std::nullopt;
  return value;
}

std::string why_unknown(const Histogram& histogram, const Unanswered& lost) {
  const auto all = histogram.count() + lost.count;
  return fmt::format(
      "{} of {} requests were not answered in time: quantiles above {:.4f} % are unknown",
      base::grouped(lost.count), base::grouped(all),
      std::floor(1e6 * ratio(histogram.count(), all)) / 1e4);
}

}  // namespace

reports::Latency latency_of(const Histogram& histogram, const Unanswered& lost) {
  if (lost.count == 0) return latency_of(histogram);
  reports::Latency latency = latency_of(histogram);
  const auto quantile = [&](double q) { return known_quantile(histogram, q, lost); };
  auto& known = latency.quantiles;
  known = {histogram.count(), histogram.min(),  quantile(0.5), quantile(0.9), quantile(0.99),
           quantile(0.999),   quantile(0.9999), std::nullopt,  std::nullopt};
  latency.censored = {lost.count, lost.beyond_ns, why_unknown(histogram, lost)};
  return latency;
}

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

void summarise(const Tally& tally, std::span<const std::string> names,
               reports::LoadResult& result) {
  const bool open = result.loop == reports::LoopKind::open;
  const auto corrected = open ? &PartTally::corrected : &PartTally::uncorrected;
  for (std::size_t i = 0; i < tally.parts.size(); ++i) {
    const PartTally& part = tally.parts[i];
    result.operations.push_back(
        {names[i], part.counts,
         latency_of(part.*corrected, open ? part.corrected_lost : part.uncorrected_lost),
         latency_of(part.uncorrected, part.uncorrected_lost)});
  }
  result.counts = tally.total();
  const auto corrected_lost = open ? &PartTally::corrected_lost : &PartTally::uncorrected_lost;
  result.corrected = latency_of(sum(tally, corrected), sum(tally, corrected_lost));
  result.uncorrected =
      latency_of(sum(tally, &PartTally::uncorrected), sum(tally, &PartTally::uncorrected_lost));
  result.send_lag = latency_of(tally.send_lag);
  add_errors(tally, result);
  result.inconclusive = why_inconclusive(tally);
  result.bytes_out = tally.bytes_out;
  result.bytes_in = tally.bytes_in;
  result.requests_per_write = ratio(tally.sent, tally.writes);
  result.replies_per_read = ratio(result.counts.completed, tally.reads);
}

std::vector<reports::SlowRequestFacts> slowest_of(const Tally& tally, const Requests& requests) {
  const auto time = [](std::int64_t ns) {
    return static_cast<std::uint64_t>(std::max<std::int64_t>(ns, 0));
  };
  const auto known = [&](std::int64_t ns) {
    return ns < 0 ? std::nullopt : std::optional(time(ns));
  };
  std::vector<reports::SlowRequestFacts> facts;
  for (const SlowRequest& slow : tally.slowest.ranked()) {
    const RequestPart& part = requests.parts()[slow.part];
    auto& one = facts.emplace_back();
    one.latency_ns = slow.latency_ns;
    one.operation = part.name;
    one.key = requests.key_text(part, slow.key);
    one.index = slow.index;
    one.connection = slow.connection;
    one.place_in_write = slow.place_in_write;
    one.place_in_read = slow.place_in_read;
    one.planned_ns = time(slow.planned_ns);
    one.sent_ns = time(slow.sent_ns);
    one.kernel_sent_ns = known(slow.kernel_sent_ns);
    one.kernel_received_ns = known(slow.kernel_received_ns);
    one.read_ns = time(slow.read_ns);
    one.tcp = slow.tcp;
  }
  return facts;
}

reports::StageLatencies stages_of(const StageTimes& stages) {
  return {latency_of(stages.planned_to_written), latency_of(stages.written_to_kernel_sent),
          latency_of(stages.kernel_sent_to_received), latency_of(stages.kernel_received_to_read),
          stages.without_kernel_times};
}

reports::FanOut fan_out_of(const Tally& tally, const Requests& requests,
                           std::uint32_t subscribers) {
  reports::FanOut facts;
  facts.subscribers = subscribers;
  for (std::size_t i = 0; i < tally.parts.size(); ++i) {
    if (requests.parts()[i].name == "publish") facts.published += tally.parts[i].counts.completed;
  }
  facts.expected = facts.published * subscribers;
  facts.delivered = tally.delivered.counted;
  facts.unstamped = tally.delivered.unstamped;
  facts.latency = latency_of(tally.delivered.latency);
  return facts;
}

reports::SecondSample sample_of(const Tally& tally, std::uint64_t second, double length_s,
                                bool open_loop) {
  const auto latencies = sum(tally, open_loop ? &PartTally::corrected : &PartTally::uncorrected);
  const auto lost =
      sum(tally, open_loop ? &PartTally::corrected_lost : &PartTally::uncorrected_lost);
  const auto counts = tally.total();
  reports::SecondSample sample{.second = second,
                               .sent = tally.sent,
                               .completed = counts.completed,
                               .errors = counts.failed + counts.timed_out + counts.shed};
  sample.p50 = known_quantile(latencies, 0.5, lost);
  sample.p99 = known_quantile(latencies, 0.99, lost);
  sample.max = known_quantile(latencies, 1, lost);
  sample.length_s = length_s;
  if (!latencies.empty()) sample.histogram = encode_compressed_base64(latencies);
  return sample;
}

reports::SecondSample together(const reports::SecondSample& first,
                               const reports::SecondSample& second) {
  reports::SecondSample both = first;
  both.sent += second.sent;
  both.completed += second.completed;
  both.errors += second.errors;
  both.length_s += second.length_s;
  Histogram latencies;
  for (const auto* const one : {&first, &second}) {
    if (one->histogram.empty()) continue;
    if (const auto histogram = decode_compressed_base64(one->histogram)) latencies.add(*histogram);
  }
  if (latencies.empty()) return both;
  both.histogram = encode_compressed_base64(latencies);
  // What is hidden in one of them is hidden in both.
  const auto quantile = [&](std::optional<std::uint64_t> reports::SecondSample::*which, double q) {
    if (first.*which && second.*which)
      both.*which = latencies.quantile(q);
    else
      (both.*which).reset();
  };
  quantile(&reports::SecondSample::p50, 0.5);
  quantile(&reports::SecondSample::p99, 0.99);
  both.max.reset();
  if (first.max && second.max) both.max = std::max(*first.max, *second.max);
  return both;
}

}  // namespace hallmark::loadgen
