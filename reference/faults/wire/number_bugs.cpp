#include <algorithm>

#include "protocol/little_endian.hpp"
#include "reference/faults/bugs.hpp"
#include "reference/faults/wire/spoiling.hpp"

namespace hallmark::faults {

namespace {

/// Numbers of records in requests are taken for others, as they and the width say.
Code of_values(std::uint64_t (*change)(std::uint64_t number, std::size_t width)) {
  return wire({.request = [change](Record& values, const WireContext& context) {
    for (const protocol::FieldName name :
         std::initializer_list<protocol::FieldName>{"quota", "ttl", "value"}) {
      const protocol::Value* const value = values.find(name);
      if (value == nullptr || !std::holds_alternative<std::uint64_t>(*value)) continue;
      values.set(name, change(std::get<std::uint64_t>(*value),
                              protocol::bytes_of(context.layout.width())));
    }
  }});
}

}  // namespace

Bugs number_bugs() {
  return {
      {.id = "codes.shifted",
       .breaks = "every opcode is one more than documented",
       .violates = {{"throttr-7.1",
                     {"insert.code", "query.code", "update.code", "purge.code", "set.code",
                      "get.code", "list.code", "info.code", "stat.code", "stats.code",
                      "subscribe.code", "unsubscribe.code", "publish.code", "connections.code",
                      "connection.code", "channels.code", "channel.code", "whoami.code"}},
                    {"throttr-2.0", {"request-types.four"}}},
       .code = of_framing(WireFraming::codes_shifted),
       .settles = "how what arrives is taken apart",
       .hides_all = true},
      {.id = "numbers.replies-big-endian",
       .breaks = "numbers in replies are big-endian",
       .violates = {{"throttr-7.1", {"endianness.little"}}},
       .code = of_bytes({}, all_big_endian)},
      {.id = "numbers.requests-big-endian",
       .breaks = "numbers in requests are read as big-endian",
       .violates = {{"throttr-7.1", {"endianness.little"}}},
       .code = of_values(reversed)},
      {.id = "numbers.half-width",
       .breaks = "only the lower half of the bytes of a value is kept",
       .violates = {{"throttr-7.1", {"width.maximum", "width.value-size"}},
                    {"throttr-2.0", {"width.maximum"}}},
       .code = of_values([](std::uint64_t number, std::size_t width) {
         return number & protocol::max_of_width(std::max<std::size_t>(width / 2, 1));
       })},
      {.id = "numbers.signed",
       .breaks = "values in the upper half of their range are taken for negative and stored as 0",
       .violates = {{"throttr-7.1", {"width.maximum"}}},
       .code = of_values([](std::uint64_t number, std::size_t width) {
         return number > protocol::max_of_width(width) / 2 ? 0 : number;
       })},
  };
}

}  // namespace hallmark::faults
