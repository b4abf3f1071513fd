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

/// The part of the last line that tells about cases, without the time.
std::string verdict_of(const Trial& trial) {
  std::string text = trial.verdict.substr(0, trial.verdict.find(" in "));
  const auto words = text.find("  ");
  return words == std::string::npos || trial.cases == 0 ? "nothing played" : text.substr(words + 2);
}

constexpr std::string_view introduction = R"(# Hostile and broken targets

Whatever a target does, `hallmark certify` ends by itself, within a known time and in bounded memory, and writes a whole
report. The program of `e2e/hostile/target` misbehaves in every way that we know. `hallmark_hostile` certifies each
of them, checks these promises, and writes this page (`hallmark_hostile --page docs/hostile.md`, built with the tests).

A run of C cases with the deadline D (`--deadline`) takes at most

    11 D + C D / 4 + 80 s

plus the waits of slow cases (`--slow`: 3 minutes each).

- 11 D: connecting, identifying the target and finding that it is silent take at most D each. All vain waits of cases share
  1.5 D, those for pushes another 1.5 D, and those for the end of a connection that may go on D / 2. When these are
  used up, each wait takes at most D / 250, or, for a target that is far away or slow, three times as long as connecting
  to it took or four times as long as its usual reply, up to D / 5. A message that comes byte by byte is one wait.
- C D / 4 and 60 s: the time of all cases together, for cases that wait for records to expire, for late answers and for
  deaths. When it is used up, Hallmark plays no further case and starts nothing any more; it skips the rest with that
  reason. A case that tries many inputs stops after 32 deaths, 2 hangs or 8 silences.
- 20 s: the end of what is still going on. A process that is being started has 20 D (at most 10 s and at least D)
  until it serves. A process that is left alone, to see whether it ends by itself, has 5 s. A process that is being
  stopped has 2 s.

A run takes at most 200 MiB. It keeps at most 16 MiB of a reply, and the last 16 KiB of the target's standard output and
error.

Each is certified twice with the same seed. The last column has the number of cases whose verdict or code changed. A target
that answers with endless bytes, or ends or hangs after so many requests of whichever case, makes a different case fail
each time.

[deaths.md](deaths.md) says which cases Hallmark plays again after a death, and why.

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
      "| target | exit | verdicts | report | s | bound, s | MiB | changed "
      "|\n|---|---|---|---|---|---|---|---|\n";
  for (const Trial& trial : trials) {
    text += fmt::format("| {} | {} | {} | {} | {:.2f} | {:.0f} | {:.0f} | {} |\n",
                        cell(trial.target->name), trial.exit_code, cell(verdict_of(trial)),
                        cell(trial.told), seconds(trial.took), seconds(trial.bound),
                        static_cast<double>(trial.peak_kib) / 1024, trial.changed);
  }
  return text;
}

}  // namespace hallmark::e2e
