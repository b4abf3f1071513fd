#include "conformance/reduction/vector_reducer.hpp"

#include <algorithm>

#include "conformance/reduction/vector_parts.hpp"

namespace hallmark::conformance {
namespace {

using vectors::Vector;

class VectorReducer {
 public:
  VectorReducer(RunContext& context, Housekeeper& housekeeper, Vector vector, Delivery delivery,
                const ReductionBounds& bounds)
      : context_(context),
        housekeeper_(housekeeper),
        vector_(std::move(vector)),
        delivery_(delivery),
        plays_left_(bounds.plays),
        until_(context.network.now() + bounds.longest) {}

  bool run() {
    if (!fails(vector_)) return false;
    end_at_the_failure();
    leave_out_parts();
    // The last word is that of what is kept.
    plays_left_ = 1;
    until_ = context_.network.now() + context_.patience.deadline();
    return fails(vector_);
  }

  Vector take() { return std::move(vector_); }

 private:
  bool fails(const Vector& candidate) {
    if (plays_left_ == 0 || context_.network.now() >= until_ || context_.stopped()) return false;
    if (!can_deliver(context_.format, candidate, delivery_)) return false;
    --plays_left_;
    Stage stage(context_, housekeeper_, candidate.id);
    try {
      if (std::ranges::find(candidate.preconditions, vectors::Precondition::empty) !=
          candidate.preconditions.end())
        stage.require_empty();
      play(stage, candidate, delivery_);
      return false;
    } catch (const CaseEnded& ended) {
      stage.abandon();
      return ended.judgement().verdict == reports::Verdict::fail;
    }
  }

  /// The shortest beginning that fails, by halves: what is behind it makes no difference.
  void end_at_the_failure() {
    std::vector<std::size_t> ends;
    for (std::size_t i = 0; i < vector_.steps.size(); ++i) {
      if (std::holds_alternative<vectors::Expect>(vector_.steps[i].action)) ends.push_back(i + 1);
    }
    std::size_t passes = 0;
    std::size_t fails_with = ends.size();
    while (passes + 1 < fails_with) {
      const std::size_t middle = passes + (fails_with - passes) / 2;
      (fails(beginning_of(vector_, ends[middle - 1])) ? fails_with : passes) = middle;
    }
    if (fails_with < ends.size()) vector_ = beginning_of(vector_, ends[fails_with - 1]);
  }

  void leave_out_parts() {
    const std::vector<VectorPart> parts = parts_of(context_.format, vector_);
    const Vector whole = vector_;
    std::vector<bool> out(parts.size());
    for (std::size_t size = parts.size(); size > 0; size /= 2) {
      for (std::size_t from = 0; from < parts.size(); from += size) {
        std::vector<bool> candidate = out;
        const auto first = candidate.begin() + static_cast<std::ptrdiff_t>(from);
        const std::size_t count = std::min(size, parts.size() - from);
        std::fill(first, first + static_cast<std::ptrdiff_t>(count), true);
        if (candidate == out) continue;
        auto rest = without(context_.format, whole, chosen(parts, candidate));
        if (!rest || !fails(*rest)) continue;
        vector_ = std::move(*rest);
        out = std::move(candidate);
      }
    }
  }

  static std::vector<VectorPart> chosen(const std::vector<VectorPart>& parts,
                                        const std::vector<bool>& out) {
    std::vector<VectorPart> some;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (out[i]) some.push_back(parts[i]);
    }
    return some;
  }

  RunContext& context_;
  Housekeeper& housekeeper_;
  Vector vector_;
  Delivery delivery_;
  std::size_t plays_left_;
  Time until_;
};

}  // namespace

std::optional<Vector> reduced_vector(RunContext& context, Housekeeper& housekeeper,
                                     const Vector& vector, Delivery delivery,
                                     const ReductionBounds& bounds) {
  VectorReducer reducer(context, housekeeper, vector, delivery, bounds);
  if (!reducer.run()) return std::nullopt;
  return reducer.take();
}

}  // namespace hallmark::conformance
