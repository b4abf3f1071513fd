#include <algorithm>

#include "reference/faults/bugs.hpp"
#include "reference/faults/wire/spoiling.hpp"

namespace hallmark::faults {

Bugs info_bugs() {
  return {
      {.id = "info.minutes-empty",
       .breaks = "INFO tells that nothing happened in the last minute",
       .violates = {{"throttr-7.1", {"info.requests"}}},
       .code = of_reply({"INFO"},
                        [](Record& values) {
                          const Record told = values;
                          for (const auto& [name, value] : told.fields()) {
                            if (name.ends_with("_per_minute"))
                              values.set(protocol::FieldName::unchecked(name), std::uint64_t{0});
                          }
                        }),
       .slow = true},
      {.id = "info.one-field-short",
       .breaks = "INFO ends before the version",
       .violates = {{"throttr-7.1", {"info.layout"}}},
       .code =
           of_bytes({"INFO"}, [](Bytes& bytes, const Decoder& decoder,
                                 const WireContext&) { erase_field(bytes, decoder, "version"); }),
       .settles = "how a reply to INFO ends"},
      {.id = "info.bytes-swapped",
       .breaks = "INFO tells bytes read as written and bytes written as read",
       .violates = {{"throttr-7.1", {"info.traffic"}}},
       .code = of_reply({"INFO"},
                        [](Record& values) {
                          swap_fields(values, "total_read_bytes", "total_write_bytes");
                          swap_fields(values, "read_bytes_per_minute", "write_bytes_per_minute");
                        })},
      {.id = "info.requests-frozen",
       .breaks = "INFO never tells more than one request",
       .violates = {{"throttr-7.1", {"info.requests"}}},
       .code = of_reply({"INFO"},
                        [](Record& values) {
                          for (const protocol::FieldName name :
                               std::initializer_list<protocol::FieldName>{
                                   "total_requests", "total_insert", "total_query", "total_info"})
                            with_number(values, name, [](std::uint64_t n) {
                              return std::min<std::uint64_t>(n, 1);
                            });
                        })},
      {.id = "info.counters-and-buffers-swapped",
       .breaks = "INFO tells counters as buffers and buffers as counters",
       .violates = {{"throttr-7.1", {"info.contents"}}},
       .code = of_reply({"INFO"},
                        [](Record& values) {
                          swap_fields(values, "total_counters", "total_buffers");
                          swap_fields(values, "total_allocated_bytes_on_counters",
                                      "total_allocated_bytes_on_buffers");
                        })},
      {.id = "info.nobody-connected",
       .breaks = "INFO tells no connections, channels and subscriptions",
       .violates = {{"throttr-7.1", {"info.presence"}}},
       .code = of_reply(
           {"INFO"},
           [](Record& values) {
             for (const protocol::FieldName name : std::initializer_list<protocol::FieldName>{
                      "total_subscriptions", "total_channels", "total_connections"})
               with_number(values, name, [](std::uint64_t) { return std::uint64_t{0}; });
           })},
      {.id = "info.version-unpadded",
       .breaks = "the version of INFO is as long as its text",
       .violates = {{"throttr-7.1", {"info.layout"}}},
       .code = of_bytes({"INFO"},
                        [](Bytes& bytes, const Decoder&, const WireContext&) {
                          while (!bytes.empty() && bytes.back() == 0) bytes.pop_back();
                        }),
       .settles = "how a reply to INFO ends"},
  };
}

}  // namespace hallmark::faults
