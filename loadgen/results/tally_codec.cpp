#include "loadgen/results/tally_codec.hpp"

#include "base/byte_stream.hpp"
#include "loadgen/histogram/hdr_codec.hpp"

namespace hallmark::loadgen {
namespace {

using base::ByteReader;
using base::ByteWriter;
using base::Error;
using base::Result;

constexpr std::uint64_t Tally::*plain_counts[] = {
    &Tally::client_late, &Tally::sent,         &Tally::bytes_out,
    &Tally::bytes_in,    &Tally::writes,       &Tally::reads,
    &Tally::deliveries,  &Tally::late_replies, &Tally::reconnects};

constexpr std::uint64_t reports::LoadCounts::*load_counts[] = {
    &reports::LoadCounts::planned, &reports::LoadCounts::completed, &reports::LoadCounts::timed_out,
    &reports::LoadCounts::shed, &reports::LoadCounts::failed};

void put(ByteWriter& out, const Histogram& histogram) {
  out.number(histogram.count());
  if (histogram.empty()) return;
  const Histogram::Exact exact = histogram.exact();
  for (const std::uint64_t one : {exact.min, exact.max, exact.sum_high, exact.sum_low})
    out.number(one);
  out.bytes(encode_v2(histogram));
}

/// Adds in place: a histogram takes a quarter of a megabyte, and a message has many.
Result<void> get(ByteReader& in, Histogram& sum) {
  const std::uint64_t count = in.number();
  if (count == 0) return {};
  Histogram::Exact exact;
  for (std::uint64_t* const one : {&exact.min, &exact.max, &exact.sum_high, &exact.sum_low})
    *one = in.number();
  const std::uint64_t counted = sum.count() + count;
  if (const auto added = add_v2(in.bytes(), exact, sum); !added) return added;
  if (sum.count() != counted) return Error{"a histogram of another count"};
  return {};
}

void put(ByteWriter& out, const CensoredHistogram& histogram) {
  put(out, histogram.known());
  out.number(histogram.waits().empty() ? 0 : 1);
  if (!histogram.waits().empty()) put(out, histogram.waits());
  const auto* const blamed = histogram.blamed();
  out.number(blamed == nullptr ? 0 : 1);
  if (blamed == nullptr) return;
  put(out, blamed->with);
  put(out, blamed->without);
}

Result<void> get(ByteReader& in, CensoredHistogram& sum) {
  if (const auto read = get(in, sum.known()); !read) return read;
  if (in.number() != 0) {
    if (const auto read = get(in, sum.waits_to_add_to()); !read) return read;
  }
  if (in.number() == 0) return {};
  auto& blamed = sum.blamed_to_add_to();
  if (const auto read = get(in, blamed.with); !read) return read;
  return get(in, blamed.without);
}

void put(ByteWriter& out, const Ledger& part) {
  for (const auto count : load_counts) out.number(part.counts().*count);
  out.number(part.drained());
  if (part.open_loop()) put(out, part.corrected());
  put(out, part.uncorrected());
}

/// The latencies that a message has for one part of the mix. All parts share this memory.
struct PartLatencies {
  CensoredHistogram corrected;
  CensoredHistogram uncorrected;
};

Result<void> get(ByteReader& in, PartLatencies& latencies, Ledger& sum) {
  reports::LoadCounts counts;
  for (const auto count : load_counts) counts.*count = in.number();
  const std::uint64_t drained = in.number();
  latencies.corrected.reset();
  latencies.uncorrected.reset();
  if (sum.open_loop()) {
    if (const auto read = get(in, latencies.corrected); !read) return read;
  }
  if (const auto read = get(in, latencies.uncorrected); !read) return read;
  sum.add(counts, drained, latencies.corrected, latencies.uncorrected);
  return {};
}

}  // namespace

base::Bytes encode(const Tally& tally) {
  ByteWriter out;
  out.number(tally.parts.size());
  for (const Ledger& part : tally.parts) put(out, part);
  for (std::size_t i = 0; i < failure_kinds; ++i) {
    out.number(tally.failures[i]);
    out.text(tally.examples[i]);
  }
  put(out, tally.send_lag);
  for (const auto count : plain_counts) out.number(tally.*count);
  return std::move(out).take();
}

Result<void> add_encoded(base::ByteView bytes, Tally& sum) {
  ByteReader in(bytes);
  if (in.number() != sum.parts.size()) return Error{"a tally of another mix"};
  PartLatencies latencies;
  for (Ledger& part : sum.parts) {
    if (const auto read = get(in, latencies, part); !read) return read;
  }
  for (std::size_t i = 0; i < failure_kinds; ++i) {
    sum.failures[i] += in.number();
    std::string example = in.text();
    if (sum.examples[i].empty()) sum.examples[i] = std::move(example);
  }
  if (const auto read = get(in, sum.send_lag); !read) return read;
  for (const auto count : plain_counts) sum.*count += in.number();
  if (!in.ok() || !in.at_end()) return Error{"a tally of another length"};
  return {};
}

}  // namespace hallmark::loadgen
