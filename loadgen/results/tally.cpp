#include "loadgen/results/tally.hpp"

namespace hallmark::loadgen {

void Deliveries::add(const Deliveries& other) {
  counted += other.counted;
  unstamped += other.unstamped;
  latency.add(other.latency);
}

void Deliveries::reset() {
  counted = unstamped = 0;
  latency.reset();
}

Tally::Tally(std::size_t count, bool staged, bool open_loop)
    : stages(staged ? std::make_unique<StageTimes>() : nullptr) {
  for (std::size_t i = 0; i < count; ++i) parts.emplace_back(open_loop);
}

void Tally::fail(Failure failure, std::string_view example) {
  ++failures[static_cast<std::size_t>(failure)];
  std::string& kept = examples[static_cast<std::size_t>(failure)];
  if (kept.empty()) kept = example;
}

void Tally::lose(std::size_t part, Failure why, std::string_view example,
                 const RequestTimes& request, std::int64_t until_ns) {
  parts[part].lose(why, request, until_ns);
  fail(why, example);
}

void Tally::plan_until(std::int64_t end_ns) noexcept {
  for (Ledger& part : parts) part.plan_until(end_ns);
}

void Tally::add(const Tally& other) {
  for (std::size_t i = 0; i < parts.size(); ++i) parts[i].add(other.parts[i]);
  for (std::size_t i = 0; i < failure_kinds; ++i) {
    failures[i] += other.failures[i];
    if (examples[i].empty()) examples[i] = other.examples[i];
  }
  send_lag.add(other.send_lag);
  slowest.add(other.slowest);
  delivered.add(other.delivered);
  if (stages && other.stages) stages->add(*other.stages);
  client_late += other.client_late;
  sent += other.sent;
  bytes_out += other.bytes_out;
  bytes_in += other.bytes_in;
  writes += other.writes;
  reads += other.reads;
  deliveries += other.deliveries;
  late_replies += other.late_replies;
  reconnects += other.reconnects;
}

void Tally::reset() {
  for (Ledger& part : parts) part.reset();
  failures = {};
  for (std::string& example : examples) example.clear();
  send_lag.reset();
  slowest.reset();
  delivered.reset();
  if (stages) stages->reset();
  observed.clear();
  unobserved_since_ns = INT64_MAX;
  client_late = 0;
  sent = bytes_out = bytes_in = writes = reads = deliveries = late_replies = reconnects = 0;
}

reports::LoadCounts Tally::total() const {
  reports::LoadCounts sum;
  for (const Ledger& part : parts) sum = sum + part.counts();
  return sum;
}

std::uint64_t Tally::drained() const {
  std::uint64_t sum = 0;
  for (const Ledger& part : parts) sum += part.drained();
  return sum;
}

}  // namespace hallmark::loadgen
