#include "reports/datagram_load_report.hpp"

#include <fmt/format.h>

#include <set>

#include "reports/text.hpp"

namespace hallmark::reports {
namespace {

std::string since_start(std::uint64_t ns) {
  return fmt::format("{:.6f} s", static_cast<double>(ns) / 1e9);
}

std::string row_of(Table& table) { return table.render() + '\n'; }

std::string ids_table(const DatagramCounts& c, const TerminalStyle& style) {
  Table table(std::vector<Align>(8, Align::right));
  table.add({"ids planned", "shed", "not sent", "sent", "received", "malformed", "late", "lost"},
            style, Colour::bold);
  table.add({grouped(c.planned), grouped(c.shed), grouped(c.not_sent), grouped(c.sent),
             grouped(c.received), grouped(c.malformed), grouped(c.late), grouped(c.lost)});
  return row_of(table);
}

std::string datagrams_table(const DatagramLoad& load, const TerminalStyle& style) {
  const DatagramCounts& c = load.counts;
  Table table(std::vector<Align>(5, Align::right));
  table.add({"datagrams", "duplicate", "unmatched", "unreadable", "receive overflow"}, style,
            Colour::bold);
  table.add({grouped(c.datagrams), grouped(c.duplicate), grouped(c.unmatched),
             grouped(c.unreadable), grouped(load.trouble.receive_overflow)});
  return row_of(table);
}

std::string trouble_line(const SocketTrouble& trouble) {
  std::string text;
  const auto add = [&](std::string_view name, std::uint64_t count) {
    if (count != 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, grouped(count));
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
      grouped(limits.uses), grouped(limits.decided), grouped(limits.over_admissions),
      grouped(limits.under_admissions), grouped(limits.wrong_rates), grouped(limits.wrong_limits));
  if (limits.undecided != 0) {
    text += fmt::format("        {} answers would be wrong, had nothing come twice\n",
                        grouped(limits.undecided));
  }
  if (limits.unlimited != 0) {
    text += fmt::format("        {} uses of keys that no rule is for\n", grouped(limits.unlimited));
  }
  return text + '\n';
}

std::string use_line(const LimitedUse& use) {
  return fmt::format("    sent {}, answered {}: {}, rate {:.1f}\n", since_start(use.sent_ns),
                     since_start(use.received_ns), use.over ? "over" : "admitted", use.rate);
}

/// Of a rate or a limit that is wrong, how many were admitted says nothing.
std::string admitted_text(const LimitFinding& finding) {
  if (finding.kind == "over-admission") {
    return fmt::format(": {} admitted, at most {} allowed", grouped(finding.admitted),
                       grouped(finding.allowed));
  }
  if (finding.kind == "under-admission") {
    return fmt::format(": {} admitted, at least {} due", grouped(finding.admitted),
                       grouped(finding.allowed));
  }
  return {};
}

std::string finding_lines(const LimitFinding& finding, const TerminalStyle& style) {
  auto text = fmt::format("{} of \"{}\" from {} to {}{}\n",
                          paint(style, Colour::red, printable(finding.kind)),
                          shorten(printable(finding.key), 60), since_start(finding.from_ns),
                          since_start(finding.to_ns), admitted_text(finding));
  text += "    " + printable(finding.reason) + '\n';
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
  auto text =
      fmt::format("the target's own count, {}: n_req {}, {} answered, {} sent: {}\n",
                  counted(server.keys, "key", "keys"), grouped(server.n_req),
                  grouped(server.at_least), grouped(server.at_most),
                  server.disagreeing == 0
                      ? "agrees"
                      : fmt::format("disagrees in {}", counted(server.disagreeing, "key", "keys")));
  if (server.unanswered != 0) {
    text += fmt::format("    {} of the keys got no answer\n", grouped(server.unanswered));
  }
  if (!server.example.empty()) text += "    " + printable(server.example) + '\n';
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
                     grouped(limits.over_admissions), grouped(limits.under_admissions),
                     grouped(limits.wrong_rates + limits.wrong_limits));
}

}  // namespace hallmark::reports
