#include "cli/mutants/kill_matrix.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "base/json.hpp"

namespace hallmark::cli {
namespace {

using reports::CaseResult;
using reports::Verdict;

std::vector<std::string> clauses_of(const faults::Bug& mutant, const std::string& dialect) {
  const auto found = std::ranges::find(mutant.violates, dialect, &faults::Violation::dialect);
  return {found->clauses.begin(), found->clauses.end()};
}

/// The id of a case without dialect, profile and width: equal for all dialects that play it.
std::string_view without_dialect(std::string_view id) {
  const auto next = [&] { return id.substr(id.find('/') + 1); };
  id = next();
  if (id.starts_with("literal/")) id = next();
  const bool has_width = id.starts_with("u8/") || id.starts_with("u16/") ||
                         id.starts_with("u32/") || id.starts_with("u64/");
  return has_width ? next() : id;
}

std::string in_column(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    if (c == '|') safe += '\\';
    safe += c;
  }
  return safe;
}

}  // namespace

bool kills(const CaseResult& one, const faults::Bug& mutant) {
  return one.verdict == Verdict::fail || one.verdict == Verdict::unstable ||
         (one.verdict == Verdict::unsupported && mutant.operation_missing);
}

std::string KillMatrix::add_baseline(const std::string& dialect,
                                     const reports::CertifyResult& result) {
  Cases& cases = baselines_.emplace_back();
  cases.dialect = dialect;
  if (!result.run_error.empty()) return fmt::format("{}: {}", dialect, result.run_error);
  for (const CaseResult& one : result.cases) {
    if (one.verdict == Verdict::skipped) continue;
    if (one.verdict != Verdict::pass)
      return fmt::format("{} fails without any mutant: {}", one.id, one.reason);
    cases.ids.push_back(one.id);
  }
  return {};
}

MutantRow::MutantRow(const faults::Bug& mutant, std::string dialect, std::string width)
    : mutant_(&mutant),
      dialect_(std::move(dialect)),
      width_(std::move(width)),
      violates_(clauses_of(mutant, dialect_)) {}

void MutantRow::add(const reports::CertifyResult& result) {
  run_error_ = result.run_error;
  for (const CaseResult& one : result.cases) {
    if (!kills(one, *mutant_)) continue;
    killed_by_.insert(one.id);
    cited_.insert(one.clauses.begin(), one.clauses.end());
  }
}

std::vector<std::string> MutantRow::not_proved() const {
  std::vector<std::string> left;
  std::ranges::copy_if(violates_, std::back_inserter(left),
                       [&](const std::string& clause) { return !cited_.contains(clause); });
  return left;
}

void KillMatrix::sort() {
  const auto place = [](const MutantRow& row) {
    return std::pair(std::string_view(row.dialect()), &row.mutant());
  };
  std::ranges::sort(rows_, {}, place);
  std::ranges::sort(baselines_, {}, &Cases::dialect);
}

std::vector<KillMatrix::IdleCases> KillMatrix::idle_cases() const {
  std::set<std::string_view> killing;
  for (const MutantRow& row : rows_) {
    for (const std::string& id : row.killed_by()) killing.insert(without_dialect(id));
  }
  std::vector<IdleCases> idle;
  for (const Cases& cases : baselines_) {
    IdleCases& one = idle.emplace_back(IdleCases{cases.dialect, cases.ids.size(), {}});
    std::ranges::copy_if(cases.ids, std::back_inserter(one.ids), [&](const std::string& id) {
      return !killing.contains(without_dialect(id));
    });
  }
  return idle;
}

bool KillMatrix::complete() const {
  return !interrupted_ && std::ranges::all_of(rows_, &MutantRow::complete);
}

