#include <fmt/format.h>

#include "conformance/suites/throttr/readings/probe.hpp"

namespace hallmark::conformance {
namespace {

std::string status_of(const Message& reply) { return reply.succeeded() ? "01" : "00"; }

bool holds(const Message& reply, std::string_view value) {
  return reply.succeeded() && reply.bytes_of("value") == base::to_bytes(value);
}

Told maximum_values(Inquiry& inquiry) {
  const std::string key = inquiry.key("maximum");
  const std::uint64_t maximum = inquiry.stage().maximum();
  const auto replies = inquiry.ask({insert(key, maximum), query(key)});
  const bool stored = replies[1].succeeded() && replies[1].number("quota") == maximum;
  return inquiry.first_of({{"valid", replies[0].succeeded() && stored},
                           {"invalid", !replies[0].succeeded() && !replies[1].succeeded()}},
                          fmt::format("INSERT of quota {} was answered {}, QUERY then {}", maximum,
                                      status_of(replies[0]), status_of(replies[1])));
}

/// Asks with an empty value of a buffer: an empty key may be somebody's.
Told empty_names(Inquiry& inquiry) {
  const std::string key = inquiry.key("empty");
  const auto replies = inquiry.ask({set(key, ""), get(key)});
  return inquiry.first_of({{"valid", replies[0].succeeded() && holds(replies[1], "")},
                           {"refused", !replies[0].succeeded() && !replies[1].succeeded()}},
                          fmt::format("SET of an empty value was answered {}, GET then {}",
                                      status_of(replies[0]), status_of(replies[1])));
}

Told insert_existing(Inquiry& inquiry) {
  const std::string key = inquiry.key("existing");
  const auto replies = inquiry.ask({insert(key, 5), insert(key, 6), query(key)});
  const std::uint64_t quota = replies[2].number_or("quota", 0);
  return inquiry.first_of({{"refused", !replies[1].succeeded() && quota == 5},
                           {"replaced", replies[1].succeeded() && quota == 6}},
                          fmt::format("the second INSERT was answered {}, and then the quota is {}",
                                      status_of(replies[1]), quota));
}

Told set_existing(Inquiry& inquiry) {
  const std::string key = inquiry.key("existing");
  const auto replies = inquiry.ask({set(key, "first"), set(key, "second one"), get(key)});
  return inquiry.first_of(
      {{"refused", !replies[1].succeeded() && holds(replies[2], "first")},
       {"replaced", replies[1].succeeded() && holds(replies[2], "second one")}},
      fmt::format("the second SET was answered {}, and GET then {}", status_of(replies[1]),
                  base::as_text(replies[2].bytes_of("value"))));
}

Told insert_over_buffer(Inquiry& inquiry) {
  const std::string key = inquiry.key("buffer");
  const auto replies = inquiry.ask({set(key, "buffer"), insert(key, 9), get(key), query(key)});
  const bool counter = replies[3].succeeded() && replies[3].number("quota") == 9;
  return inquiry.first_of(
      {{"refused", !replies[1].succeeded() && holds(replies[2], "buffer")},
       {"replaced", replies[1].succeeded() && counter && !replies[2].succeeded()}},
      fmt::format("INSERT over a buffer was answered {}, GET then {} and QUERY {}",
                  status_of(replies[1]), status_of(replies[2]), status_of(replies[3])));
}

Told set_over_counter(Inquiry& inquiry) {
  const std::string key = inquiry.key("counter");
  const auto replies = inquiry.ask({insert(key, 9), set(key, "buffer"), query(key), get(key)});
  const bool counter = replies[2].succeeded() && replies[2].number("quota") == 9;
  return inquiry.first_of(
      {{"refused", !replies[1].succeeded() && counter},
       {"replaced",
        replies[1].succeeded() && holds(replies[3], "buffer") && !replies[2].succeeded()}},
      fmt::format("SET over a counter was answered {}, QUERY then {} and GET {}",
                  status_of(replies[1]), status_of(replies[2]), status_of(replies[3])));
}

Told kind_mismatch(Inquiry& inquiry) {
  return inquiry.together() ? set_over_counter(inquiry) : insert_over_buffer(inquiry);
}

Told purge_missing(Inquiry& inquiry) {
  const std::string key = inquiry.key("missing");
  const auto replies = inquiry.ask({query(key), purge(key), query(key)});
  return {replies[1].succeeded() ? protocol::AnswerName("accepted") : "refused", {}};
}

Told decrease_below_zero(Inquiry& inquiry) {
  const std::string key = inquiry.key("below");
  const auto replies =
      inquiry.ask({insert(key, 1), update(key, Attribute::quota, Change::decrease, 3), query(key)});
  const bool changed = replies[1].succeeded();
  const std::uint64_t quota = replies[2].number_or("quota", 0);
  return inquiry.first_of(
      {{"refused", !changed && quota == 1},
       {"clamped", changed && quota == 0},
       {"wrapped", changed && quota == inquiry.stage().maximum() - 1}},
      fmt::format("DECREASE of 1 by 3 was answered {}, and then the quota is {}",
                  status_of(replies[1]), quota));
}

/// Starts one below the maximum, which is valid whether or not the maximum is.
Told increase_overflow(Inquiry& inquiry) {
  const std::string key = inquiry.key("overflow");
  const std::uint64_t high = inquiry.stage().maximum() - 1;
  const auto replies = inquiry.ask(
      {insert(key, high), update(key, Attribute::quota, Change::increase, 3), query(key)});
  const bool changed = replies[1].succeeded();
  const std::uint64_t quota = replies[2].number_or("quota", 0);
  return inquiry.first_of(
      {{"refused", !changed && quota == high},
       {"saturated", changed && quota >= high},
       {"wrapped", changed && quota == 1}},
      fmt::format("INCREASE of {} by 3 was answered {}, and then the quota is {}", high,
                  status_of(replies[1]), quota));
}

}  // namespace

std::vector<ReadingProbe> record_probes() {
  return {{"maximum-values", "INSERT", Cost::quick, Danger::open, maximum_values},
          {"empty-names", "SET", Cost::quick, Danger::open, empty_names, ReadingProbe::For::keys},
          {"insert-existing", "INSERT", Cost::quick, Danger::open, insert_existing},
          {"set-existing", "SET", Cost::quick, Danger::open, set_existing},
          {"kind-mismatch", "INSERT", Cost::quick, Danger::open, kind_mismatch},
          {"purge-missing", "PURGE", Cost::quick, Danger::open, purge_missing},
          {"decrease-below-zero", "UPDATE", Cost::quick, Danger::open, decrease_below_zero},
          {"increase-overflow", "UPDATE", Cost::quick, Danger::open, increase_overflow}};
}

}  // namespace hallmark::conformance
