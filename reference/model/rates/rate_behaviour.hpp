#pragma once
#include <cstdint>

#include "protocol/readings.hpp"

namespace hallmark::model {

/// A key that no rule is for.
enum class UnruledKey : std::uint8_t { never_over, limited, silence };
/// A request of more than 1000 bytes.
enum class LongRequest : std::uint8_t { silence, cut, read };

/// The behaviour of a ratelimit-udp server where its document leaves it open: the answers to the
/// readings, except those about layouts. Each member has the name of its reading.
struct RateBehaviour {
  bool over_when_above = false;
  UnruledKey default_key = UnruledKey::never_over;
  bool udp_id_number = false;
  bool udp_key_word = false;
  bool key_newline_part = false;
  bool empty_key_silence = false;
  LongRequest long_request = LongRequest::silence;
};

/// The behaviour that `readings` choose; where the dialect has no such reading, the default.
RateBehaviour rate_behaviour_of(const protocol::Readings& readings);

}  // namespace hallmark::model
