#include <algorithm>

#include "reference/faults/bugs.hpp"
#include "reference/faults/wire/spoiling.hpp"

namespace hallmark::faults {

Bugs stream_bugs() {
  return {
      {.id = "stream.one-request-a-read",
       .breaks = "of several requests that arrive together only the first is answered",
       .violates = {{"throttr-7.1", {"stream.framing"}}},
       .code = of_framing(WireFraming::one_request_a_read),
       .settles = "how what arrives is taken apart"},
      {.id = "stream.partial-dropped",
       .breaks = "what has arrived of a request is dropped unless it is whole",
       .violates = {{"throttr-7.1", {"stream.framing"}}, {"throttr-7.3", {"stream.framing"}}},
       .code = of_framing(WireFraming::partial_dropped),
       .settles = "how what arrives is taken apart"},
      {.id = "stream.buffer-of-1024",
       .breaks = "of what arrives at once only the first 1024 bytes are kept",
       .violates = {{"throttr-7.1", {"stream.framing"}}},
       .code = of_framing(WireFraming::buffer_of_1024),
       .settles = "how what arrives is taken apart"},
      {.id = "stream.begin-dropped",
       .breaks = "of 8192 bytes or more that arrive at once, up to 8 in which a request begins at "
                 "their end are dropped",
       .violates = {{"throttr-7.1", {"stream.framing"}}, {"throttr-2.0", {"stream.framing"}}},
       .code = of_framing(WireFraming::begin_dropped),
       .settles = "how what arrives is taken apart"},
      {.id = "stream.batch-reversed",
       .breaks = "requests that arrive together are answered in the reverse order",
       .violates = {{"throttr-7.1", {"stream.reply-order"}}},
       .code = of_framing(WireFraming::batch_reversed),
       .settles = "how what arrives is taken apart"},
      {.id = "stream.c-strings",
       .breaks = "what arrives counts up to its first zero byte where that is the first",
       .violates = {{"throttr-7.1", {"stream.framing"}}},
       .code = of_framing(WireFraming::c_strings),
       .settles = "how what arrives is taken apart"},
      {.id = "stream.empty-name-waits",
       .breaks = "a GET whose size of 0 arrives by itself is answered when more arrives",
       .violates = {{"throttr-7.1", {"get.missing"}}},
       .code = wire({.operations = {"GET"}, .framing = WireFraming::empty_name_waits}),
       .settles = "how what arrives is taken apart"},
      {.id = "stream.failures-merged",
       .breaks = "of failures of UPDATE and QUERY that follow each other in a batch one is told",
       .violates = {{"throttr-7.1", {"update.status"}}},
       .code = wire({.operations = {"UPDATE", "QUERY"}, .framing = WireFraming::failures_merged}),
       .settles = "how what arrives is taken apart"},
      {.id = "stream.questions-first-only",
       .breaks = "questions for ids or channels are answered only where they come first in a batch",
       .violates = {{"throttr-7.1", {"whoami.id"}}, {"throttr-7.3", {"whoami.id"}}},
       .code = wire(
           {.operations = {"WHOAMI", "CHANNEL", "CHANNELS"}, .framing = WireFraming::first_only}),
       .settles = "how what arrives is taken apart"},
      {.id = "stream.100-requests",
       .breaks = "the hundredth request of a connection is not answered",
       .violates = {{"throttr-7.1", {"stream.framing"}}},
       .code = of_bytes({},
                        [](Bytes& bytes, const Decoder&, const WireContext& context) {
                          if (context.number == 100) bytes.clear();
                        })},
  };
}

}  // namespace hallmark::faults
