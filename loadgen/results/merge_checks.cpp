#include "loadgen/results/merge_checks.hpp"

#include <algorithm>
#include <initializer_list>

namespace hallmark::loadgen {
namespace {

using reports::AdmissionChecks;
using reports::DatagramCounts;
using reports::DatagramLoad;
using reports::LimitChecks;
using reports::LoadResult;
using reports::RecordChecks;
using reports::ServerCounts;
using reports::SocketTrouble;
using reports::StoreCounts;
using reports::StoreLoad;

/// The most findings that each list keeps.
constexpr std::size_t most_findings = 8;

template <class T>
void add(T& sum, const T& one, std::initializer_list<std::uint64_t T::*> counts) {
  for (std::uint64_t T::*const count : counts) sum.*count += one.*count;
}

template <class Finding>
void append(std::vector<Finding>& all, const std::vector<Finding>& some) {
  for (const Finding& one : some) {
    if (all.size() < most_findings) all.push_back(one);
  }
}

void add(RecordChecks& sum, const RecordChecks& one) {
  add(sum, one,
      {&RecordChecks::keys, &RecordChecks::requests, &RecordChecks::given_up,
       &RecordChecks::undecided, &RecordChecks::violated, &RecordChecks::inserts,
       &RecordChecks::inserts_twice, &RecordChecks::counters, &RecordChecks::counters_wrong});
  append(sum.violations, one.violations);
}

void add(LimitChecks& sum, const LimitChecks& one) {
  add(sum, one,
      {&LimitChecks::uses, &LimitChecks::decided, &LimitChecks::unlimited,
       &LimitChecks::over_admissions, &LimitChecks::under_admissions, &LimitChecks::wrong_rates,
       &LimitChecks::wrong_limits, &LimitChecks::undecided});
  append(sum.findings, one.findings);
}

void add(ServerCounts& sum, const ServerCounts& one) {
  add(sum, one,
      {&ServerCounts::keys, &ServerCounts::unanswered, &ServerCounts::disagreeing,
       &ServerCounts::n_req, &ServerCounts::at_least, &ServerCounts::at_most});
  if (sum.example.empty()) sum.example = one.example;
}

void add(DatagramLoad& sum, const DatagramLoad& one);
void add(StoreLoad& sum, const StoreLoad& one);

template <class T>
void add(std::optional<T>& sum, const std::optional<T>& one) {
  if (!one) return;
  if (!sum) sum.emplace();
  add(*sum, *one);
}

void add(DatagramLoad& sum, const DatagramLoad& one) {
  add(sum.counts, one.counts,
      {&DatagramCounts::planned, &DatagramCounts::shed, &DatagramCounts::not_sent,
       &DatagramCounts::sent, &DatagramCounts::received, &DatagramCounts::malformed,
       &DatagramCounts::late, &DatagramCounts::lost, &DatagramCounts::datagrams,
       &DatagramCounts::duplicate, &DatagramCounts::unmatched, &DatagramCounts::unreadable});
  add(sum.trouble, one.trouble,
      {&SocketTrouble::would_block, &SocketTrouble::no_buffers, &SocketTrouble::refused,
       &SocketTrouble::other, &SocketTrouble::receive_overflow});
  // The buffer of each socket is that of the run with the least room.
  const bool first = sum.receive_buffer == 0;
  sum.receive_buffer =
      first ? one.receive_buffer : std::min(sum.receive_buffer, one.receive_buffer);
  if (sum.accounting_error.empty()) sum.accounting_error = one.accounting_error;
  add(sum.limits, one.limits);
  add(sum.server, one.server);
}

void add(StoreLoad& sum, const StoreLoad& one) {
  add(sum.counts, one.counts,
      {&StoreCounts::allowed, &StoreCounts::denied, &StoreCounts::conflicts, &StoreCounts::retries,
       &StoreCounts::gave_up});
  add(sum.admissions, one.admissions,
      {&AdmissionChecks::judged, &AdmissionChecks::not_judged, &AdmissionChecks::exceeded});
  append(sum.admissions.findings, one.admissions.findings);
}

}  // namespace

void merge_checks(std::span<const LoadResult> runs, LoadResult& merged) {
  for (const LoadResult& run : runs) {
    add(merged.records, run.records);
    add(merged.datagram, run.datagram);
    add(merged.store, run.store);
  }
}

}  // namespace hallmark::loadgen
