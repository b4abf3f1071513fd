#include "loadgen/results/summary.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "loadgen/histogram/hdr_codec.hpp"

namespace hallmark::loadgen {
namespace {

double ratio(std::uint64_t a, std::uint64_t b) {
  return b == 0 ? 0.0 : static_cast<double>(a) / static_cast<double>(b);
}

using LatencyIn = const CensoredHistogram& (Ledger::*)() const;

CensoredHistogram sum(const Tally& tally, LatencyIn which) {
  CensoredHistogram all;
  for (const Ledger& part : tally.parts) all.add((part.*which)());
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
  if (const auto refused = count(Failure::not_sent); refused != 0) {
    return fmt::format("the client's own system refused to send {} requests: {}", refused,
                       tally.examples[static_cast<std::size_t>(Failure::not_sent)]);
  }
  if (const auto starved = count(Failure::starved); starved != 0) {
    return fmt::format("the client had no port or no descriptor for {} requests: {}", starved,
                       tally.examples[static_cast<std::size_t>(Failure::starved)]);
  }
  return {};
}

std::string why_censored(const CensoredHistogram& histogram) {
  return fmt::format(
      "{} of {} requests have no reply: a quantile among them is at least (>=) the "
      "time that was waited",
      base::grouped(histogram.waits().count()), base::grouped(histogram.count()));
}

/// The histogram as a report keeps it; an empty text if the histogram is empty.
std::string kept(const Histogram& histogram) {
  return histogram.empty() ? std::string() : encode_compressed_base64(histogram);
}

}  // namespace

namespace {

/// Returns all but the histograms.
reports::Latency quantiles_of(const CensoredHistogram& histogram) {
  reports::Latency latency;
  if (histogram.empty()) return latency;
  const auto at = [&](double q) { return histogram.quantile(q); };
  const Histogram& known = histogram.known();
  latency.quantiles = {known.count(), known.min(), at(0.5),         at(0.9),         at(0.99),
                       at(0.999),     at(0.9999),  histogram.max(), histogram.mean()};
  if (const Histogram& waits = histogram.waits(); !waits.empty())
    latency.censored = {waits.count(), waits.min(), {}, why_censored(histogram)};
  return latency;
}

}  // namespace

reports::Latency latency_of(const CensoredHistogram& histogram) {
  reports::Latency latency = quantiles_of(histogram);
  latency.histogram = kept(histogram.known());
  if (latency.censored) latency.censored->histogram = kept(histogram.waits());
  if (const auto* const blamed = histogram.blamed())
    latency.client_delayed = {kept(blamed->with), kept(blamed->without)};
  return latency;
}

reports::Latency latency_of(const Histogram& histogram) {
  CensoredHistogram uncensored;
  uncensored.add(histogram, {});
  return latency_of(uncensored);
}

void summarise(const Tally& tally, std::span<const std::string> names, reports::LoadResult& result,
               OfOperations of_operations) {
  const auto latency = [&](const CensoredHistogram& histogram) {
    return of_operations == OfOperations::histograms ? latency_of(histogram)
                                                     : quantiles_of(histogram);
  };
  for (std::size_t i = 0; i < tally.parts.size(); ++i) {
    const Ledger& part = tally.parts[i];
    result.operations.push_back(
        {names[i], part.counts(), latency(part.corrected()), latency(part.uncorrected())});
  }
  result.counts = tally.total();
  result.corrected = latency_of(sum(tally, &Ledger::corrected));
  result.uncorrected = latency_of(sum(tally, &Ledger::uncorrected));
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
    if (requests.parts()[i].name == "publish") facts.published += tally.parts[i].counts().completed;
  }
  facts.expected = facts.published * subscribers;
  facts.delivered = tally.delivered.counted;
  facts.unstamped = tally.delivered.unstamped;
  facts.latency = latency_of(tally.delivered.latency);
  return facts;
}

namespace {

/// The latencies of the sample are these.
void set_latencies(reports::SecondSample& sample, const CensoredHistogram& latencies) {
  sample.p50 = latencies.quantile(0.5);
  sample.p99 = latencies.quantile(0.99);
  sample.max = latencies.max();
  sample.histogram = kept(latencies.known());
  sample.censored = kept(latencies.waits());
}

}  // namespace

reports::SecondSample sample_of(const Tally& tally, std::uint64_t second, double length_s) {
  const auto counts = tally.total();
  reports::SecondSample sample{.second = second,
                               .sent = tally.sent,
                               .completed = counts.completed,
                               .errors = counts.failed + counts.timed_out + counts.shed};
  sample.length_s = length_s;
  sample.drained = tally.drained();
  sample.reconnects = tally.reconnects;
  set_latencies(sample, sum(tally, &Ledger::corrected));
  return sample;
}

base::Result<CensoredHistogram> latency_of(const reports::SecondSample& sample) {
  Histogram parts[2];
  const std::string* const texts[] = {&sample.histogram, &sample.censored};
  for (std::size_t i = 0; i < 2; ++i) {
    if (texts[i]->empty()) continue;
    auto decoded = decode_compressed_base64(*texts[i]);
    if (!decoded) return decoded.error();
    parts[i] = std::move(*decoded);
  }
  CensoredHistogram latency;
  latency.add(parts[0], parts[1]);
  return latency;
}

namespace {

/// The sum of two samples, with the first one's place and length.
reports::SecondSample sum_of(const reports::SecondSample& first,
                             const reports::SecondSample& second) {
  reports::SecondSample both = first;
  both.sent += second.sent;
  both.completed += second.completed;
  both.errors += second.errors;
  both.drained += second.drained;
  both.reconnects += second.reconnects;
  CensoredHistogram latencies;
  for (const auto* const one : {&first, &second}) {
    if (const auto histogram = latency_of(*one)) latencies.add(*histogram);
  }
  set_latencies(both, latencies);
  both.max.value = std::max(first.max.value, second.max.value);  // exact, unlike a bucket
  for (const auto* const one : {&first, &second}) {
    keep_mark(both.p50, one->p50);
    keep_mark(both.p99, one->p99);
    keep_mark(both.max, one->max);
  }
  return both;
}

}  // namespace

reports::SecondSample together(const reports::SecondSample& first,
                               const reports::SecondSample& second) {
  reports::SecondSample both = sum_of(first, second);
  both.length_s = first.length_s + second.length_s;
  return both;
}

reports::SecondSample side_by_side(const reports::SecondSample& first,
                                   const reports::SecondSample& second) {
  reports::SecondSample both = sum_of(first, second);
  both.length_s = std::max(first.length_s, second.length_s);
  return both;
}

}  // namespace hallmark::loadgen
