#include "conformance/judgement/known_failures.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/glob.hpp"
#include "base/text.hpp"

namespace hallmark::conformance {
namespace {

using reports::CaseResult;
using reports::Verdict;

constexpr std::string_view number = "{n}";
constexpr std::string_view anything = "{*}";

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// The length of the decimal number that the text starts with; 0: it starts with none.
std::size_t length_of_number(std::string_view text) {
  std::size_t at = !text.empty() && text.front() == '-' ? 1 : 0;
  const std::size_t first = at;
  while (at < text.size() && is_digit(text[at])) ++at;
  if (at == first) return 0;
  if (at + 1 < text.size() && text[at] == '.' && is_digit(text[at + 1])) {
    ++at;
    while (at < text.size() && is_digit(text[at])) ++at;
  }
  return at;
}

/// The pinned text in pieces: each is a marker or plain text.
std::vector<std::string_view> pieces_of(std::string_view pinned) {
  std::vector<std::string_view> pieces;
  while (!pinned.empty()) {
    std::size_t length = std::min(pinned.find(number), pinned.find(anything));
    if (length == 0) length = number.size();
    pieces.push_back(pinned.substr(0, length));
    pinned.remove_prefix(pieces.back().size());
  }
  return pieces;
}

/// Returns the end of the piece in the text if it begins at `from`; npos if it does not match
/// there. Precondition: the piece is not the marker for any text.
std::size_t end_of(std::string_view piece, std::string_view text, std::size_t from) {
  if (piece == number) {
    const std::size_t length = length_of_number(text.substr(from));
    return length == 0 ? std::string_view::npos : from + length;
  }
  return text.substr(from).starts_with(piece) ? from + piece.size() : std::string_view::npos;
}

std::string in_words(std::size_t index, const KnownFailure& entry) {
  return fmt::format("known failure {} ({})", index + 1, base::printable(entry.cases));
}

std::string said_of(const KnownFailure& entry) {
  const std::string_view kind = entry.flaky ? "flaky" : "known failure";
  return entry.why.empty() ? std::string(kind) : fmt::format("{}: {}", kind, entry.why);
}

/// Returns the code or the reason that the entry pins, for messages.
std::string pinned_in(const KnownFailure& entry) {
  return entry.code ? text_of(*entry.code) : entry.reason;
}

bool pins(const KnownFailure& entry, const CaseResult& one) {
  return entry.code ? entry.code == one.code : reason_matches(entry.reason, one.reason);
}

bool can_be_pinned(const CaseResult& one) {
  return one.verdict == Verdict::fail || one.verdict == Verdict::error ||
         one.verdict == Verdict::indeterminate;
}

bool was_skipped(const CaseResult& one) {
  return one.verdict == Verdict::skipped || one.verdict == Verdict::unsupported;
}

void judge(const std::vector<const KnownFailure*>& entries, CaseResult& one) {
  const auto as_pinned =
      std::ranges::find_if(entries, [&](const KnownFailure* entry) { return pins(*entry, one); });
  if (can_be_pinned(one) && as_pinned != entries.end()) {
    one.verdict = Verdict::known;
    one.known = said_of(**as_pinned);
  } else if (can_be_pinned(one)) {
    one.known = said_of(*entries.back());
    one.reason = fmt::format("failed otherwise than known: {} (known: {})", one.reason,
                             pinned_in(*entries.back()));
    one.verdict = Verdict::fail;
  } else if (one.verdict == Verdict::pass) {
    one.known = said_of(*entries.back());
    const bool may_pass = std::ranges::all_of(entries, &KnownFailure::flaky);
    if (may_pass) return;
    one.verdict = Verdict::fail;
    one.reason = "it passes now: remove it from the known failures";
    one.code =
        reports::Code{.kind = reports::Code::Kind::unexpected_pass, .message = one.operation};
  }
}

/// A case fails as it says, or none was played.
bool still_holds(const KnownFailure& entry, const reports::CertifyResult& result) {
  bool played = false;
  for (const CaseResult& one : result.cases) {
    if (!base::glob_matches(entry.cases, one.id) || was_skipped(one)) continue;
    if (can_be_pinned(one) && pins(entry, one)) return true;
    played = true;
  }
  return !played;
}

}  // namespace

bool reason_matches(std::string_view pinned, std::string_view reason) {
  // Matches like a glob: only the last marker for any text is ever taken back.
  const auto pieces = pieces_of(pinned);
  std::size_t piece = 0;
  std::size_t at = 0;
  std::size_t retry_piece = pieces.size() + 1;
  std::size_t retry_at = 0;
  for (;;) {
    if (piece < pieces.size() && pieces[piece] == anything) {
      retry_piece = ++piece;
      retry_at = at;
      continue;
    }
    if (piece == pieces.size() && at == reason.size()) return true;
    const std::size_t end =
        piece < pieces.size() ? end_of(pieces[piece], reason, at) : std::string_view::npos;
    if (end != std::string_view::npos) {
      ++piece;
      at = end;
    } else if (retry_piece <= pieces.size() && retry_at < reason.size()) {
      piece = retry_piece;
      at = ++retry_at;
    } else {
      return false;
    }
  }
}

base::Expected<void, std::string> check_known_failures(const KnownFailures& list,
                                                       const std::set<std::string>& ids) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    const KnownFailure& entry = list[i];
    const auto matching = static_cast<std::size_t>(std::ranges::count_if(
        ids, [&](const std::string& id) { return base::glob_matches(entry.cases, id); }));
    if (matching == 0)
      return fmt::format("{} matches no case; allowed: what `hallmark certify --list` prints",
                         in_words(i, entry));
    if (entry.count != 0 && entry.count != matching)
      return fmt::format("{} matches {}, expected {} as its count says", in_words(i, entry),
                         base::counted(matching, "case", "cases"), entry.count);
    if (entry.count == 0 && matching > most_unsaid)
      return fmt::format("{} matches {} cases; more than {} are allowed with \"count\": {}",
                         in_words(i, entry), matching, most_unsaid, matching);
  }
  return {};
}

void apply_known_failures(const KnownFailures& list, reports::CertifyResult& result) {
  std::size_t not_played = 0;
  std::set<const KnownFailure*> met;
  for (CaseResult& one : result.cases) {
    std::vector<const KnownFailure*> entries;
    for (const KnownFailure& entry : list) {
      if (base::glob_matches(entry.cases, one.id)) entries.push_back(&entry);
    }
    if (entries.empty()) continue;
    if (!was_skipped(one)) met.insert(entries.begin(), entries.end());
    judge(entries, one);
  }
  for (const KnownFailure& entry : list) not_played += met.contains(&entry) ? 0U : 1U;
  if (not_played == 0) return;
  result.header.notes.push_back(
      fmt::format("{} not played: neither confirmed nor stale",
                  base::counted(not_played, "known failure was", "known failures were")));
}

KnownFailures known_failures_of(const reports::CertifyResult& result, const KnownFailures& old) {
  KnownFailures list;
  for (const KnownFailure& entry : old) {
    if (entry.flaky || still_holds(entry, result)) list.push_back(entry);
  }
  for (const CaseResult& one : result.cases) {
    const bool covered = std::ranges::any_of(list, [&](const KnownFailure& entry) {
      return base::glob_matches(entry.cases, one.id) && pins(entry, one);
    });
    if (can_be_pinned(one) && !covered) list.push_back({one.id, {}, {}, 0, false, one.code});
  }
  return list;
}

}  // namespace hallmark::conformance
