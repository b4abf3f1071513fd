#pragma once
#include <array>
#include <vector>

#include "oracle/admission_window.hpp"
#include "oracle/rate_bounds.hpp"

namespace hallmark::oracle {

/// A use as it was seen.
struct SeenUse {
  std::int64_t sent_ns = 0;
  std::int64_t received_ns = 0;
  bool over = false;
  double rate = 0;  ///< as printed; 0 where nothing was
};

/// A window of time that proves a server wrong about a key.
struct Finding {
  UseVerdict verdict = UseVerdict::ok;
  std::int64_t from_ns = 0;
  std::int64_t to_ns = 0;
  std::uint64_t admitted = 0;  ///< within the window
  /// Over-admission: at most so many; under-admission: at least so many.
  std::uint64_t allowed = 0;
  Bounds rate;              ///< of the use that ends the window
  double explained_by = 0;  ///< uses that nobody knows of (Judgement)
  std::uint64_t uses_before = 0;
  std::vector<SeenUse> uses;  ///< the last of the window
};

/// Watches one key: each use by the interval rule, and the number admitted in any window. Calls
/// come in the order of time, as those of RateBounds.
class LimitOracle {
 public:
  LimitOracle(const protocol::ratelimit::Limit& limit, const Assumptions& assumptions);

  RateBounds::Use sent(std::int64_t at_ns);

  struct Seen {
    Judgement judgement;
    std::optional<Finding> finding;
  };
  Seen answered(RateBounds::Use use, std::int64_t sent_ns, std::int64_t received_ns,
                const UseReply& reply);

  void unanswered(RateBounds::Use use) { bounds_.unanswered(use); }
  void repeated() { bounds_.repeated(); }

 private:
  static constexpr std::size_t kept = 8;

  void keep(const SeenUse& use) { recent_[seen_++ % kept] = use; }
  Finding finding(const Judgement& judgement) const;
  Finding finding(const TooMany& too_many, const Judgement& judgement) const;
  std::vector<SeenUse> recent_since(std::int64_t from_ns) const;

  RateBounds bounds_;
  AdmissionWindow window_;
  std::int64_t first_ns_ = 0;
  std::uint64_t sent_ = 0;
  std::uint64_t admitted_ = 0;
  std::uint64_t seen_ = 0;
  std::array<SeenUse, kept> recent_;
};

}  // namespace hallmark::oracle
