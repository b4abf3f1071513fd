#include "e2e/hostile/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "cmake/places/places.hpp"

namespace hallmark::e2e {
namespace {

double seconds(std::chrono::milliseconds time) { return static_cast<double>(time.count()) / 1000; }

/// Programs by their names: where they were built is nobody's business.
std::string without_directories(std::string text) {
  for (const std::filesystem::path program : {places::hostile_target(), places::program()}) {
    const std::string path = program.string();
    for (auto at = text.find(path); at != std::string::npos; at = text.find(path))
      text.replace(at, path.size(), program.filename().string());
  }
  return text;
}

std::string cell(const std::string& told) {
  constexpr std::size_t most = 150;
  std::string safe;
  for (const char c : without_directories(told)) {
    if (c == '|') safe += '\\';
    safe += c;
    // Behind a whole character of UTF-8.
    if (safe.size() >= most && static_cast<unsigned char>(c) < 0x80) return safe + "…";
  }
  return safe;
}

/// What the last line says of cases, without the time.
std::string verdict_of(const Trial& trial) {
  std::string text = trial.verdict.substr(0, trial.verdict.find(" in "));
  const auto words = text.find("  ");
  return words == std::string::npos || trial.cases == 0 ? "nothing played" : text.substr(words + 2);
}

constexpr std::string_view introduction = R"(# Hostile and broken targets

Whatever a target does, `hallmark certify` ends by itself, within a time that is known before, in
bounded memory, with a report that is written whole and says what happened. The programs of
`conformance/tests/hostile` try it: `hallmark_hostile` certifies each of them, holds the run to all of
that, and writes this page (`hallmark_hostile --page docs/hostile.md`, built with the tests).

A run of C cases with the deadline D (`--deadline`) takes at most

    14 D + C D / 4 + 80 s

beside what slow cases wait for (`--slow`: 3 minutes each).

- D each until the target is connected to, identified, and found to be silent. Waits of cases that are in
  vain share 4 D, and those for deliveries share another 4 D; when these are used up, each takes at most
  D / 250. A message that comes byte by byte is one wait.
- C D / 4 and 60 s are what cases may take together, for those that wait for records to expire, for
  targets that answer, but late, and for those that die. When they are used up no further case is played
  and nothing is started any more; what was not played is skipped with that reason. A case that tries many
  inputs stops after 32 deaths, 2 hangs or 8 silences.
- 20 s are for what goes on then: a process that is being started has 20 D (at most 10 s and at least D)
  until it serves, one that is left alone to see whether it ends by itself 5 s, and one that
  is to be stopped 2 s.

It takes at most 200 MiB: of a reply no more than 16 MiB are taken, of what a target writes to its
standard output and error the last 16 KiB are kept.

What is played again after a death, and why, says [deaths.md](deaths.md).

)";

}  // namespace

std::string in_one_line(const Trial& trial) {
  return fmt::format("{:<5} {:<28} exit {}  {:6.2f} s of {:5.1f} s  {:5.1f} MiB  {}",
                     trial.wrong.empty() ? "ok" : "WRONG", trial.target->name, trial.exit_code,
                     seconds(trial.took), seconds(trial.bound),
                     static_cast<double>(trial.peak_kib) / 1024, trial.told.substr(0, 110));
}

std::string page_of(const std::vector<Trial>& trials) {
  std::string text(introduction);
  text += fmt::format(
      "Measured with D = {} ms for streams, {} ms for datagrams and {} ms for adapters, 4 runs at "
      "a "
      "time:\n\n",
      stream_deadline / 1'000'000, datagram_deadline / 1'000'000, adapter_deadline / 1'000'000);
  text +=
      "| target | exit | verdicts | what is told | s | bound, s | MiB "
      "|\n|---|---|---|---|---|---|---|\n";
  for (const Trial& trial : trials) {
    text +=
        fmt::format("| {} | {} | {} | {} | {:.2f} | {:.0f} | {:.0f} |\n", cell(trial.target->name),
                    trial.exit_code, cell(verdict_of(trial)), cell(trial.told), seconds(trial.took),
                    seconds(trial.bound), static_cast<double>(trial.peak_kib) / 1024);
  }
  return text;
}

}  // namespace hallmark::e2e
