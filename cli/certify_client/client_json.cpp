#include <algorithm>

#include "base/hex.hpp"
#include "base/json.hpp"
#include "base/text.hpp"
#include "base/utc.hpp"
#include "cli/certify_client/client_report.hpp"

namespace hallmark::cli {
namespace {

using base::Json;
using clients::ClientResult;
using clients::PerturbationResult;

Json lines_json(const std::vector<std::string>& lines) {
  Json all = Json::array();
  for (const std::string& line : lines) all.push_back(base::printable(line));
  return all;
}

Json difference_json(const std::optional<clients::Difference>& difference) {
  if (!difference) return {};
  return {{"connection", difference->connection},
          {"number", difference->number},
          {"message", difference->message},
          {"what", difference->what},
          {"reached", difference->reached},
          {"request", base::to_hex(difference->request)},
          {"expected", base::to_hex(difference->expected)},
          {"sent", base::to_hex(difference->sent)}};
}

Json perturbation_json(const PerturbationResult& one) {
  return {{"id", one.id},
          {"kind", one.kind},
          {"subject", one.subject},
          {"title", one.title},
          {"legal", one.legal},
          {"demand", clients::name_of(one.demand)},
          {"clause", one.clause},
          {"verdict", clients::name_of(one.verdict)},
          {"reason", base::printable(one.reason)},
          {"ended", base::printable(one.ended)},
          {"met", one.met},
          {"differed", difference_json(one.differed)},
          {"duration_ns", one.duration.count()},
          {"output", lines_json(one.output)},
          {"left_behind", lines_json(one.left_behind)}};
}

Json clause_result_json(const clients::ClauseResult& clause) {
  return {{"id", clause.id},
          {"level", protocol::name_of(clause.level)},
          {"section", clause.section},
          {"text", clause.text},
          {"verdict", clients::name_of(clause.verdict)},
          {"reason", base::printable(clause.reason)},
          {"shown_by", clause.shown_by},
          {"bytes", base::to_hex(clause.bytes)}};
}

/// The listed values that messages of one operation can have, and how often they were met.
Json values_json(const ClientResult& result, const std::string& operation,
                 const clients::Met* met) {
  Json all = Json::array();
  for (const std::string& possible : result.possible) {
    if (!possible.starts_with(operation + " ")) continue;
    const std::string value = possible.substr(operation.size() + 1);
    const auto times = [&]() -> std::uint64_t {
      if (met == nullptr) return 0;
      const auto found = met->choices.find(value);
      return found == met->choices.end() ? 0 : found->second;
    };
    Json one{{"value", value}, {"times", times()}};
    all.push_back(std::move(one));
  }
  return all;
}

Json coverage_json(const ClientResult& result) {
  Json all = Json::array();
  for (const std::string& operation : result.operations) {
    const auto found = result.coverage.find(operation);
    const clients::Met* const met = found == result.coverage.end() ? nullptr : &found->second;
    const clients::Met none;
    const clients::Met& shown = met == nullptr ? none : *met;
    Json one{{"name", operation},
             {"messages", shown.requests},
             {"succeeded", shown.succeeded},
             {"failed", shown.failed},
             {"silent", shown.silent},
             {"empty_listings", shown.empty},
             {"listings_of_one_fragment", shown.one_fragment},
             {"listings_of_several_fragments", shown.several_fragments},
             {"values", values_json(result, operation, met)}};
    all.push_back(std::move(one));
  }
  return all;
}

Json baseline_json(const clients::Baseline& baseline) {
  return {{"passed", baseline.passed},
          {"reason", base::printable(baseline.reason)},
          {"ended", base::printable(baseline.ended)},
          {"duration_ns", baseline.duration.count()},
          {"connections", baseline.connections},
          {"requests", baseline.requests},
          {"output", lines_json(baseline.output)},
          {"left_behind", lines_json(baseline.left_behind)}};
}

Json counts_json(const ClientResult& result) {
  const auto counts = clients::counts_of(result);
  return {{"passed", counts.passed},         {"fails", counts.fails},
          {"not_judged", counts.not_judged}, {"not_met", counts.not_met},
          {"not_played", counts.not_played}, {"error", counts.error}};
}

}  // namespace

std::string render_client_json(const ClientResult& result) {
  Json json{{"format", "hallmark-certify-client"},
            {"format_version", 1},
            {"tool", "hallmark"},
            {"version", result.version},
            {"dialect", result.dialect},
            {"width", result.width},
            {"profile", result.profile},
            {"readings", lines_json(result.readings)},
            {"command", lines_json(result.command)},
            {"seed", std::to_string(result.seed)},
            {"jobs", result.jobs},
            {"timeout_ns", result.timeout.count()},
            {"started", base::iso_utc(result.started)},
            {"duration_ns", result.duration.count()},
            {"interrupted", result.interrupted},
            {"verdict", clients::verdict_word(result)},
            {"exit_code", static_cast<int>(clients::exit_code_of(result))},
            {"counts", counts_json(result)},
            {"baseline", baseline_json(result.baseline)}};
  json["perturbations"] = Json::array();
  for (const PerturbationResult& one : result.perturbations)
    json["perturbations"].push_back(perturbation_json(one));
  json["clauses"] = Json::array();
  for (const auto& clause : result.clauses) json["clauses"].push_back(clause_result_json(clause));
  json["coverage"] = coverage_json(result);
  return json.dump(1) + "\n";
}

}  // namespace hallmark::cli
