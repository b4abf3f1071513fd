#include <fmt/format.h>

#include <algorithm>

#include "base/quantity.hpp"
#include "base/text.hpp"
#include "reports/certify/run_heading.hpp"
#include "reports/load/datagram_load_report.hpp"
#include "reports/load/marked_metric.hpp"
#include "reports/load/store_load_report.hpp"
#include "reports/terminal_report.hpp"

namespace hallmark::reports {
namespace {

std::string duration_text(std::uint64_t nanoseconds) {
  return base::human_duration(std::chrono::nanoseconds(nanoseconds));
}

std::string rate_text(const LoadResult& result) {
  const auto achieved = fmt::format("{:.1f}", result.rate_achieved);
  if (result.loop == LoopKind::closed) {
    return fmt::format("closed loop, depth {}: {} requests/s", result.depth, achieved);
  }
  if (!result.rate_asked) return fmt::format("open loop: {} requests/s", achieved);
  const auto share = *result.rate_asked > 0 ? 100 * result.rate_achieved / *result.rate_asked : 0.0;
  return fmt::format("open loop: asked {:.1f}, achieved {} requests/s ({:.2f} %)",
                     *result.rate_asked, achieved, share);
}

void add_latency(Table& table, const std::string& name, const Latency& latency) {
  const Quantiles& q = latency.quantiles;
  const auto cell = [&](const Quantile& value) -> std::string {
    return q.count == 0 && !value.at_least ? "·" : text_of(value);
  };
  Quantile mean{static_cast<std::uint64_t>(std::max(0.0, q.mean.value)), q.mean.at_least};
  mean.by_client = q.mean.by_client;
  table.add({base::printable(name), base::grouped(q.count), cell(q.min), cell(mean), cell(q.p50),
             cell(q.p90), cell(q.p99), cell(q.p999), cell(q.p9999), cell(q.max)});
}

/// A row below a distribution: how much of each of its values the client itself accounts for.
void add_client_parts(Table& table, const Quantiles& q) {
  const auto cell = [](double part) -> std::string {
    return part < 1 ? "·" : duration_text(static_cast<std::uint64_t>(part));
  };
  const auto of = [&](const Quantile& one) { return cell(static_cast<double>(one.client_part)); };
  table.add({"of it the client's", "", "·", cell(q.mean.client_part), of(q.p50), of(q.p90),
             of(q.p99), of(q.p999), of(q.p9999), of(q.max)});
}

Table latencies(std::string_view what, const TerminalStyle& style) {
  std::vector<Align> alignment(10, Align::right);
  alignment[0] = Align::left;
  Table table(alignment);
  table.add(
      {std::string(what), "count", "min", "mean", "p50", "p90", "p99", "p99.9", "p99.99", "max"},
      style, Colour::bold);
  return table;
}

std::string latency_table(const LoadResult& result, const TerminalStyle& style,
                          const Latency& total, Latency OperationLoad::*of, std::string_view what) {
  Table table = latencies(what, style);
  for (const auto& one : result.operations) add_latency(table, one.operation, one.*of);
  add_latency(table, "all", total);
  if (any_client_part(total.quantiles)) add_client_parts(table, total.quantiles);
  std::string text = table.render();
  if (total.censored) text += base::printable(total.censored->reason) + '\n';
  const bool marked = any_by_client(total.quantiles) ||
                      std::ranges::any_of(result.operations, [&](const OperationLoad& one) {
                        return any_by_client((one.*of).quantiles);
                      });
  if (marked) text += std::string(client_mark_text) + '\n';
  return text + '\n';
}

void add_counts(Table& table, const std::string& name, const LoadCounts& counts) {
  table.add({base::printable(name), base::grouped(counts.planned), base::grouped(counts.completed),
             base::grouped(counts.timed_out), base::grouped(counts.shed),
             base::grouped(counts.failed)});
}

std::string counts_table(const LoadResult& result, const TerminalStyle& style) {
  std::vector<Align> alignment(6, Align::right);
  alignment[0] = Align::left;
  Table table(alignment);
  table.add({"requests", "planned", "completed", "timed out", "shed", "failed"}, style,
            Colour::bold);
  for (const auto& one : result.operations) add_counts(table, one.operation, one.counts);
  add_counts(table, "all", result.counts);
  return table.render() + '\n';
}

std::string errors_table(const LoadResult& result, const TerminalStyle& style) {
  if (result.errors.empty()) return {};
  Table table({Align::left, Align::right, Align::left});
  table.add({"errors", "count", "for example"}, style, Colour::bold);
  for (const auto& error : result.errors) {
    table.add(
        {base::printable(error.kind), base::grouped(error.count), base::excerpt(error.example, 60)},
        style, Colour::red);
  }
  return table.render() + '\n';
}

std::string objectives_table(const LoadResult& result, const TerminalStyle& style) {
  if (result.objectives.empty()) return {};
  Table table({Align::left, Align::left, Align::right});
  table.add({"objective", "", "measured"}, style, Colour::bold);
  for (const ObjectiveOutcome& one : result.objectives) {
    const bool missed = one.met == Met::no;
    const char* const word = one.met == Met::yes ? "met" : missed ? "missed" : "not known";
    table.add({base::printable(one.objective), word, one.shown.empty() ? "·" : one.shown}, style,
              one.met == Met::yes ? Colour::green
              : missed            ? Colour::red
                                  : Colour::yellow);
  }
  return table.render() + '\n';
}

std::string client_lines(const LoadResult& result) {
  if (result.store) {  // its client's library counts no bytes
    return fmt::format("client CPU {:.2f} s user, {:.2f} s system\n\n", result.cpu_user_seconds,
                       result.cpu_system_seconds);
  }
  return fmt::format(
      "client CPU {:.2f} s user, {:.2f} s system; {:.1f} requests per write, {:.1f} replies per "
      "read\n"
      "bytes {} out, {} in\n\n",
      result.cpu_user_seconds, result.cpu_system_seconds, result.requests_per_write,
      result.replies_per_read, base::grouped(result.bytes_out), base::grouped(result.bytes_in));
}

/// Says how far the client was behind its own plan: that part of the latencies is not the target's.
std::string lag_line(const LoadResult& result) {
  const Quantiles& lag = result.send_lag.quantiles;
  if (lag.count == 0) return {};
  return fmt::format("sent behind plan by p50 {}, p99 {}, p99.9 {}, max {}\n", text_of(lag.p50),
                     text_of(lag.p99), text_of(lag.p999), text_of(lag.max));
}

std::string stages_table(const LoadResult& result, const TerminalStyle& style) {
  if (!result.stages) return {};
  const StageLatencies& stages = *result.stages;
  Table table = latencies("stage", style);
  add_latency(table, "planned → written", stages.planned_to_written);
  add_latency(table, "written → kernel sent", stages.written_to_kernel_sent);
  add_latency(table, "kernel sent → kernel received", stages.kernel_sent_to_received);
  add_latency(table, "kernel received → read", stages.kernel_received_to_read);
  std::string text = table.render();
  if (stages.without_kernel_times != 0)
    text += fmt::format("of {} the kernel did not tell both times\n",
                        base::counted(stages.without_kernel_times, "request", "requests"));
  return text + '\n';
}

std::string slowest_table(const LoadResult& result, const TerminalStyle& style) {
  constexpr std::size_t most_shown = 5;
  if (result.slowest.empty()) return {};
  Table table({Align::left, Align::right, Align::right, Align::right, Align::right, Align::right,
               Align::right, Align::right, Align::right});
  table.add({"slowest", "latency", "at", "of it lag", "connection", "in write", "in read",
             "round trip", "resent"},
            style, Colour::bold);
  for (std::size_t i = 0; i < std::min(most_shown, result.slowest.size()); ++i) {
    const SlowRequestFacts& slow = result.slowest[i];
    table.add({base::excerpt(slow.operation + " " + slow.key, 40), duration_text(slow.latency_ns),
               duration_text(slow.planned_ns), duration_text(slow.sent_ns - slow.planned_ns),
               fmt::format("{}", slow.connection), fmt::format("{}", slow.place_in_write),
               fmt::format("{}", slow.place_in_read),
               slow.tcp ? duration_text(1000 * slow.tcp->round_trip_us) : "·",
               slow.tcp ? base::grouped(slow.tcp->retransmitted) : "·"});
  }
  return table.render() + '\n';
}

std::string fan_out_table(const LoadResult& result, const TerminalStyle& style) {
  if (!result.fan_out) return {};
  const FanOut& fan_out = *result.fan_out;
  Table table = latencies("from planned publication", style);
  add_latency(table, "delivery", fan_out.latency);
  return table.render() +
         fmt::format(
             "{} published to {}: {} of {} deliveries came{}\n\n", base::grouped(fan_out.published),
             base::counted(fan_out.subscribers, "subscriber", "subscribers"),
             base::grouped(fan_out.delivered), base::grouped(fan_out.expected),
             fan_out.unstamped == 0 ? ""
                                    : fmt::format("; {} that do not say of which publication",
                                                  base::grouped(fan_out.unstamped)));
}

/// Only where there is something to tell.
std::string connections_line(const LoadResult& result) {
  if (!result.connections) return {};
  const ConnectionFacts& facts = *result.connections;
  if (facts.replaced == 0 && facts.lost == 0 && facts.failed == 0) return {};
  std::string text = fmt::format("connections: {} opened", base::grouped(facts.opened));
  if (facts.replaced != 0) text += fmt::format(", {} replaced", base::grouped(facts.replaced));
  if (facts.lost != 0)
    text +=
        fmt::format(", {} lost, {} of them regained, longest without {}", base::grouped(facts.lost),
                    base::grouped(facts.regained), duration_text(facts.longest_gap_ns));
  if (facts.failed != 0) text += fmt::format(", {} attempts failed", base::grouped(facts.failed));
  const Quantiles& connecting = facts.connecting.quantiles;
  if (connecting.count != 0)
    text += fmt::format("; connecting p50 {}, p99 {}, max {}", text_of(connecting.p50),
                        text_of(connecting.p99), text_of(connecting.max));
  return text + '\n';
}

/// Says what the client was given of its machine, and how punctual it was with that.
std::string conduct_lines(const LoadClient& client) {
  std::string text;
  if (client.schedule) {
    const ScheduleCertificate& schedule = *client.schedule;
    text +=
        fmt::format("schedule: {} arrivals, {} left more than {} behind plan", schedule.arrivals,
                    base::percent(schedule.late_share), duration_text(schedule.lag_bound_ns));
    if (schedule.test && schedule.test->as_asked != Met::unknown) {
      text += fmt::format("; A² {:.2f} over {} spans of {} arrivals, p {:.2g}",
                          schedule.test->statistic, base::grouped(schedule.test->spans),
                          schedule.test->span, schedule.test->p_value);
    } else if (schedule.test) {
      text += "; too few to test them";
    }
    text += '\n';
  }
  double busy = 0;
  double waited = 0;
  for (const ThreadShares& thread : client.threads) {
    busy = std::max(busy, thread.busy);
    waited = std::max(waited, thread.waited);
  }
  text += fmt::format("busiest of {} {}, waited for a processor {}",
                      base::counted(client.threads.size(), "thread", "threads"),
                      base::percent(busy), base::percent(waited));
  if (client.stolen_share >= 0.001)
    text += fmt::format("; {} stolen by the host", base::percent(client.stolen_share));
  if (client.throttled_s > 0) text += fmt::format("; throttled for {:.3f} s", client.throttled_s);
  text += '\n';
  if (client.sockets && client.sockets->count != 0) {
    const SocketFacts& sockets = *client.sockets;
    text += fmt::format("{}: {}send buffer {}, receive buffer {} bytes\n",
                        base::counted(sockets.count, "socket", "sockets"),
                        !sockets.tcp       ? ""
                        : sockets.no_delay ? "TCP_NODELAY, "
                                           : "without TCP_NODELAY, ",
                        base::grouped(sockets.send_buffer_bytes),
                        base::grouped(sockets.receive_buffer_bytes));
  }
  return text;
}

std::string records_lines(const LoadResult& result, const TerminalStyle& style) {
  if (!result.records) return {};
  const RecordChecks& checks = *result.records;
  std::string text;
  if (checks.keys != 0) {
    text = fmt::format("records: {} of {} explained by an order",
                       base::counted(checks.requests, "request", "requests"),
                       base::counted(checks.keys, "key", "keys"));
    if (checks.violated != 0)
      text += fmt::format(", but for {}", base::counted(checks.violated, "key", "keys"));
    if (checks.given_up != 0)
      text += fmt::format("; {} never at rest, watched in the beginning only",
                          base::counted(checks.given_up, "key", "keys"));
    if (checks.undecided != 0)
      text += fmt::format("; {} undecided", base::counted(checks.undecided, "key", "keys"));
    text += '\n';
  }
  if (checks.inserts != 0)
    text += fmt::format("inserts: {} of {} found no record in their way, on keys not watched\n",
                        base::grouped(checks.inserts - checks.inserts_twice),
                        base::grouped(checks.inserts));
  if (checks.counters != 0)
    text += fmt::format("counters: {} of {} are what was added and taken away\n",
                        base::grouped(checks.counters - checks.counters_wrong),
                        base::grouped(checks.counters));
  constexpr std::size_t most_shown = 2;
  for (const RecordViolation& one : checks.violations) {
    if (&one == checks.violations.data() + most_shown) {
      text += "  … others in the JSON\n";
      break;
    }
    text += fmt::format("  {}: {}\n", paint(style, Colour::red, base::printable(one.key)),
                        base::printable(one.reason));
    for (const std::string& line : one.drawing) text += "    " + line + '\n';
    for (const RecordExchange& exchange : one.exchanges)
      text += fmt::format(
          "    c{}: {} → {}\n", exchange.connection, base::shorten(exchange.request, 100),
          exchange.reply.empty() ? "nothing in time" : base::shorten(exchange.reply, 60));
  }
  return text;
}

struct Stamp {
  std::string_view word;
  Colour colour;
  std::string why;
};

std::string what_was_proven(const RecordChecks& checks) {
  std::string text;
  const auto add = [&](std::uint64_t count, std::string_view one, std::string_view many,
                       std::string_view what) {
    if (count != 0)
      text +=
          fmt::format("{}{} {}", text.empty() ? "" : ", ", base::counted(count, one, many), what);
  };
  add(checks.violated, "key", "keys", "without an order that explains the replies");
  add(checks.inserts_twice, "INSERT", "INSERTs", "that won where another had");
  add(checks.counters_wrong, "counter", "counters", "not what was added");
  return text;
}

std::size_t objectives_that(const LoadResult& result, Met met) {
  return static_cast<std::size_t>(
      std::ranges::count(result.objectives, met, &ObjectiveOutcome::met));
}

Stamp failed_stamp(const LoadResult& result) {
  if (const std::size_t missed = objectives_that(result, Met::no); missed != 0) {
    return {"FAILED", Colour::red,
            fmt::format("{} of {} missed", missed,
                        base::counted(result.objectives.size(), "objective", "objectives"))};
  }
  if (result.counts.failed == 0 && result.counts.timed_out == 0) {
    if (result.datagram) return {"FAILED", Colour::red, what_was_proven(*result.datagram)};
    if (result.store) return {"FAILED", Colour::red, what_was_proven(*result.store)};
    if (result.records && proven_wrong(*result.records))
      return {"FAILED", Colour::red, what_was_proven(*result.records)};
  }
  return {"FAILED", Colour::red,
          fmt::format("{} failed and {} timed out of {}", base::grouped(result.counts.failed),
                      base::grouped(result.counts.timed_out),
                      base::counted(result.counts.planned, "request", "requests"))};
}

Stamp error_stamp(const LoadResult& result) {
  if (!result.run_error.empty()) return {"ERROR", Colour::red, result.run_error};
  if (!result.counts.balanced()) {
    return {"ERROR", Colour::red,
            "planned is not completed + timed out + shed + failed: these numbers are wrong"};
  }
  if (result.datagram && !result.datagram->accounting_error.empty()) {
    return {"ERROR", Colour::red, "internal: " + result.datagram->accounting_error};
  }
  return {"ERROR", Colour::red, "no request was completed"};
}

Stamp stamp(const LoadResult& result) {
  switch (exit_code(result)) {
    case ExitCode::as_expected:
      return {"DONE", Colour::green,
              base::counted(result.counts.completed, "request answered", "requests answered")};
    case ExitCode::failures: return failed_stamp(result);
    case ExitCode::indeterminate:
      if (!result.inconclusive.empty()) {
        return {"INCONCLUSIVE", Colour::yellow, result.inconclusive};
      }
      if (!result.aborted.empty())
        return {"ABORTED", Colour::yellow, result.aborted + "; the results up to there"};
      if (result.interrupted) return {"INTERRUPTED", Colour::yellow, "the results up to there"};
      return {"INCONCLUSIVE", Colour::yellow,
              "requests that were lost hide what an objective is about"};
    default: return error_stamp(result);
  }
}

std::string verdict_line(const LoadResult& result, const TerminalStyle& style) {
  const auto mark = stamp(result);
  auto text =
      fmt::format("{}  {}", paint(style, mark.colour, mark.word), base::printable(mark.why));
  // A reason may end with a bound, which the time of the run must not be taken for a part of.
  const bool gives_reason = mark.word == "INCONCLUSIVE" || mark.word == "ERROR";
  if (result.header.duration.count() != 0)
    text += fmt::format("{} {}", gives_reason ? ", after" : " in",
                        base::human_duration(result.header.duration));
  if (!result.aborted.empty() && mark.word != "ABORTED")
    text += "; aborted: " + base::printable(result.aborted);
  if (result.interrupted && mark.word != "INTERRUPTED") text += ", interrupted before the end";
  if (!result.inconclusive.empty() && mark.word != "INCONCLUSIVE") {
    text += "; inconclusive: " + base::printable(result.inconclusive);
  }
  return text + '\n';
}

}  // namespace

std::string render_terminal(const LoadResult& result, const TerminalStyle& style) {
  auto text = heading_of("load", result.header, "", style) + '\n';
  if (!result.run_error.empty() && result.counts.planned == 0)
    return text + verdict_line(result, style);
  text += rate_text(result) + "\n\n";
  text += counts_table(result, style);
  text += latency_table(result, style, result.corrected, &OperationLoad::corrected,
                        "from planned send");
  text += latency_table(result, style, result.uncorrected, &OperationLoad::uncorrected,
                        "from actual send");
  text += stages_table(result, style) + fan_out_table(result, style) + slowest_table(result, style);
  if (result.datagram) text += render_terminal(*result.datagram, style);
  if (result.store) text += render_terminal(*result.store, style);
  text += render_terminal(result.spread, style);
  return text + objectives_table(result, style) + errors_table(result, style) + lag_line(result) +
         connections_line(result) + records_lines(result, style) +
         (result.client ? conduct_lines(*result.client) : "") + client_lines(result) +
         verdict_line(result, style);
}

}  // namespace hallmark::reports
