#include "conformance/drivers/datagram/datagram_player.hpp"

#include <fmt/format.h>

#include "conformance/drivers/datagram/datagram_canary.hpp"
#include "conformance/engine/case_play.hpp"
#include "conformance/supervisor/supervisor.hpp"
#include "protocol/annotate.hpp"

namespace hallmark::conformance {
namespace {

using reports::Verdict;

/// On a path that is known to disturb, a failure has to be seen this often in a row.
constexpr unsigned confirmations = 3;

/// The end of one attempt.
struct End {
  Judgement judgement;
  bool unanswered = false;
  bool fence = false;  ///< not even pings were answered
  bool disturbed = false;
};

End run(Attempt& attempt, const DatagramCase& one) {
  End end;
  try {
    one.run(attempt);
    attempt.settle();
  } catch (const CaseEnded& ended) {
    end.judgement = ended.judgement();
  } catch (const Unanswered& lost) {
    end.unanswered = true;
    end.fence = lost.fence;
    end.judgement = {lost.fence ? Verdict::indeterminate : Verdict::fail,
                     lost.fence
                         ? fmt::format("lost: {}", lost.what)
                         : fmt::format("no reply to {}, and one to a ping behind it", lost.what),
                     {},
                     {}};
    end.judgement.code =
        Code{.kind = Code::Kind::silent, .message = lost.fence ? "ping" : lost.what};
  } catch (const std::exception& unexpected) {
    end.judgement = {
        Verdict::error, fmt::format("the case itself broke: {}", unexpected.what()), {}, {}};
  }
  // A reply that was given up for lost is not a disturbance if its absence is what is judged.
  end.disturbed = attempt.disturbed() && !end.unanswered;
  return end;
}

class Trial {
 public:
  Trial(DatagramContext& context, const DatagramCase& one)
      : context_(context), case_(one), begun_(context.network.now()) {
    played_.result = not_played(one.entry, Verdict::pass, {});
  }

  PlayedCase play() {
    for (unsigned i = 0; i < most_datagram_attempts && !decided_ && !missed_; ++i) {
      attempt(i);
      if (!decided_ && (has_died() || hangs())) conclude_dead();
    }
    if (!decided_ && only_fences_) {
      End silent{{Verdict::fail, silence(), {}, {}}};
      silent.judgement.code = Code{.kind = Code::Kind::silent, .message = "ping"};
      conclude(silent);
      played_.fell_silent = true;
    } else if (!decided_ && last_.unanswered) {
      if (may_all_be_lost()) last_.judgement.verdict = Verdict::indeterminate;
      conclude(last_);
    } else if (!decided_) {
      End open = last_;
      open.judgement.verdict = Verdict::indeterminate;
      open.judgement.reason =
          fmt::format("every attempt lost or doubled datagrams; the last ended with: {}",
                      last_.judgement.reason);
      conclude(open);
    }
    played_.result.duration = std::chrono::nanoseconds(context_.network.now() - begun_);
    return std::move(played_);
  }

 private:
  bool has_died() const {
    Supervisor* const supervisor = context_.network.supervisor();
    return supervisor != nullptr && supervisor->has_died();
  }

  /// Further attempts show it of a target that somebody else started, and cost no more.
  bool hangs() {
    return last_.fence && context_.started_here() &&
           examine_target(context_) == Examined::was_ended;
  }

  /// Why nothing is waited for any more, and what came instead.
  std::string silence() const {
    const Correspondence& mail = played_.sockets.back().mail;
    std::string reason = fmt::format(
        "the target stopped answering: no reply to pings on {} sockets", most_datagram_attempts);
    if (mail.refused()) reason += "; its host says that nobody listens";
    if (mail.stray() != nullptr)
      reason += fmt::format("; what came answers no request: {} bytes, {}", mail.stray()->size(),
                            protocol::printable(*mail.stray(), 32));
    return reason;
  }

  /// Asked again, it would be another process that answers.
  void conclude_dead() {
    last_.judgement.verdict = Verdict::fail;
    conclude(last_);
  }

  /// Returns true if a path that loses so much may lose one datagram of each of so many attempts.
  static bool may_lose(double loss, std::size_t attempts) {
    constexpr double never = 1e-6;
    double chance = 1;
    for (std::size_t i = 0; i < attempts; ++i) chance *= loss;
    return chance > never;
  }

  /// Returns true if the path is so bad that it may have lost all requests of the attempts.
  bool may_all_be_lost() const { return may_lose(context_.path.loss(), played_.sockets.size()); }

  void attempt(unsigned number) {
    const bool last = number + 1 == most_datagram_attempts ||
                      !may_lose(context_.path.loss_with_one_more(), unanswered_ + 1);
    std::optional<Attempt> attempt;
    try {
      attempt.emplace(context_, case_.entry.id, number, last);
    } catch (const CaseEnded& ended) {
      last_ = {ended.judgement()};
      return conclude(last_);
    }
    last_ = run(*attempt, case_);
    only_fences_ = only_fences_ && last_.fence;
    const bool missed = last_.unanswered && !last_.fence;
    if (missed) ++unanswered_;
    missed_ = missed && last;
    played_.sockets.push_back(std::move(*attempt).remains());
    weigh();
  }

  void weigh() {
    switch (last_.judgement.verdict) {
      case Verdict::pass:
      case Verdict::skipped:
      case Verdict::error: return conclude(last_);
      case Verdict::fail:
        if (last_.unanswered) return;
        if (last_.disturbed) return void(seen_ = 0);
        if (++seen_ >= (context_.path.clean() ? 1 : confirmations)) conclude(last_);
        return;
      default: return;
    }
  }

  void conclude(const End& end) {
    decided_ = true;
    reports::CaseResult& result = played_.result;
    conformance::conclude(result, end.judgement);
    const bool worth = result.verdict == Verdict::fail || result.verdict == Verdict::indeterminate;
    if (!worth || played_.sockets.empty()) return;
    const Evidence& evidence = *played_.sockets.back().evidence;
    result.evidence = evidence.exchanges();
    result.reproduction = evidence.reproduction();
  }

  DatagramContext& context_;
  const DatagramCase& case_;
  Time begun_;
  PlayedCase played_;
  End last_;
  unsigned seen_ = 0;
  unsigned unanswered_ = 0;  ///< attempts without a reply, and with one to a ping behind it
  bool missed_ = false;      ///< so did the one that waited as long as the run's patience lets it
  bool only_fences_ = true;
  bool decided_ = false;
};

}  // namespace

PlayedCase play(DatagramContext& context, const DatagramCase& one) {
  return Trial(context, one).play();
}

void judge_late(PlayedCase& played) {
  if (played.result.verdict == Verdict::fail) return;
  for (Attempt::Remains& one : played.sockets) {
    one.mail.take_arrived();
    if (one.mail.stray() == nullptr) continue;
    Judgement judgement{Verdict::fail,
                        fmt::format("a datagram that answers no request came late: {}",
                                    protocol::printable(*one.mail.stray(), 64)),
                        {},
                        {}};
    judgement.code = Code{.kind = Code::Kind::surplus};
    conclude(played.result, std::move(judgement));
    played.result.evidence = one.evidence->exchanges();
    played.result.reproduction = one.evidence->reproduction();
  }
}

}  // namespace hallmark::conformance
