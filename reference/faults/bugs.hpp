#pragma once

#include "reference/faults/bug.hpp"

/// The bugs by what they are about, each with its code beside it.
namespace hallmark::faults {

// Messages of Throttr.
Bugs number_bugs();
Bugs status_bugs();
Bugs request_bugs();
Bugs record_reply_bugs();
Bugs listing_bugs();
Bugs info_bugs();
Bugs connection_reply_bugs();
Bugs delivery_bugs();
Bugs stream_bugs();

// Counters, buffers and channels of Throttr.
Bugs ttl_bugs();
Bugs record_bugs();
Bugs update_bugs();
Bugs channel_bugs();

// Connections that disturb each other, and requests that meet.
Bugs resource_bugs();
Bugs counter_race_bugs();
Bugs removal_race_bugs();
Bugs delivery_race_bugs();

// Processes that die, hang, lose replies or leak.
Bugs death_bugs();
Bugs hang_bugs();
Bugs loss_bugs();
Bugs leak_bugs();

// The Rate Limiter over UDP.
Bugs id_bugs();
Bugs command_bugs();
Bugs datagram_reply_bugs();
Bugs rate_bugs();
Bugs datagram_process_bugs();

// The strategies and their states.
Bugs state_text_bugs();
Bugs state_reading_bugs();
Bugs adapter_bugs();
Bugs strategy_bugs();
Bugs window_bugs();
Bugs composite_bugs();
Bugs adapter_process_bugs();

}  // namespace hallmark::faults
