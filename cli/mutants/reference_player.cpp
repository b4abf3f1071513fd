#include "cli/mutants/reference_player.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "base/output_file.hpp"
#include "cli/vectors/vectors_directory.hpp"

namespace hallmark::cli {

using reports::CertifyResult;

base::Result<RulesFile> RulesFile::create() {
  auto directory = base::TemporaryDirectory::create("hallmark-mutants");
  if (!directory) return directory.error();
  RulesFile file(std::move(*directory));
  const std::string text =
      std::string(protocol::ratelimit::example_rules_text()) + "5/10 strict stats \"counted *\"\n";
  if (const auto written = base::write_file(file.path(), text); !written) return written.error();
  auto rules = protocol::ratelimit::read_rules_file(file.path());
  if (!rules) return rules.error();
  file.rules_ = std::move(*rules);
  return file;
}

OrReason<std::unique_ptr<ReferencePlayer>> ReferencePlayer::create(const protocol::Dialect& dialect,
                                                                   protocol::Width width,
                                                                   const RulesFile& rules) {
  std::unique_ptr<ReferencePlayer> made(new ReferencePlayer(dialect, width, rules));
  if (auto loaded = made->load(); !loaded) return loaded.error();
  return made;
}

OrReason<void> ReferencePlayer::load() {
  conformance::KnownRules known;
  known.rules = &rules_.rules();
  known.exponential = true;
  auto made = driver().cases({default_vectors_directory(), known}, format_);
  if (!made) return made.error();
  cases_ = std::move(*made);
  return {};
}

CertifyResult ReferencePlayer::play(const faults::ChosenBugs& bugs,
                                    const PlayOptions& options) const {
  return certify(cases_, bugs, options);
}

CertifyResult ReferencePlayer::play_clause(const faults::ChosenBugs& bugs,
                                           const std::string& clause,
                                           const PlayOptions& options) const {
  conformance::Filter filter;
  filter.clauses = {clause};
  return play_chosen(bugs, filter, options);
}

CertifyResult ReferencePlayer::play_cases(const faults::ChosenBugs& bugs,
                                          const std::set<std::string>& ids,
                                          const PlayOptions& options) const {
  conformance::Filter filter;
  for (const conformance::CaseEntry& entry : conformance::entries_of(cases_)) {
    if (ids.contains(entry.id)) filter.ids.push_back(entry.id);
  }
  return filter.ids.empty() ? CertifyResult() : play_chosen(bugs, filter, options);
}

CertifyResult ReferencePlayer::play_chosen(const faults::ChosenBugs& bugs,
                                           const conformance::Filter& filter,
                                           const PlayOptions& options) const {
  if (const auto chosen = conformance::chosen(cases_, filter))
    return certify(*chosen, bugs, options);
  conformance::Cases none = cases_;
  keep(none, {});
  return certify(none, bugs, options);
}

std::string ReferencePlayer::command(const faults::ChosenBugs& bugs) const {
  // The image that runs, even if another has taken the place of its file since.
  std::string words =
      fmt::format("/proc/{}/exe serve --dialect {}", ::getpid(), format_.dialect().name);
  unsigned threads = 1;
  for (const faults::Bug* const bug : bugs) {
    words += fmt::format(" --mutant {}", bug->id);
    threads = std::max(threads, bug->threads);
  }
  if (threads > 1) words += fmt::format(" --threads {}", threads);
  return words;
}

conformance::Target ReferencePlayer::target(const faults::ChosenBugs& bugs) const {
  const std::string words = command(bugs);
  switch (format_.dialect().transport) {
    case protocol::Transport::stream:
      return base::ExecEndpoint{fmt::format("{} --width {} --listen tcp://127.0.0.1:{{port}}",
                                            words, protocol::name_of(format_.width())),
                                {}};
    case protocol::Transport::datagram:
      return base::ExecEndpoint{
          fmt::format("{} --rules {} --listen udp://127.0.0.1:{{port}}", words, rules_.path()), {}};
    case protocol::Transport::at_rest: return base::PipeEndpoint{words + " --stdio"};
  }
  return base::ExecEndpoint{words, {}};
}

CertifyResult ReferencePlayer::certify(const conformance::Cases& cases,
                                       const faults::ChosenBugs& bugs,
                                       const PlayOptions& options) const {
  conformance::CertifyOptions certify;
  certify.target = target(bugs);
  certify.target_text = std::visit(
      [](const auto& endpoint) -> std::string {
        if constexpr (requires { endpoint.command; }) return endpoint.command;
        return {};
      },
      certify.target);
  certify.asked.dialect = &format_.dialect();
  certify.asked.width = format_.width();
  certify.asked.profile = protocol::Profile::deployed;
  certify.deadline = options.deadline;
  certify.exclusive = true;
  certify.seed = options.seed;
  certify.schedule.jobs = options.jobs;
  certify.schedule.slow = options.slow;
  certify.schedule.stop = options.stop;
  certify.confirm = options.confirm;
  return driver().certify_as(format_, cases, certify);
}

}  // namespace hallmark::cli
