#include "e2e/hostile/trial.hpp"

#include <fcntl.h>

#include <algorithm>
#include <map>

#include "base/child_process.hpp"
#include "base/descriptor.hpp"
#include "base/json.hpp"
#include "base/read_file.hpp"
#include "cmake/places/places.hpp"

namespace hallmark::e2e {
namespace {

namespace fs = std::filesystem;
using base::Json;
using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;
using Arguments = std::vector<std::string>;

/// A run that takes longer than the patience, which is beyond the bound of every target, is ended,
/// and has failed. The sanitizers make it take longer than its bound by the slowdown.
#ifdef HALLMARK_SANITIZED
constexpr milliseconds patience{600'000};
constexpr int slowdown = 3;
#else
constexpr milliseconds patience{240'000};
constexpr int slowdown = 1;
#endif

std::string file_name(const std::string& name) {
  std::string made;
  for (const char c : name) made += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '-';
  return made;
}

milliseconds deadline_for(Kind kind) {
  const auto nanoseconds = kind == Kind::stream     ? stream_deadline
                           : kind == Kind::datagram ? datagram_deadline
                                                    : adapter_deadline;
  return milliseconds(nanoseconds / 1'000'000);
}

std::string command_of(const HostileTarget& target) {
  const std::string program = places::hostile_target();
  switch (target.kind) {
    case Kind::stream:
      return "exec:" + program + " stream " + target.behaviour + " {port}" +
             (target.spoken.empty() ? "" : ' ' + target.spoken);
    case Kind::datagram: return "exec:" + program + " datagram " + target.behaviour + " {port}";
    case Kind::lines: return "pipe:" + program + " lines " + target.behaviour;
  }
  return {};
}

Arguments certify(const HostileTarget& target, const fs::path& report) {
  Arguments arguments = {places::program(),
                         "certify",
                         command_of(target),
                         "--deadline",
                         std::to_string(deadline_for(target.kind).count()) + "ms",
                         "--seed",
                         "7",
                         "--json",
                         report.string()};
  if (target.kind == Kind::stream)
    arguments.insert(arguments.end(), {"--dialect", "throttr-7.1", "--width", "u16"});
  if (target.kind == Kind::datagram)
    arguments.insert(arguments.end(), {"--dialect", "ratelimit-udp"});
  arguments.insert(arguments.end(), target.arguments.begin(), target.arguments.end());
  return arguments;
}

/// Runs it to its end, and ends it when patience is over.
void run(const Arguments& command, Trial& trial) {
  const base::Descriptor output(
      ::open(trial.output.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
  base::ChildOptions options;
  options.out = options.err = output.get();
  const auto begun = Clock::now();
  const auto child = base::ChildProcess::start(command, options);
  if (!child) return;
  const bool ended = (*child)->wait(patience);
  trial.took = std::chrono::duration_cast<milliseconds>(Clock::now() - begun);
  (*child)->kill();
  trial.peak_kib = (*child)->peak_memory_kib();
  if (ended) trial.exit_code = (*child)->exit_code();
}

/// Empty if the run has not written it.
std::string text_of(const fs::path& path) {
  auto text = base::read_file(path, 256 * base::mebibyte, "a report or what a run printed");
  return text ? std::move(*text) : std::string();
}

std::string last_line(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text.substr(text.rfind('\n') + 1);
}

/// The first place of the report that says what was looked for; empty if none does. If nothing was
/// looked for, the first failure.
std::string told_by(const Json& report, const std::string& wanted) {
  Arguments said;
  for (const Json& one : report["cases"].items()) {
    if (one["verdict"] != "pass" && one["verdict"] != "skipped")
      said.push_back(one["reason"].string());
  }
  if (report.contains("deaths")) {
    for (const Json& death : report["deaths"].items())
      said.push_back(death["how"].string() + ": " + death["conclusion"].string());
  }
  said.push_back(report["run_error"].string());
  for (const std::string& one : said) {
    if (!one.empty() && one.find(wanted) != std::string::npos) return one;
  }
  return {};
}

/// The verdict and the code of each case.
std::map<std::string, std::string> ends_in(const Json& report) {
  std::map<std::string, std::string> ends;
  for (const Json& one : report["cases"].items()) {
    std::string& end = ends[one["id"].string()];
    end = one["verdict"].string();
    if (one.contains("code")) end += ' ' + one["code"].string();
  }
  return ends;
}

/// The number of cases that ended in another way, or were not there.
std::size_t changed_between(const Json& report, const Json& again) {
  auto before = ends_in(report);
  std::size_t changed = 0;
  for (const auto& [id, end] : ends_in(again)) {
    const auto known = before.find(id);
    if (known == before.end() || known->second != end) ++changed;
    before.erase(id);
  }
  return changed + before.size();
}

}  // namespace

milliseconds bound_of(std::size_t cases, milliseconds one) {
  return 11 * one + static_cast<long>(cases) * one / 4 + milliseconds(80'000);
}

Trial run_trial(const HostileTarget& target, const fs::path& directory, bool twice) {
  Trial trial;
  trial.target = &target;
  const std::string name = file_name(target.name);
  trial.report = directory / (name + ".json");
  trial.report_again = directory / (name + "-again.json");
  trial.output = directory / (name + ".txt");
  run(certify(target, trial.report), trial);
  if (twice) {
    Trial again;
    again.output = directory / (name + "-again.txt");
    run(certify(target, trial.report_again), again);
  }
  return trial;
}

void judge(Trial& trial) {
  const HostileTarget& target = *trial.target;
  trial.verdict = last_line(text_of(trial.output));
  const auto wrong = [&](const std::string& what) {
    trial.wrong += (trial.wrong.empty() ? "" : "; ") + what;
  };
  if (trial.exit_code < 0) wrong("it did not end by itself");
  const auto parsed = base::parse_json(text_of(trial.report));
  if (!parsed) return wrong("no report was written: " + parsed.error().message);
  const Json& report = *parsed;
  if (trial.exit_code != target.exit_code)
    wrong("exit code " + std::to_string(trial.exit_code) + ", expected " +
          std::to_string(target.exit_code));
  trial.cases = report["cases"].size();
  trial.bound = bound_of(trial.cases, deadline_for(target.kind));
  trial.told = told_by(report, target.told);
  if (trial.told.empty()) wrong("the report does not say '" + target.told + "'");
  if (trial.took > slowdown * trial.bound) wrong("it took longer than it may");
  if (trial.peak_kib > most_memory << 10) wrong("it took more memory than it may");
  if (!fs::exists(trial.report_again)) return;
  const auto again = base::parse_json(text_of(trial.report_again));
  if (!again) return wrong("no report was written again: " + again.error().message);
  trial.changed = changed_between(report, *again);
}

}  // namespace hallmark::e2e
