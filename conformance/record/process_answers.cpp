#include "conformance/record/process_answers.hpp"

#include <fmt/format.h>

#include <sstream>

#include "reports/json_report.hpp"
#include "reports/structure_reader.hpp"

namespace hallmark::conformance {

std::string text_of(const ProcessFigures& figures) {
  return fmt::format("{} {} {} {} {} {}", figures.process, figures.memory, figures.descriptors,
                     figures.threads, figures.cpu, figures.runnable);
}

std::optional<ProcessFigures> figures_in(const std::string& text) {
  std::istringstream from(text);
  ProcessFigures figures;
  from >> figures.process >> figures.memory >> figures.descriptors >> figures.threads >>
      figures.cpu >> figures.runnable;
  if (!from || text != text_of(figures)) return std::nullopt;
  return figures;
}

std::string text_of(const Casualty& casualty) {
  const base::Json json = {{"death", reports::json_of(casualty.death)},
                           {"before", casualty.before},
                           {"alone", casualty.alone},
                           {"claimed_by", casualty.claimed_by},
                           {"killer", casualty.killer},
                           {"input", casualty.input}};
  return json.dump();
}

std::optional<Casualty> casualty_in(std::string_view text) {
  const auto json = base::parse_json(text);
  if (!json) return std::nullopt;
  try {
    base::JsonMembers members{base::JsonReader(*json)};
    Casualty casualty;
    casualty.death = reports::StructureReader::structure<reports::Death>(members["death"]);
    casualty.before = members["before"].printable_strings();
    casualty.alone = members["alone"].boolean();
    casualty.claimed_by = members["claimed_by"].printable_string();
    casualty.killer = members["killer"].printable_string();
    casualty.input = members["input"].printable_string();
    members.no_more();
    return casualty;
  } catch (const base::JsonMismatch&) {
    return std::nullopt;
  }
}

}  // namespace hallmark::conformance