void KillMatrix::interrupt(std::span<const MutantRow> wanted) {
  std::erase_if(rows_, [](const MutantRow& row) { return !row.complete(); });
  for (const MutantRow& one : wanted) {
    const auto is_it = [&](const MutantRow& row) {
      return &row.mutant() == &one.mutant() && row.dialect() == one.dialect();
    };
    if (std::ranges::any_of(rows_, is_it)) continue;
    interrupted_ = true;
    if (std::ranges::find(not_run_, &one.mutant(), &NotRun::mutant) == not_run_.end())
      not_run_.push_back({&one.mutant(), "the run was interrupted before"});
  }
}

std::string KillMatrix::json() const {
  using base::Json;
  Json all{{"format", "hallmark-kill-matrix"}, {"format_version", 1}, {"version", version_}};
  all["complete"] = complete();
  all["interrupted"] = interrupted_;
  all["mutants"] = Json::array();
  for (const MutantRow& row : rows_) {
    Json one{{"id", row.mutant().id},       {"breaks", row.mutant().breaks},
             {"dialect", row.dialect()},    {"width", row.width()},
             {"violates", row.violates()},  {"not_proved", row.not_proved()},
             {"killed_by", row.killed_by()}};
    if (!row.run_error().empty()) one["run_error"] = row.run_error();
    all["mutants"].push_back(std::move(one));
  }
  all["not_run"] = Json::array();
  for (const auto& [mutant, reason] : not_run_) {
    all["not_run"].push_back({{"id", mutant->id}, {"breaks", mutant->breaks}, {"reason", reason}});
  }
  all["cases"] = Json::array();
  for (const IdleCases& idle : idle_cases()) {
    all["cases"].push_back(
        {{"dialect", idle.dialect}, {"played", idle.played}, {"that_kill_nothing", idle.ids}});
  }
  return all.dump(1) + "\n";
}

std::string KillMatrix::page() const {
  std::string text =
      "# Mutants\n\n"
      "A *mutant* is the reference server with one known bug: `hallmark serve --mutant ID`. "
      "`hallmark mutants run`\n"
      "certifies each mutant and writes this page. A case kills a mutant if it passes without the "
      "bug and fails or is\n"
      "unstable with it. An undecided case, or a case that ends by an error, kills nothing. A case "
      "that finds an operation\n"
      "unsupported kills a mutant that lacks this operation. Every clause that a mutant violates "
      "must be cited by a case\n"
      "that kills it. `hallmark mutants localize` measures the findings for several bugs at once\n"
      "([localization.md](localization.md)).\n\n"
      "| dialect | cases | kill nothing | mutants | killed |\n|---|---|---|---|---|\n";
  for (const IdleCases& idle : idle_cases()) {
    const auto of_dialect = [&](const MutantRow& row) { return row.dialect() == idle.dialect; };
    text += fmt::format("| {} | {} | {} | {} | {} |\n", idle.dialect, idle.played, idle.ids.size(),
                        std::ranges::count_if(rows_, of_dialect),
                        std::ranges::count_if(rows_, [&](const MutantRow& row) {
                          return of_dialect(row) && row.complete();
                        }));
  }
  std::string_view dialect;
  for (const MutantRow& row : rows_) {
    if (row.dialect() != dialect) {
      dialect = row.dialect();
      text += fmt::format(
          "\n## {}\n\n| mutant | bug | violates | cases that fail |\n"
          "|---|---|---|---|\n",
          dialect);
    }
    text += fmt::format("| {} | {} | {} | {}{} |\n", row.mutant().id,
                        in_column(row.mutant().breaks), fmt::join(row.violates(), ", "),
                        row.killed_by().size(), row.complete() ? "" : ", **not enough**");
  }
  if (!not_run_.empty()) {
    text +=
        "\n## Not run\n\nThe run was interrupted: this page is not complete.\n\n"
        "| mutant | what it does | why it is not run |\n|---|---|---|\n";
  }
  for (const auto& [mutant, reason] : not_run_)
    text += fmt::format("| {} | {} | {} |\n", mutant->id, in_column(mutant->breaks), reason);
  return text;
}

}  // namespace hallmark::cli
