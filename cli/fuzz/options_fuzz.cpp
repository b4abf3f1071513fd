// Feeds arbitrary text to what `hallmark load --workload FILE` reads, and arbitrary words to the
// command line. A workload that is accepted sets options that are there, is accepted again, and
// then changes nothing; a refusal is one line. A command line that is refused is explained in lines
// that may be printed.
//
// The workload ends at the first zero; the rest is words, a line each.
#include <algorithm>

#include "base/fuzz/requirement.hpp"
#include "cli/load/workload_file.hpp"
#include "cli/options/command_line.hpp"

namespace hallmark::cli {
namespace {

using fuzz::require;

/// A command with options of every kind.
class Program {
 public:
  Program() {
    program_.require_subcommand(1);
    load_->add_option("--mix", values_.mix)->not_empty();
    load_->add_option("--keys", values_.keys)->range(std::uint64_t{1}, std::uint64_t{1'000'000});
    load_->add_option("--share", values_.share)->range(0.0, 1.0);
    load_->add_option("--connections", values_.connections)->range(1, 1000);
    load_->add_option("--reading", values_.readings)->take_all();
    load_->add_flag("--stages", values_.stages);
    load_->add_option("--json", values_.json);
    load_->callback([this] { ran_ = true; });
  }

  struct Values {
    std::string mix;
    std::uint64_t keys = 1;
    double share = 0;
    int connections = 1;
    std::vector<std::string> readings;
    bool stages = false;
    std::string json;
    bool operator==(const Values&) const = default;
  };

  base::Result<void> apply(const std::string& path) { return apply_workload(*load_, path); }

  void run(std::vector<std::string> words) {
    const auto not_run = program_.run(std::move(words));
    require(ran_ != not_run.has_value(), "a command line is run or explained");
    if (!not_run) return;
    require(!not_run->text.empty(), "an explanation says something");
    for (std::string_view rest = not_run->text; !rest.empty();) {
      const std::string_view line = base::take_line(rest);
      require(base::printable(line) == line, "an explanation may be printed", line);
    }
  }

  const Values& values() const { return values_; }

 private:
  Values values_;
  bool ran_ = false;
  Command program_{"A program", "hallmark"};
  Command* load_ = program_.add_subcommand("load", "A command");
};

void read_workload(std::string_view text) {
  static fuzz::MemoryFile file;
  file.hold(text);
  Program program;
  const auto applied = program.apply(file.path());
  if (!applied) return fuzz::require_line(applied.error().message);
  const Program::Values& values = program.values();
  require(values.keys >= 1 && values.keys <= 1'000'000 && values.share >= 0 && values.share <= 1 &&
              values.connections >= 1 && values.connections <= 1000,
          "values lie within their ranges", text);
  require(values.json.empty(), "a workload does not say where results go", text);
  const Program::Values before = values;
  require(program.apply(file.path()).has_value(), "a workload is accepted again", text);
  require(program.values() == before, "what was given is not changed", text);
}

void read_words(fuzz::Input input) {
  std::vector<std::string> words;
  while (!input.bytes().empty()) words.emplace_back(input.until('\n'));
  Program program;
  program.run(std::move(words));
}

}  // namespace
}  // namespace hallmark::cli

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  hallmark::fuzz::Input input(data, size);
  hallmark::cli::read_workload(input.until('\0'));
  hallmark::cli::read_words(input);
  return 0;
}
