#include "observe/findings.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hallmark::observe {

namespace {

/// A request without a reply is the fault of the server.
Side doer_of(const captures::Finding& finding) {
  return finding.kind == captures::FindingKind::unanswered ? Side::server : finding.side;
}

}  // namespace

const FindingGroup* Findings::add(const captures::Finding& finding, std::uint64_t connection,
                                  Time at) {
  ++count_;
  const std::string_view operation =
      finding.layout ? std::string_view(finding.layout->name()) : std::string_view();
  const auto same = std::ranges::find_if(groups_, [&](const FindingGroup& group) {
    return group.kind == finding.kind && group.side == doer_of(finding) &&
           group.operation == operation;
  });
  if (same != groups_.end()) {
    ++same->count;
    return nullptr;
  }
  FindingGroup& group = groups_.emplace_back();
  group.kind = finding.kind;
  group.side = doer_of(finding);
  group.sender = finding.side;
  group.operation = operation;
  group.count = 1;
  group.connection = connection;
  group.request = finding.number;
  group.at = at;
  group.offset = finding.where.offset;
  group.reason = finding.reason;
  const auto shown = std::min(finding.bytes.size(), FindingGroup::most_shown);
  group.bytes.assign(finding.bytes.begin(),
                     finding.bytes.begin() + static_cast<std::ptrdiff_t>(shown));
  return &group;
}

std::string title_of(const FindingGroup& group) {
  const std::string of = group.operation.empty() ? "" : " " + group.operation;
  return fmt::format("{}: {}{}", captures::name_of(group.side), captures::name_of(group.kind), of);
}

}  // namespace hallmark::observe
