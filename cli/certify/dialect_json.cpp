#include "cli/certify/dialect_json.hpp"

#include <utility>

namespace hallmark::cli {
namespace {

using base::Json;

Json reading_json(const protocol::Reading& reading) {
  Json answers = Json::array();
  for (const protocol::Answer& answer : reading.answers) {
    answers.push_back({{"id", answer.id},
                       {"meaning", answer.meaning},
                       {"favoured", answer.id == reading.favoured},
                       {"released", answer.id == reading.released},
                       {"served", answer.served == protocol::Served::yes}});
  }
  Json json{{"id", reading.id},
            {"question", reading.question},
            {"clause", reading.clause},
            {"section", reading.section},
            {"answers", std::move(answers)}};
  if (!reading.words.empty()) json["words"] = reading.words;
  return json;
}

}  // namespace

Json readings_json(const protocol::Dialect& dialect) {
  Json readings = Json::array();
  for (const protocol::Reading& reading : dialect.readings)
    readings.push_back(reading_json(reading));
  return {{"dialect", dialect.name},
          {"document", dialect.document},
          {"servers", dialect.servers},
          {"readings", std::move(readings)}};
}

Json clause_json(const protocol::Clause& clause) {
  return {{"id", clause.id},
          {"level", protocol::name_of(clause.level)},
          {"section", clause.section},
          {"text", clause.text}};
}

}  // namespace hallmark::cli
