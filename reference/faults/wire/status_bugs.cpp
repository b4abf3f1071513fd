#include <algorithm>

#include "reference/faults/bugs.hpp"
#include "reference/faults/wire/spoiling.hpp"

namespace hallmark::faults {

namespace {

using protocol::kinds::Status;

void invert_status(Record& values) {
  with_number(values, "status", [](std::uint64_t status) { return 1 - status; });
}

}  // namespace

Bugs status_bugs() {
  return {
      {.id = "status.inverted",
       .breaks = "success is told as 00 and failure as 01",
       .violates = {{"throttr-7.1",
                     {"insert.status", "update.status", "purge.status", "set.status"}},
                    {"throttr-2.0", {"insert.status", "update.status", "purge.status"}}},
       .code = of_reply({"INSERT", "UPDATE", "PURGE", "SET"}, invert_status),
       .settles = "how INSERT, UPDATE, PURGE and SET tell their status"},
      {.id = "status.counts",
       .breaks = "success is told as the number of records that were touched plus one",
       .violates = {{"throttr-7.1",
                     {"insert.status", "update.status", "purge.status", "set.status"}}},
       .code = of_bytes({"INSERT", "UPDATE", "PURGE", "SET"},
                        [](Bytes& bytes, const Decoder&, const WireContext& context) {
                          auto& status = status_in(bytes, context.layout);
                          if (status == Status::success) status = 2;
                        }),
       .settles = "how INSERT, UPDATE, PURGE and SET tell their status"},
      {.id = "status.always-success",
       .breaks = "INSERT, UPDATE, PURGE and SET answer 01 whatever happened",
       .violates = {{"throttr-7.1", {"purge.status", "update.status"}},
                    {"throttr-6.0", {"purge.missing"}}},
       .code = of_bytes({"INSERT", "UPDATE", "PURGE", "SET"},
                        [](Bytes& bytes, const Decoder&, const WireContext& context) {
                          status_in(bytes, context.layout) = Status::success;
                        }),
       .settles = "how INSERT, UPDATE, PURGE and SET tell their status"},
      {.id = "status.doubled",
       .breaks = "every status of SET is sent twice",
       .violates = {{"throttr-7.1", {"set.status", "stream.framing"}}},
       .code = of_bytes({"SET"},
                        [](Bytes& bytes, const Decoder&, const WireContext& context) {
                          bytes.push_back(status_in(bytes, context.layout));
                        }),
       .settles = "how INSERT, UPDATE, PURGE and SET tell their status"},
      {.id = "status.of-insert-missing",
       .breaks = "INSERT is not answered",
       .violates = {{"throttr-7.1", {"insert.status"}}},
       .code = of_bytes({"INSERT"},
                        [](Bytes& bytes, const Decoder&, const WireContext&) { bytes.clear(); }),
       .settles = "how INSERT, UPDATE, PURGE and SET tell their status"},
      {.id = "status.of-subscriptions-inverted",
       .breaks = "SUBSCRIBE and UNSUBSCRIBE tell success as 00 and failure as 01",
       .violates = {{"throttr-7.1", {"subscribe.status", "unsubscribe.status"}},
                    {"throttr-7.3", {"subscribe.status", "unsubscribe.status"}}},
       .code = of_reply({"SUBSCRIBE", "UNSUBSCRIBE"}, invert_status)},
      {.id = "status.of-publish-inverted",
       .breaks = "PUBLISH tells success as 00 and failure as 01",
       .violates = {{"throttr-7.3", {"publish.status"}}},
       .code = of_reply({"PUBLISH"}, invert_status)},
      {.id = "status.of-listings-missing",
       .breaks = "INFO, LIST and WHOAMI leave out the status",
       .violates = {{"throttr-7.3", {"reply.status-first"}}},
       .code = of_bytes({"INFO", "LIST", "WHOAMI"},
                        [](Bytes& bytes, const Decoder& decoder, const WireContext&) {
                          erase_field(bytes, decoder, "status");
                        })},
      {.id = "reply.id-missing",
       .breaks = "replies do not repeat the request id",
       .violates = {{"throttr-2.0", {"reply.layout"}}},
       .code = of_bytes({}, [](Bytes& bytes, const Decoder& decoder,
                               const WireContext&) { erase_field(bytes, decoder, "request_id"); }),
       .settles = "which id a reply repeats",
       .hides_all = true},
      {.id = "reply.id-off-by-one",
       .breaks = "replies repeat the request id plus one",
       .violates = {{"throttr-2.0", {"reply.request-id"}}},
       .code = of_reply({},
                        [](Record& values) {
                          with_number(values, "request_id",
                                      [](std::uint64_t id) { return (id + 1) & 0xffffffff; });
                        }),
       .settles = "which id a reply repeats"},
  };
}

}  // namespace hallmark::faults
