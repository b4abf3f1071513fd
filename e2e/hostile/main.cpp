#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <thread>

#include "base/output_file.hpp"
#include "base/tests/temporary_directory.hpp"
#include "cmake/places/places.hpp"
#include "e2e/hostile/page.hpp"

/// hostile [--part I/N] [--only NAME] [--page FILE]: certifies each hostile target and holds the
/// run to its time, its memory, its report and its reason. Exit code 0: all as expected. For a
/// page, each is certified twice.
namespace hallmark::e2e {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::size_t part = 0;
  std::size_t parts = 1;
  std::string only;
  std::string page;

  /// So many targets at a time: most of a run is waiting, but not all. Parts run beside each other
  /// and beside other tests; under the sanitizers, the start of each program is work.
  unsigned jobs() const {
#ifdef HALLMARK_SANITIZED
    return 2;
#else
    return parts > 1 ? 2 : 4;
#endif
  }
};

/// Returns nothing if an argument is not understood.
std::optional<Options> read(int count, char** arguments) {
  Options options;
  for (int i = 1; i < count; i += 2) {
    const std::string name = arguments[i];
    const std::string value = i + 1 < count ? arguments[i + 1] : "";
    unsigned part = 0;
    unsigned parts = 0;
    if (name == "--only") {
      options.only = value;
    } else if (name == "--page") {
      options.page = value;
    } else if (name == "--part" && std::sscanf(value.c_str(), "%u/%u", &part, &parts) == 2) {
      options.part = part;
      options.parts = std::max(parts, 1U);
    } else {
      fmt::print(stderr,
                 "hostile: '{} {}' is no option; expected --part I/N, --only NAME or --page FILE\n",
                 name, value);
      return std::nullopt;
    }
  }
  return options;
}

std::vector<const HostileTarget*> chosen(const Options& options) {
  std::vector<const HostileTarget*> targets;
  std::size_t index = 0;
  for (const HostileTarget& one : hostile_targets()) {
    const bool mine = index++ % options.parts == options.part;
    if (mine && one.name.find(options.only) != std::string::npos) targets.push_back(&one);
  }
  return targets;
}

std::vector<Trial> run_all(const std::vector<const HostileTarget*>& targets,
                           const fs::path& directory, const Options& options) {
  std::vector<Trial> trials(targets.size());
  std::atomic<std::size_t> next{0};
  std::vector<std::jthread> threads;
  for (unsigned i = 0; i < options.jobs(); ++i) {
    threads.emplace_back([&] {
      for (std::size_t at = next++; at < targets.size(); at = next++)
        trials[at] = run_trial(*targets[at], directory, !options.page.empty());
    });
  }
  threads.clear();
  return trials;
}

/// All reports at once: starting the validator takes longer than validating.
bool reports_are_valid(const std::vector<Trial>& trials) {
  const std::string root = places::source();
  std::string command =
      fmt::format("'{}' '{}/e2e/validate.mjs' '{}/reports/schema/certify.schema.json'",
                  places::node(), root, root);
  for (const Trial& trial : trials) {
    if (fs::exists(trial.report)) command += " '" + trial.report.string() + "'";
  }
  return std::system(command.c_str()) == 0;
}

int run(const Options& options) {
  const auto targets = chosen(options);
  if (targets.empty()) return 2;
  const base::test::TemporaryDirectory directory;
  auto trials = run_all(targets, directory.path(), options);
  for (Trial& trial : trials) {
    judge(trial);
    fmt::print("{}\n", in_one_line(trial));
  }
  const bool valid = reports_are_valid(trials);
  std::size_t wrong = 0;
  for (const Trial& trial : trials) {
    if (trial.wrong.empty()) continue;
    ++wrong;
    fmt::print("\nWRONG  {}: {}\n{}\n", trial.target->name, trial.wrong, trial.verdict);
  }
  if (!options.page.empty()) {
    if (const auto written = base::write_file(options.page, page_of(trials)); !written) {
      fmt::print(stderr, "hostile: {}\n", written.error().message);
      return 1;
    }
  }
  fmt::print("\n{} of {} hostile targets are as expected, reports are {}\n", trials.size() - wrong,
             trials.size(), valid ? "valid" : "NOT valid");
  return wrong == 0 && valid ? 0 : 1;
}

}  // namespace
}  // namespace hallmark::e2e

int main(int count, char** arguments) {
  const auto options = hallmark::e2e::read(count, arguments);
  return options ? hallmark::e2e::run(*options) : 2;
}
