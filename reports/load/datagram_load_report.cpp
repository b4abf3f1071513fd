#include "reports/load/datagram_load_report.hpp"

#include <fmt/format.h>

#include <set>

#include "base/text.hpp"
#include "reports/load/latency.hpp"

namespace hallmark::reports {
namespace {

std::string row_of(Table& table) { return table.render() + '\n'; }

std::string ids_table(const DatagramCounts& c, const TerminalStyle& style) {
  Table table(std::vector<Align>(8, Align::right));
  table.add({"ids planned", "shed", "not sent", "sent", "received", "malformed", "late", "lost"},
            style, Colour::bold);
  table.add({base::grouped(c.planned), base::grouped(c.shed), base::grouped(c.not_sent),
             base::grouped(c.sent), base::grouped(c.received), base::grouped(c.malformed),
             base::grouped(c.late), base::grouped(c.lost)});
  return row_of(table);
}

std::string datagrams_table(const DatagramLoad& load, const TerminalStyle& style) {
  const DatagramCounts& c = load.counts;
  Table table(std::vector<Align>(5, Align::right));
  table.add({"datagrams", "duplicate", "unmatched", "unreadable", "receive overflow"}, style,
            Colour::bold);
  table.add({base::grouped(c.datagrams), base::grouped(c.duplicate), base::grouped(c.unmatched),
             base::grouped(c.unreadable), base::grouped(load.trouble.receive_overflow)});
  return row_of(table);
}

std::string trouble_line(const SocketTrouble& trouble) {
  std::string text;
  const auto add = [&](std::string_view name, std::uint64_t count) {
    if (count != 0)
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, base::grouped(count));
  };
  add("ECONNREFUSED", trouble.refused);
  add("EAGAIN", trouble.would_block);
  add("ENOBUFS", trouble.no_buffers);
  add("other", trouble.other);
  return text.empty() ? text : fmt::format("socket errors: {}\n\n", text);
}

std::string limits_lines(const LimitChecks& limits) {
  auto text = fmt::format(
      "limits: {} uses judged, {} decided by when they were sent and answered\n"
      "        {} admitted over a limit, {} refused under it, {} wrong rates, {} wrong limits\n",
      base::grouped(limits.uses), base::grouped(limits.decided),
      base::grouped(limits.over_admissions), base::grouped(limits.under_admissions),
      base::grouped(limits.wrong_rates), base::grouped(limits.wrong_limits));
  if (limits.undecided != 0) {
    text += fmt::format("        {} answers would be wrong, had nothing come twice\n",
                        base::grouped(limits.undecided));
  }
  if (limits.unlimited != 0) {
    text += fmt::format("        {} uses of keys that no rule is for\n",
                        base::grouped(limits.unlimited));
  }
  return text + '\n';
}

std::string use_line(const LimitedUse& use) {
  return fmt::format("    sent {}, answered {}: {}, rate {:.1f}\n", since_start(use.sent_ns),
                     since_start(use.received_ns), use.over ? "over" : "admitted", use.rate);
}

/// Says how many were admitted, unless the rate or the limit is wrong: then the number says
/// nothing.
std::string admitted_text(const LimitFinding& finding) {
  if (finding.kind == "over-admission") {
    return fmt::format(": {} admitted, at most {} allowed", base::grouped(finding.admitted),
                       base::grouped(finding.allowed));
  }
  if (finding.kind == "under-admission") {
    return fmt::format(": {} admitted, at least {} due", base::grouped(finding.admitted),
                       base::grouped(finding.allowed));
  }
  return {};
}

std::string finding_lines(const LimitFinding& finding, const TerminalStyle& style) {
  auto text = fmt::format("{} of \"{}\" from {} to {}{}\n",
                          paint(style, Colour::red, base::printable(finding.kind)),
                          base::excerpt(finding.key, 60), since_start(finding.from_ns),
                          since_start(finding.to_ns), admitted_text(finding));
  text += "    " + base::printable(finding.reason) + '\n';
  for (const LimitedUse& use : finding.uses) text += use_line(use);
  return text;
}

/// The first finding of each kind.
std::string findings_lines(const LimitChecks& limits, const TerminalStyle& style) {
  std::string text;
  std::set<std::string_view> shown;
  for (const LimitFinding& finding : limits.findings) {
    if (shown.insert(finding.kind).second) text += finding_lines(finding, style);
  }
  return text.empty() ? text : text + '\n';
}

std::string server_line(const ServerCounts& server) {
  auto text = fmt::format(
      "the target's own count, {}: n_req {}, {} answered, {} sent: {}\n",
      base::counted(server.keys, "key", "keys"), base::grouped(server.n_req),
      base::grouped(server.at_least), base::grouped(server.at_most),
      server.disagreeing == 0
          ? "agrees"
          : fmt::format("disagrees in {}", base::counted(server.disagreeing, "key", "keys")));
  if (server.unanswered != 0) {
    text += fmt::format("    {} of the keys got no answer\n", base::grouped(server.unanswered));
  }
  if (!server.example.empty()) text += "    " + base::printable(server.example) + '\n';
  return text + '\n';
}

}  // namespace

std::string render_terminal(const DatagramLoad& load, const TerminalStyle& style) {
  auto text = ids_table(load.counts, style) + datagrams_table(load, style);
  text += trouble_line(load.trouble);
  if (load.limits) text += limits_lines(*load.limits) + findings_lines(*load.limits, style);
  if (load.server) text += server_line(*load.server);
  return text;
}

std::string what_was_proven(const DatagramLoad& load) {
  if (!proven_wrong(load)) return {};
  if (load.server && load.server->disagreeing != 0) {
    return "the target's own count of uses disagrees";
  }
  const LimitChecks& limits = *load.limits;
  return fmt::format("limits: {} over-admissions, {} under-admissions, {} wrong rates or limits",
                     base::grouped(limits.over_admissions), base::grouped(limits.under_admissions),
                     base::grouped(limits.wrong_rates + limits.wrong_limits));
}

}  // namespace hallmark::reports
