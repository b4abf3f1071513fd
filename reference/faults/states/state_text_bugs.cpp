#include <fmt/format.h>

#include <cmath>

#include "protocol/text/text.hpp"
#include "reference/faults/bugs.hpp"
#include "reference/faults/states/adapter_fault.hpp"

namespace hallmark::faults {
namespace {

// A fixed window: header, number of quotas, and of each quota its name, count and start.
constexpr std::size_t first_start = 4;
constexpr std::size_t fields_of_quota = 3;

bool is_fixed_window(const Fields& fields) { return fields[0] == "23"; }
bool is_bucket(const Fields& fields) { return fields[0] == "12" || fields[0] == "32"; }
bool is_gcra(const Fields& fields) { return fields[0] == "42"; }

/// The float of a bucket is written as that text.
template <class Write>
Code of_real(Write) {
  return of_fields([](Fields& fields) {
    if (!is_bucket(fields)) return;
    const auto read = protocol::text::real_at_front(fields[1]);
    if (read) fields[1] = Write{}(read->number, fields[1]);
  });
}

/// Times are written as that text.
template <class Write>
Code of_time(Write) {
  return of_fields([](Fields& fields) {
    const auto spoil = [](std::string& text) {
      const auto read = protocol::text::signed_at_front(text);
      if (read) text = Write{}(read->number);
    };
    if (is_bucket(fields) || is_gcra(fields)) spoil(fields.back());
    if (!is_fixed_window(fields)) return;
    for (std::size_t i = first_start; i < fields.size(); i += fields_of_quota) spoil(fields[i]);
  });
}

/// The fields of a fixed window are others.
template <class Change>
Code of_quotas(Change) {
  return of_fields([](Fields& fields) {
    if (is_fixed_window(fields)) Change{}(fields);
  });
}

/// The parts of a composite are others, and so is what separates them.
template <class Change>
Code of_parts(Change) {
  return of_state([](std::string state) {
    if (!state.starts_with(composite_header)) return state;
    Fields parts = split(state.substr(composite_header.size()), '$');
    const char separator = Change{}(parts);
    return std::string(composite_header) + joined(parts, separator);
  });
}

}  // namespace

Bugs state_text_bugs() {
  return {
      {.id = "float.six-digits",
       .breaks = "floats are written with six digits",
       .violates = {{"ratelimit-state", {"token-bucket.fraction", "leaky-bucket.fraction"}}},
       .code =
           of_real([](double number, const std::string&) { return fmt::format("{:g}", number); }),
       .settles = "how floats are written"},
      {.id = "float.no-exponent",
       .breaks = "floats are written without an exponent",
       .violates = {{"ratelimit-state", {"token-bucket.fraction"}}},
       .code = of_real([](double number, const std::string& text) {
         return text.find('e') == std::string::npos ? text : fmt::format("{:f}", number);
       }),
       .settles = "how floats are written"},
      {.id = "float.whole",
       .breaks = "fractions of tokens and requests are dropped",
       .violates = {{"ratelimit-state", {"token-bucket.fraction", "leaky-bucket.fraction"}}},
       .code = of_real([](double number, const std::string&) {
         return fmt::format("{:.0f}", std::floor(number));
       }),
       .settles = "how floats are written"},
      {.id = "float.point-always",
       .breaks = "a whole float is written with a point",
       .violates = {{"ratelimit-state", {"silence.float-text"}}},
       .code = of_real([](double, const std::string& text) {
         return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
       }),
       .settles = "how floats are written"},
      {.id = "time.as-double",
       .breaks = "times pass through a float64 and lose their last digits",
       .violates = {{"ratelimit-state",
                     {"token-bucket.time", "fixed-window.time", "leaky-bucket.time", "gcra.tat",
                      "gcra.format"}}},
       .code = of_time(
           [](std::int64_t time) { return fmt::format("{:.0f}", static_cast<double>(time)); }),
       .settles = "how times are written"},
      {.id = "time.in-microseconds",
       .breaks = "times are written in microseconds",
       .violates = {{"ratelimit-state",
                     {"token-bucket.time", "fixed-window.time", "leaky-bucket.time", "gcra.tat"}}},
       .code = of_time([](std::int64_t time) { return std::to_string(time / 1000); }),
       .settles = "how times are written"},
      {.id = "quotas.share-a-start",
       .breaks = "all quotas are written with the start of the first",
       .violates = {{"ratelimit-state", {"fixed-window.multiple"}}},
       .code = of_quotas([](Fields& fields) {
         for (std::size_t i = first_start; i < fields.size(); i += fields_of_quota)
           fields[i] = fields[first_start];
       })},
      {.id = "quotas.first-only",
       .breaks = "only the first quota is written",
       .violates = {{"ratelimit-state", {"fixed-window.multiple", "fixed-window.quotas"}}},
       .code = of_quotas([](Fields& fields) {
         fields.resize(first_start + 1);
         fields[1] = "1";
       })},
      {.id = "quotas.without-number",
       .breaks = "the number of quotas is left out",
       .violates = {{"ratelimit-state", {"fixed-window.format", "fixed-window.quotas"}}},
       .code = of_quotas([](Fields& fields) { fields.erase(fields.begin() + 1); })},
      {.id = "header.of-old",
       .breaks = "states are written with the header v2|",
       .violates = {{"ratelimit-state",
                     {"header.form", "token-bucket.format", "leaky-bucket.format", "gcra.format"}}},
       .code = of_fields([](Fields& fields) { fields[0] = "v2"; }),
       .settles = "which header a state has"},
      {.id = "header.strategy-numbers",
       .breaks = "strategies are numbered from 2",
       .violates = {{"ratelimit-state", {"header.strategy", "header.form"}}},
       .code = of_fields([](Fields& fields) { ++fields[0][0]; }),
       .settles = "which header a state has"},
      {.id = "separator.at-the-end",
       .breaks = "a bar ends every state",
       .violates = {{"ratelimit-state",
                     {"token-bucket.format", "fixed-window.format", "leaky-bucket.format",
                      "gcra.format"}}},
       .code = of_fields([](Fields& fields) { fields.emplace_back(); }),
       .settles = "which separators a state has"},
      {.id = "separator.semicolon",
       .breaks = "fields are separated by semicolons",
       .violates = {{"ratelimit-state", {"header.separator"}}},
       .code = of_fields([](Fields& fields) { fields = {joined(fields, ';')}; }),
       .settles = "which separators a state has"},
      {.id = "composite.parts-swapped",
       .breaks = "the secondary is written before the primary",
       .violates = {{"ratelimit-state", {"composite.format", "composite.nested"}}},
       .code = of_parts([](Fields& parts) {
         std::swap(parts.front(), parts.back());
         return '$';
       })},
      {.id = "composite.separator",
       .breaks = "the parts of a composite are separated by a bar",
       .violates = {{"ratelimit-state", {"composite.format"}}},
       .code = of_parts([](Fields&) { return '|'; }),
       .settles = "which separators a state has"},
  };
}

}  // namespace hallmark::faults
