#pragma once
// The members of every saved result of a load, named once for the writer and the reader: as
// reports/json_fields.hpp says.
#include "reports/json_fields.hpp"
#include "reports/load/knee.hpp"
#include "reports/load/load_comparison.hpp"
#include "reports/load/load_result.hpp"

namespace hallmark::reports {

void describe(auto& archive, Is<LoadCounts> auto& value) {
  archive("planned", value.planned);
  archive("completed", value.completed);
  archive("timed_out", value.timed_out);
  archive("shed", value.shed);
  archive("failed", value.failed);
}

/// The keys of a number and of its flags.
struct BoundedKeys {
  const char* value;
  const char* at_least;
  const char* by_client;
  const char* client_part;
};

/// A number, and under keys of their own that it is a lower bound, that the client could explain
/// it, and the part that the client accounts for.
void describe_bounded(auto& archive, const BoundedKeys& keys, auto& bounded) {
  archive(keys.value, bounded.value);
  archive(keys.at_least, OrAbsent{bounded.at_least});
  archive(keys.by_client, OrAbsent{bounded.by_client});
  archive(keys.client_part, OrAbsent{bounded.client_part});
}

void describe(auto& archive, Is<Quantiles> auto& value) {
  archive("count", value.count);
  archive("min", value.min);
  describe_bounded(archive, {"p50", "p50_at_least", "p50_by_client", "p50_client_part"}, value.p50);
  describe_bounded(archive, {"p90", "p90_at_least", "p90_by_client", "p90_client_part"}, value.p90);
  describe_bounded(archive, {"p99", "p99_at_least", "p99_by_client", "p99_client_part"}, value.p99);
  describe_bounded(archive, {"p99_9", "p99_9_at_least", "p99_9_by_client", "p99_9_client_part"},
                   value.p999);
  describe_bounded(archive, {"p99_99", "p99_99_at_least", "p99_99_by_client", "p99_99_client_part"},
                   value.p9999);
  describe_bounded(archive, {"max", "max_at_least", "max_by_client", "max_client_part"}, value.max);
  describe_bounded(archive, {"mean", "mean_at_least", "mean_by_client", "mean_client_part"},
                   value.mean);
}

void describe(auto& archive, Is<Censored> auto& value) {
  archive("count", value.count);
  archive("least_ns", value.least_ns);
  archive("histogram", value.histogram);
  archive("reason", value.reason);
}

void describe(auto& archive, Is<ClientDelayed> auto& value) {
  archive("with", value.with);
  archive("without", value.without);
}

void describe(auto& archive, Is<Latency> auto& value) {
  archive("quantiles_ns", value.quantiles);
  archive("histogram", value.histogram);
  archive("censored", value.censored);
  archive("client_delayed", value.client_delayed);
}

void describe(auto& archive, Is<OperationLoad> auto& value) {
  archive("operation", value.operation);
  archive("counts", value.counts);
  archive("corrected", value.corrected);
  archive("uncorrected", value.uncorrected);
}

void describe(auto& archive, Is<ErrorKind> auto& value) {
  archive("kind", value.kind);
  archive("count", value.count);
  archive("example", value.example);
}

void describe(auto& archive, Is<SecondSample> auto& value) {
  archive("second", value.second);
  archive("sent", value.sent);
  archive("completed", value.completed);
  archive("errors", value.errors);
  describe_bounded(archive, {"p50_ns", "p50_at_least", "p50_by_client", "p50_client_part_ns"},
                   value.p50);
  describe_bounded(archive, {"p99_ns", "p99_at_least", "p99_by_client", "p99_client_part_ns"},
                   value.p99);
  describe_bounded(archive, {"max_ns", "max_at_least", "max_by_client", "max_client_part_ns"},
                   value.max);
  archive("length_seconds", value.length_s);
  archive("histogram", OrAbsent{value.histogram});
  archive("censored", OrAbsent{value.censored});
  archive("drained", OrAbsent{value.drained});
  archive("reconnects", OrAbsent{value.reconnects});
}

void describe(auto& archive, Is<DatagramCounts> auto& value) {
  archive("planned", value.planned);
  archive("shed", value.shed);
  archive("not_sent", value.not_sent);
  archive("sent", value.sent);
  archive("received", value.received);
  archive("malformed", value.malformed);
  archive("late", value.late);
  archive("lost", value.lost);
  archive("datagrams", value.datagrams);
  archive("duplicate", value.duplicate);
  archive("unmatched", value.unmatched);
  archive("unreadable", value.unreadable);
}

void describe(auto& archive, Is<SocketTrouble> auto& value) {
  archive("would_block", value.would_block);
  archive("no_buffers", value.no_buffers);
  archive("refused", value.refused);
  archive("other", value.other);
  archive("receive_overflow", value.receive_overflow);
}

void describe(auto& archive, Is<ServerCounts> auto& value) {
  archive("keys", value.keys);
  archive("unanswered", value.unanswered);
  archive("disagreeing", value.disagreeing);
  archive("n_req", value.n_req);
  archive("at_least", value.at_least);
  archive("at_most", value.at_most);
  archive("example", value.example);
}

void describe(auto& archive, Is<LimitedUse> auto& value) {
  archive("sent_ns", value.sent_ns);
  archive("received_ns", value.received_ns);
  archive("over", value.over);
  archive("rate", value.rate);
}

void describe(auto& archive, Is<LimitFinding> auto& value) {
  archive("kind", value.kind);
  archive("key", value.key);
  archive("from_ns", value.from_ns);
  archive("to_ns", value.to_ns);
  archive("admitted", value.admitted);
  archive("allowed", value.allowed);
  archive("reason", value.reason);
  archive("uses", value.uses);
}

void describe(auto& archive, Is<LimitChecks> auto& value) {
  archive("uses", value.uses);
  archive("decided", value.decided);
  archive("unlimited", value.unlimited);
  archive("over_admissions", value.over_admissions);
  archive("under_admissions", value.under_admissions);
  archive("wrong_rates", value.wrong_rates);
  archive("wrong_limits", value.wrong_limits);
  archive("undecided", value.undecided);
  archive("findings", value.findings);
}

void describe(auto& archive, Is<DatagramLoad> auto& value) {
  archive("counts", value.counts);
  archive("trouble", value.trouble);
  archive("receive_buffer", value.receive_buffer);
  archive("accounting_error", value.accounting_error);
  archive("limits", value.limits);
  archive("server", value.server);
}

void describe(auto& archive, Is<StoreCounts> auto& value) {
  archive("allowed", value.allowed);
  archive("denied", value.denied);
  archive("conflicts", value.conflicts);
  archive("retries", value.retries);
  archive("gave_up", value.gave_up);
}

void describe(auto& archive, Is<AdmissionFinding> auto& value) {
  archive("key", value.key);
  archive("from_ns", value.from_ns);
  archive("to_ns", value.to_ns);
  archive("admitted", value.admitted);
  archive("allowed", value.allowed);
  archive("reason", value.reason);
}

void describe(auto& archive, Is<AdmissionChecks> auto& value) {
  archive("judged", value.judged);
  archive("not_judged", value.not_judged);
  archive("exceeded", value.exceeded);
  archive("findings", value.findings);
}

void describe(auto& archive, Is<StoreLoad> auto& value) {
  archive("counts", value.counts);
  archive("admissions", value.admissions);
}

void describe(auto& archive, Is<ObjectiveOutcome> auto& value) {
  archive("objective", value.objective);
  archive("metric", value.metric);
  archive("measured", OrNull{value.measured});
  archive("shown", value.shown);
  archive("met", value.met);
  archive("at_least", OrAbsent{value.at_least});
  archive("proven", OrAbsent{value.proven});
}

/// Leaves out the exit code, which follows from the rest.
void describe(auto& archive, Is<ProcessTest> auto& value) {
  archive("as_asked", value.as_asked);
  archive("span", value.span);
  archive("spans", value.spans);
  archive("statistic", value.statistic);
  archive("p_value", value.p_value);
}

void describe(auto& archive, Is<ScheduleCertificate> auto& value) {
  archive("arrivals", value.arrivals);
  archive("lag_bound_ns", value.lag_bound_ns);
  archive("late_share", value.late_share);
  archive("test", value.test);
}

void describe(auto& archive, Is<ThreadShares> auto& value) {
  archive("busy", value.busy);
  archive("waited", value.waited);
}

void describe(auto& archive, Is<SocketFacts> auto& value) {
  archive("count", value.count);
  archive("tcp", value.tcp);
  archive("no_delay", value.no_delay);
  archive("send_buffer_bytes", value.send_buffer_bytes);
  archive("receive_buffer_bytes", value.receive_buffer_bytes);
}

void describe(auto& archive, Is<LoadClient> auto& value) {
  archive("threads", value.threads);
  archive("stolen_share", value.stolen_share);
  archive("throttled_seconds", value.throttled_s);
  archive("schedule", value.schedule);
  archive("sockets", value.sockets);
  archive("taints", value.taints);
}

void describe(auto& archive, Is<TcpFacts> auto& value) {
  archive("round_trip_us", value.round_trip_us);
  archive("variation_us", value.variation_us);
  archive("congestion_window", value.congestion_window);
  archive("unacknowledged", value.unacknowledged);
  archive("retransmitted", value.retransmitted);
}

void describe(auto& archive, Is<SlowRequestFacts> auto& value) {
  archive("latency_ns", value.latency_ns);
  archive("operation", value.operation);
  archive("key", value.key);
  archive("index", value.index);
  archive("connection", value.connection);
  archive("place_in_write", value.place_in_write);
  archive("place_in_read", value.place_in_read);
  archive("planned_ns", value.planned_ns);
  archive("sent_ns", value.sent_ns);
  archive("kernel_sent_ns", value.kernel_sent_ns);
  archive("kernel_received_ns", value.kernel_received_ns);
  archive("read_ns", value.read_ns);
  archive("tcp", value.tcp);
}

void describe(auto& archive, Is<StageLatencies> auto& value) {
  archive("planned_to_written", value.planned_to_written);
  archive("written_to_kernel_sent", value.written_to_kernel_sent);
  archive("kernel_sent_to_received", value.kernel_sent_to_received);
  archive("kernel_received_to_read", value.kernel_received_to_read);
  archive("without_kernel_times", value.without_kernel_times);
}

void describe(auto& archive, Is<ConnectionFacts> auto& value) {
  archive("opened", value.opened);
  archive("replaced", value.replaced);
  archive("lost", value.lost);
  archive("regained", value.regained);
  archive("failed", value.failed);
  archive("longest_gap_ns", value.longest_gap_ns);
  archive("connecting", value.connecting);
}

void describe(auto& archive, Is<FanOut> auto& value) {
  archive("subscribers", value.subscribers);
  archive("published", value.published);
  archive("expected", value.expected);
  archive("delivered", value.delivered);
  archive("unstamped", value.unstamped);
  archive("latency", value.latency);
}

void describe(auto& archive, Is<RecordExchange> auto& value) {
  archive("connection", value.connection);
  archive("request_index", value.request_index);
  archive("sent_ns", value.sent_ns);
  archive("received_ns", value.received_ns);
  archive("request", value.request);
  archive("reply", value.reply);
}

void describe(auto& archive, Is<RecordViolation> auto& value) {
  archive("key", value.key);
  archive("reason", value.reason);
  archive("drawing", OrAbsent{value.drawing});
  archive("exchanges", OrAbsent{value.exchanges});
}

void describe(auto& archive, Is<RecordChecks> auto& value) {
  archive("keys", value.keys);
  archive("requests", value.requests);
  archive("given_up", value.given_up);
  archive("undecided", value.undecided);
  archive("violated", value.violated);
  archive("inserts", value.inserts);
  archive("inserts_twice", value.inserts_twice);
  archive("counters", value.counters);
  archive("counters_wrong", value.counters_wrong);
  archive("violations", OrAbsent{value.violations});
}

void describe(auto& archive, Is<Mean> auto& value) {
  describe_bounded(archive, {"value", "at_least", "by_client", "client_part"}, value);
}

void describe(auto& archive, Is<MetricSpread> auto& value) {
  archive("metric", value.metric);
  archive("runs", value.runs);
  archive("low", value.low);
  archive("high", value.high);
}

void describe(auto& archive, Is<RunIdentity> auto& value) {
  archive("run", value.run);
  archive("options", value.options);
  archive("rank", value.rank);
  archive("of", value.of);
  archive("begin", value.begin);
}

void describe(auto& archive, Is<RankLoad> auto& value) {
  archive("rank", value.rank);
  archive("host", value.host);
  archive("counts", value.counts);
  archive("rate_achieved", value.rate_achieved);
  archive("latency", value.latency);
  archive("clock_offset_ns", Signed{value.clock_offset_ns});
  archive("clock_bound_ns", value.clock_bound_ns);
  archive("lost", OrAbsent{value.lost});
}

void describe(auto& archive, Is<LoadResult> auto& value) {
  archive("header", value.header);
  archive("loop", value.loop);
  archive("depth", value.depth);
  archive("rate_asked", value.rate_asked);
  archive("rate_achieved", value.rate_achieved);
  archive("counts", value.counts);
  archive("corrected", value.corrected);
  archive("uncorrected", value.uncorrected);
  archive("send_lag", value.send_lag);
  archive("operations", value.operations);
  archive("errors", value.errors);
  archive("bytes_out", value.bytes_out);
  archive("bytes_in", value.bytes_in);
  archive("cpu_user_seconds", value.cpu_user_seconds);
  archive("cpu_system_seconds", value.cpu_system_seconds);
  archive("requests_per_write", value.requests_per_write);
  archive("replies_per_read", value.replies_per_read);
  archive("interrupted", value.interrupted);
  archive("inconclusive", value.inconclusive);
  archive("run_error", value.run_error);
  archive("aborted", OrAbsent{value.aborted});
  archive("objectives", OrAbsent{value.objectives});
  archive("series", value.series);
  archive("slowest", OrAbsent{value.slowest});
  archive("stages", value.stages);
  archive("connections", value.connections);
  archive("fan_out", value.fan_out);
  archive("records", value.records);
  archive("client", value.client);
  archive("datagram", value.datagram);
  archive("store", value.store);
  archive("spread", OrAbsent{value.spread});
  archive("ranks", OrAbsent{value.ranks});
  archive("run", value.run);
}

void describe(auto& archive, Is<KneePoint> auto& value) {
  archive("sweep", value.sweep);
  archive("rate", value.rate);
  archive("achieved", value.achieved);
  archive("met", value.met);
  describe_bounded(archive, {"p50_ns", "p50_at_least", "p50_by_client", "p50_client_part_ns"},
                   value.p50);
  describe_bounded(archive, {"p99_ns", "p99_at_least", "p99_by_client", "p99_client_part_ns"},
                   value.p99);
  describe_bounded(archive,
                   {"p99_9_ns", "p99_9_at_least", "p99_9_by_client", "p99_9_client_part_ns"},
                   value.p999);
  archive("busy", value.busy);
  archive("reason", value.reason);
}

void describe(auto& archive, Is<Knee> auto& value) {
  archive("target", value.target);
  archive("objectives", value.objectives);
  archive("rate", value.rate);
  archive("low", value.low);
  archive("high", value.high);
  archive("up", value.up);
  archive("down", value.down);
  archive("confirmed", OrAbsent{value.confirmed});
  archive("client_limited", value.client_limited);
  archive("interrupted", value.interrupted);
  archive("points", value.points);
}

void describe(auto& archive, Is<MetricDifference> auto& value) {
  archive("metric", value.metric);
  describe_bounded(archive, {"before", "before_at_least", "before_by_client", "before_client_part"},
                   value.before);
  describe_bounded(archive, {"now", "now_at_least", "now_by_client", "now_client_part"}, value.now);
  archive("low", Signed{value.low});
  archive("low_open", OrAbsent{value.low_open});
  archive("high", Signed{value.high});
  archive("high_open", OrAbsent{value.high_open});
  archive("noise", value.noise);
  archive("difference", value.difference);
}

void describe(auto& archive, Is<LoadComparison> auto& value) {
  archive("before", value.before);
  archive("now", value.now);
  archive("blocks_before", value.blocks_before);
  archive("blocks_now", value.blocks_now);
  archive("metrics", value.metrics);
  archive("inconclusive", value.inconclusive);
}

}  // namespace hallmark::reports
