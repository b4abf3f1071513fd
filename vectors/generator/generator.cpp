#include "vectors/generator/generator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <future>
#include <set>

#include "protocol/dialects.hpp"
#include "vectors/format/invalid.hpp"
#include "vectors/format/json.hpp"
#include "vectors/format/layouts.hpp"
#include "vectors/format/state_json.hpp"
#include "vectors/generator/datagrams.hpp"
#include "vectors/generator/dependence.hpp"
#include "vectors/generator/invalid_messages.hpp"
#include "vectors/generator/rehearsal.hpp"
#include "vectors/generator/states/rehearsed_states.hpp"
#include "vectors/generator/suite.hpp"

namespace hallmark::vectors::generator {
namespace {

using base::Error;
using base::Result;
using protocol::Profile;
using protocol::Readings;
using protocol::Width;

/// A vector must cite a clause and carry flags that are explained.
std::string complaint_about(const Vector& vector) {
  if (vector.clauses.empty()) return "cites no clause";
  for (const std::string& flag : vector.flags) {
    if (!flag_meanings().contains(flag))
      return fmt::format("carries the flag {}, which nothing explains", flag);
  }
  return "";
}

/// The part of an id that the vectors of both profiles share.
std::string name_of(const Vector& vector) {
  const auto operation = vector.id.rfind('/', vector.id.rfind('/') - 1);
  return vector.id.substr(operation + 1);
}

bool agrees(const Vector& vector, const Readings& readings) {
  return std::ranges::all_of(vector.readings, [&](const auto& answer) {
    return readings.answer_called(answer.first) == answer.second;
  });
}

/// One dialect at one width.
class Shelf {
 public:
  Shelf(const protocol::Dialect& dialect, Width width) : dialect_(dialect), width_(width) {}

  Result<std::vector<VectorFile>> run() {
    const Readings literal(dialect_, Profile::literal);
    auto vectors = written_for(Profile::deployed, [](const Vector&) { return true; });
    if (vectors.has_error()) return vectors.error();
    std::set<std::string> right_for_both;
    for (Vector& vector : *vectors) {
      if (agrees(vector, literal)) right_for_both.insert(name_of(vector));
      add(Profile::deployed, std::move(vector));
    }
    auto others = written_for(Profile::literal, [&](const Vector& vector) {
      return !right_for_both.contains(name_of(vector));
    });
    if (others.has_error()) return others.error();
    for (Vector& vector : *others) add(Profile::literal, std::move(vector));
    return std::move(files_);
  }

 private:
  template <class Predicate>
  Result<std::vector<Vector>> written_for(Profile profile, const Predicate& wanted) const {
    const Readings readings(dialect_, profile);
    const bool datagrams = dialect_.transport == protocol::Transport::datagram;
    auto vectors =
        datagrams ? rehearsed_datagrams(readings, profile) : rehearsed(width_, readings, profile);
    if (vectors.has_error()) return vectors;
    std::erase_if(*vectors, std::not_fn(wanted));
    if (datagrams) return vectors;
    for (Vector& vector : *vectors) vector.readings = dependence_of(vector, width_, readings);
    return vectors;
  }

  void add(Profile profile, Vector vector) {
    const auto found = std::ranges::find_if(files_, [&](const VectorFile& file) {
      return file.profile == profile && file.operation == vector.operation;
    });
    VectorFile& file =
        found != files_.end() ? *found : files_.emplace_back(empty_file(profile, vector.operation));
    for (const std::string& flag : vector.flags) file.flags[flag] = flag_meanings().at(flag);
    file.vectors.push_back(std::move(vector));
  }

  VectorFile empty_file(Profile profile, const std::string& operation) const {
    VectorFile file;
    file.dialect = std::string(dialect_.name);
    file.profile = profile;
    file.width = width_;
    file.operation = operation;
    return file;
  }

