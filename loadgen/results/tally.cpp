#include "loadgen/results/tally.hpp"

namespace hallmark::loadgen {

std::string_view name_of(Failure failure) {
  switch (failure) {
    case Failure::timeout: return "timeout";
    case Failure::late: return "client too late";
    case Failure::backlog: return "connection backlog";
    case Failure::no_connection: return "no connection";
    case Failure::refused: return "connection refused";
    case Failure::reset: return "connection reset";
    case Failure::closed: return "connection closed";
    case Failure::connection_error: return "connection error";
    case Failure::malformed: return "malformed reply";
    case Failure::wrong_status: return "wrong status";
    case Failure::wrong_content: return "wrong content";
    case Failure::wrong_id: return "reply to another request";
    case Failure::foreign_value: return "value nobody wrote";
    case Failure::unexpected_bytes: return "unexpected bytes";
    case Failure::not_sent: return "not sent";
    case Failure::abandoned: return "connection given up";
    case Failure::conflict: return "conflicts";
    case Failure::bad_state: return "malformed state";
    case Failure::store_refused: return "refused by the store";
  }
  return "unknown";
}

void PartTally::add(const PartTally& other) {
  counts = counts + other.counts;
  corrected.add(other.corrected);
  uncorrected.add(other.uncorrected);
  corrected_lost.add(other.corrected_lost);
  uncorrected_lost.add(other.uncorrected_lost);
}

void PartTally::reset() {
  counts = {};
  corrected.reset();
  uncorrected.reset();
  corrected_lost = {};
  uncorrected_lost = {};
}

void Deliveries::add(const Deliveries& other) {
  counted += other.counted;
  unstamped += other.unstamped;
  latency.add(other.latency);
}

void Deliveries::reset() {
  counted = unstamped = 0;
  latency.reset();
}

void Tally::fail(Failure failure, std::string_view example) {
  fail(failure);
  std::string& kept = examples[static_cast<std::size_t>(failure)];
  if (kept.empty()) kept = example;
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
}

void Tally::reset() {
  for (PartTally& part : parts) part.reset();
  failures = {};
  for (std::string& example : examples) example.clear();
  send_lag.reset();
  slowest.reset();
  delivered.reset();
  if (stages) stages->reset();
  observed.clear();
  unobserved_since_ns = INT64_MAX;
  client_late = 0;
  sent = bytes_out = bytes_in = writes = reads = deliveries = late_replies = 0;
}

reports::LoadCounts Tally::total() const {
  reports::LoadCounts sum;
  for (const PartTally& part : parts) sum = sum + part.counts;
  return sum;
}

reports::LoadCounts operator+(const reports::LoadCounts& a, const reports::LoadCounts& b) {
  return {a.planned + b.planned, a.completed + b.completed, a.timed_out + b.timed_out,
          a.shed + b.shed, a.failed + b.failed};
}

}  // namespace hallmark::loadgen
