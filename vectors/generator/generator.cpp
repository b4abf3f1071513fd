#include "vectors/generator/generator.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "reference/protocol/dialects/throttr_7_1.hpp"
#include "vectors/format/json.hpp"
#include "vectors/generator/rehearsal.hpp"
#include "vectors/generator/suite.hpp"

namespace hallmark::vectors::generator {
namespace {

using protocol::Error;
using protocol::Result;

Suite write_suite(const protocol::Dialect& dialect, protocol::Width width,
                  const protocol::Readings& readings) {
  Suite suite(dialect, width, readings);
  add_counter_scenarios(suite);
  add_update_scenarios(suite);
  add_buffer_scenarios(suite);
  add_listing_scenarios(suite);
  add_metric_scenarios(suite);
  add_channel_scenarios(suite);
  add_connection_scenarios(suite);
  return suite;
}

std::map<std::string, std::string> answers_of(const protocol::Readings& readings) {
  std::map<std::string, std::string> answers;
  for (const protocol::Reading& reading : readings.dialect().readings) {
    answers[std::string(reading.id)] = std::string(readings.answer(reading.id));
  }
  return answers;
}

/// A vector must cite clauses that exist and carry flags that are explained.
std::string complaint_about(const Vector& vector, const protocol::Dialect& dialect) {
  if (vector.clauses.empty()) return "cites no clause";
  for (const std::string& clause : vector.clauses) {
    if (protocol::find_clause(dialect, clause) == nullptr)
      return fmt::format("cites {}, which is no clause", clause);
  }
  for (const std::string& flag : vector.flags) {
    if (!flag_meanings().contains(flag))
      return fmt::format("carries the flag {}, which nothing explains", flag);
  }
  return "";
}

class FileMaker {
 public:
  FileMaker(const protocol::Dialect& dialect, protocol::Width width,
            const protocol::Readings& readings)
      : dialect_(dialect), width_(width), readings_(readings) {}

  Result<std::vector<VectorFile>> run() {
    Suite suite = write_suite(dialect_, width_, readings_);
    for (Scenario& scenario : suite.scenarios()) {
      Vector& vector = scenario.vector();
      if (const std::string why = complaint_about(vector, dialect_); !why.empty())
        return Error{vector.id + ": " + why};
      if (auto result = rehearse(vector, width_, readings_); !result) return result.error();
      add(std::move(vector));
    }
    return std::move(files_);
  }

 private:
  void add(Vector vector) {
    const auto found = std::ranges::find(files_, vector.operation, &VectorFile::operation);
    VectorFile& file =
        found != files_.end() ? *found : files_.emplace_back(empty_file(vector.operation));
    for (const std::string& flag : vector.flags) file.flags[flag] = flag_meanings().at(flag);
    file.vectors.push_back(std::move(vector));
  }

  VectorFile empty_file(const std::string& operation) const {
    VectorFile file;
    file.dialect = std::string(dialect_.name);
    file.width = width_;
    file.operation = operation;
    file.readings = answers_of(readings_);
    return file;
  }

  const protocol::Dialect& dialect_;
  protocol::Width width_;
  const protocol::Readings& readings_;
  std::vector<VectorFile> files_;
};

}  // namespace

const std::map<std::string, std::string>& flag_meanings() {
  static const std::map<std::string, std::string> meanings = {
      {"binary-name", "a key or channel of arbitrary bytes: it must not be taken for text"},
      {"empty-name", "a key or channel of length 0, on which the document is silent"},
      {"expires-quickly",
       "the record may be gone by the time it is asked for; both answers are listed, each with its "
       "condition"},
      {"long-name", "a key or channel of 255 bytes, the longest that its size field can announce"},
      {"long-value", "a value that does not fit one read of most servers"},
      {"short-name", "a key or channel of one byte, which somebody else may use too"},
      {"silent", "the document is silent: all answers that keep the framing are listed"},
  };
  return meanings;
}

Result<std::vector<VectorFile>> generate(const protocol::Dialect& dialect, protocol::Width width,
                                         protocol::Profile profile) {
  const protocol::Readings readings(dialect, profile);
  return FileMaker(dialect, width, readings).run();
}

std::string path_of(const VectorFile& file) {
  std::string operation = file.operation;
  std::ranges::transform(operation, operation.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return fmt::format("{}/{}/{}.json", file.dialect, protocol::name_of(file.width), operation);
}

Result<std::map<std::string, std::string>> generate_all() {
  std::map<std::string, std::string> texts;
  for (const protocol::Width width : protocol::throttr_7_1.widths) {
    auto files = generate(protocol::throttr_7_1, width, protocol::Profile::deployed);
    if (files.has_error()) return files.error();
    for (const VectorFile& file : *files) {
      std::string text = write_json(file);
      // What is written has to read back as what was meant.
      const auto again = read_json(text);
      if (again.has_error()) return Error{path_of(file) + ": " + again.error().message};
      if (!(*again == file)) return Error{path_of(file) + ": does not read back as it was written"};
      texts[path_of(file)] = std::move(text);
    }
  }
  return texts;
}

}  // namespace hallmark::vectors::generator