  const protocol::Dialect& dialect_;
  Width width_;
  std::vector<VectorFile> files_;
};

using Texts = std::map<std::string, std::string>;

/// The files of the same operation and profile, width by width, by their path.
using ByPath = std::map<std::string, std::vector<VectorFile>>;

/// Every text has to read back as the files that it was written from.
Result<Texts> texts_of(const ByPath& by_path) {
  Texts texts;
  for (const auto& [path, files] : by_path) {
    std::string text = write_json(files);
    const auto again = read_json(text);
    if (again.has_error()) return Error{path + ": " + again.error().message};
    if (!(*again == files)) return Error{path + ": does not read back as it was written"};
    texts[path] = std::move(text);
  }
  return texts;
}

/// Like `texts_of`, for the states of a dialect at rest.
Result<Texts> generate_state_texts() {
  const auto files = rehearsed_states();
  if (files.has_error()) return files.error();
  Texts texts;
  for (const StateVectorFile& file : *files) {
    const std::string path = state_file_path(file.strategy);
    std::string text = write_json(file);
    const auto again = read_state_json(text);
    if (again.has_error()) return Error{path + ": " + again.error().message};
    if (!(*again == file)) return Error{path + ": does not read back as it was written"};
    texts[path] = std::move(text);
  }
  return texts;
}

/// Generates what runners in other languages need beside vectors: the layouts of a dialect, and its
/// illegal messages. These have to read back as they were written, too.
Result<Texts> generate_texts_for_codecs(const protocol::Dialect& dialect) {
  const auto files = invalid_files(dialect);
  if (files.has_error()) return files.error();
  const std::string path = invalid_path_of(dialect.name);
  std::string text = write_json(*files);
  const auto again = read_invalid_json(text);
  if (again.has_error()) return Error{path + ": " + again.error().message};
  if (!(*again == *files)) return Error{path + ": does not read back as it was written"};
  Texts texts;
  texts[path] = std::move(text);
  texts[layouts_path_of(dialect.name)] = write_layouts(dialect);
  return texts;
}

/// All widths at the same time.
Result<Texts> generate_vector_texts(const protocol::Dialect& dialect) {
  if (dialect.transport == protocol::Transport::at_rest) return generate_state_texts();
  std::vector<std::future<Result<std::vector<VectorFile>>>> widths;
  for (const Width width : dialect.widths) {
    widths.push_back(
        std::async(std::launch::async, [&dialect, width] { return generate(dialect, width); }));
  }
  ByPath by_path;
  for (auto& width : widths) {
    auto files = width.get();
    if (files.has_error()) return files.error();
    for (VectorFile& file : *files) by_path[path_of(file)].push_back(std::move(file));
  }
  return texts_of(by_path);
}

Result<Texts> generate_texts(const protocol::Dialect& dialect) {
  auto texts = generate_vector_texts(dialect);
  if (texts.has_error()) return texts;
  auto for_codecs = generate_texts_for_codecs(dialect);
  if (for_codecs.has_error()) return for_codecs;
  texts->merge(*for_codecs);
  return texts;
}

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
      {"silent",
       "the document is silent: what is expected is what follows from the answers that the vector "
       "names"},
  };
  return meanings;
}

Result<std::vector<Vector>> rehearsed(Width width, const Readings& readings, Profile profile) {
  Suite suite(width, readings, profile);
  add_scenarios(suite);
  std::vector<Vector> vectors;
  for (Scenario& scenario : suite.scenarios()) {
    Vector& vector = scenario.vector();
    if (const std::string why = complaint_about(vector); !why.empty())
      return Error{vector.id + ": " + why};
    if (auto result = rehearse(vector, width, readings); !result) return result.error();
    vectors.push_back(std::move(vector));
  }
  return vectors;
}

Result<std::vector<VectorFile>> generate(const protocol::Dialect& dialect, Width width) {
  return Shelf(dialect, width).run();
}

Result<Texts> generate_all() {
  std::vector<std::future<Result<Texts>>> dialects;
  for (const protocol::Dialect* dialect : protocol::all_dialects)
    dialects.push_back(std::async(std::launch::async, [=] { return generate_texts(*dialect); }));
  Texts all;
  for (auto& dialect : dialects) {
    auto texts = dialect.get();
    if (texts.has_error()) return texts.error();
    all.merge(*texts);
  }
  return all;
}

}  // namespace hallmark::vectors::generator
