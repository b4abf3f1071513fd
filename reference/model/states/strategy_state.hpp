#pragma once

#include "reference/model/states/strategy.hpp"

/// The states of the strategies between their text and the formulas.
namespace hallmark::model {

struct TokenBucketState {
  double tokens = 0;
  std::int64_t last_refill = 0;  ///< ns since the epoch, as all times here
};

struct LeakyBucketState {
  double requests = 0;
  std::int64_t last_leak = 0;
};

struct GcraState {
  std::int64_t tat = 0;
};

struct QuotaState {
  std::string name;
  std::int64_t count = 0;
  std::int64_t start = 0;
};

struct FixedWindowState {
  std::vector<QuotaState> quotas;
};

/// The texts of the parts.
struct CompositeState {
  std::string_view primary;
  std::string_view secondary;
};

template <class State>
using StateRead = base::Expected<State, protocol::Malformed>;

/// Each reads every format of its strategy. Error: what `state::parse` says.
StateRead<TokenBucketState> read_token_bucket(std::string_view text);
StateRead<LeakyBucketState> read_leaky_bucket(std::string_view text);
StateRead<GcraState> read_gcra(std::string_view text);
/// Versions before 3 name no quota: they are that of the only one of `fixed`, and refused when it
/// has several.
StateRead<FixedWindowState> read_fixed_window(std::string_view text, const FixedWindow& fixed);
StateRead<CompositeState> read_composite(std::string_view text, std::string_view primary,
                                         std::string_view secondary);

/// The text in the current format. Precondition: finite numbers, names without a bar, one to eight
/// quotas.
std::string text_of(const TokenBucketState& state);
std::string text_of(const LeakyBucketState& state);
std::string text_of(const GcraState& state);
std::string text_of(const FixedWindowState& state);
std::string text_of(const CompositeState& state);

}  // namespace hallmark::model
