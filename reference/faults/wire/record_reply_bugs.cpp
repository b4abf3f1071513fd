#include <algorithm>

#include "reference/faults/bugs.hpp"
#include "reference/faults/wire/spoiling.hpp"

namespace hallmark::faults {

Bugs record_reply_bugs() {
  return {
      {.id = "reply.query-swapped",
       .breaks = "QUERY tells the TTL before the quota",
       .violates = {{"throttr-7.1", {"query.found"}}, {"throttr-2.0", {"query.found"}}},
       .code = of_reply({"QUERY"}, [](Record& values) { swap_fields(values, "quota", "ttl"); })},
      {.id = "reply.query-without-type",
       .breaks = "QUERY leaves out the TTL type",
       .violates = {{"throttr-7.1", {"query.found"}}},
       .code =
           of_bytes({"QUERY"}, [](Bytes& bytes, const Decoder& decoder,
                                  const WireContext&) { erase_field(bytes, decoder, "ttl_type"); }),
       .settles = "how a reply to QUERY is laid out"},
      {.id = "reply.query-type-of-seconds",
       .breaks = "QUERY tells every TTL type as seconds, without converting the TTL",
       .violates = {{"throttr-7.1", {"query.found", "ttl-types.codes"}}},
       .code = of_reply({"QUERY"},
                        [](Record& values) {
                          with_number(values, "ttl_type", [](std::uint64_t) { return seconds; });
                        })},
      {.id = "reply.query-one-more",
       .breaks = "a byte follows every QUERY reply",
       .violates = {{"throttr-7.1", {"query.found", "query.missing"}}},
       .code = of_bytes(
           {"QUERY"}, [](Bytes& bytes, const Decoder&, const WireContext&) { bytes.push_back(0); }),
       .settles = "how a reply to QUERY is laid out"},
      {.id = "reply.query-missing-padded",
       .breaks = "a failed QUERY is answered with the whole layout, filled with zeros",
       .violates = {{"throttr-7.1", {"query.missing"}}, {"throttr-2.0", {"query.missing"}}},
       .code = of_bytes({"QUERY"},
                        [](Bytes& bytes, const Decoder&, const WireContext& context) {
                          const auto& layout = context.layout;
                          if (failed(bytes, layout))
                            bytes.resize(bytes.size() +
                                         layout.fixed_size(layout.message().on_success));
                        }),
       .settles = "how a reply to QUERY is laid out"},
      {.id = "reply.get-missing-empty",
       .breaks = "GET of a missing key succeeds with an empty value",
       .violates = {{"throttr-7.1", {"get.missing"}}},
       .code = of_bytes({"GET"},
                        [](Bytes& bytes, const Decoder& decoder, const WireContext& context) {
                          if (!failed(bytes, context.layout)) return;
                          succeed_with_zeros(bytes, decoder, context);
                          bytes[begin_of_success(context.layout)] = seconds;
                        }),
       .settles = "how a reply to GET is laid out"},
      {.id = "reply.get-512",
       .breaks = "the last byte of a value of 512 bytes comes back as zero",
       .violates = {{"throttr-7.1", {"get.found"}}},
       .code = of_reply({"GET"},
                        [](Record& values) {
                          with_bytes(values, "value", [](Bytes& value) {
                            if (value.size() == 512) value.back() = 0;
                          });
                        })},
      {.id = "reply.get-swapped",
       .breaks = "GET tells the TTL type behind the TTL",
       .violates = {{"throttr-7.1", {"get.found"}}},
       .code = of_bytes({"GET"},
                        [](Bytes& bytes, const Decoder&, const WireContext& context) {
                          const auto& layout = context.layout;
                          if (failed(bytes, layout)) return;
                          const auto n =
                              static_cast<std::ptrdiff_t>(protocol::bytes_of(layout.width()));
                          const auto type =
                              bytes.begin() + static_cast<std::ptrdiff_t>(begin_of_success(layout));
                          std::rotate(type, type + 1, type + 1 + n);
                        }),
       .settles = "how a reply to GET is laid out"},
      {.id = "reply.get-value-cut-at-nul",
       .breaks = "a value ends at its first zero byte",
       .violates = {{"throttr-7.1", {"get.found"}}},
       .code = of_reply({"GET"}, [](Record& values) { with_bytes(values, "value", cut_at_nul); })},
      {.id = "reply.get-value-cut",
       .breaks = "GET loses the last byte of values of more than 200 bytes",
       .violates = {{"throttr-7.1", {"get.found"}}},
       .code = of_reply({"GET"},
                        [](Record& values) {
                          with_bytes(values, "value", [](Bytes& value) {
                            if (value.size() > 200) value.pop_back();
                          });
                        })},
      {.id = "reply.get-size-of-key",
       .breaks = "GET tells the size of the value as one byte",
       .violates = {{"throttr-7.1", {"get.found", "width.value-size"}}},
       .code = of_bytes({"GET"},
                        [](Bytes& bytes, const Decoder& decoder, const WireContext&) {
                          erase_field(bytes, decoder, "value_size", 1);
                        }),
       .settles = "how a reply to GET is laid out"},
  };
}

}  // namespace hallmark::faults
