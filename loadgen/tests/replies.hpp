#pragma once
#include <initializer_list>
#include <string_view>
#include <vector>

#include "loadgen/drivers/stream/requests.hpp"
#include "protocol/codec/encode.hpp"
#include "protocol/dialects.hpp"

namespace hallmark::loadgen {

/// The operation that a part of a mix asks for.
const protocol::Operation& operation_named(const protocol::Dialect& dialect, std::string_view name);

/// The reply a server gives to an operation, encoded by the generic walker. `changes` replace what
/// is otherwise as `Requests` stores it: a TTL in the longest unit, below a day. A `request_id`
/// among them counts in a dialect whose replies have one.
base::Bytes reply_to(std::string_view operation, const Workload& workload, bool success = true,
                     const protocol::Record& changes = {});

/// The message that a subscriber receives.
base::Bytes delivery(const Workload& workload, std::string_view payload);

/// A workload with that mix, of a dialect under its profile `deployed`.
Workload workload_of(std::string mix, protocol::Width width = protocol::Width::u16,
                     const protocol::Dialect& dialect = protocol::throttr_7_1);

/// A workload with that mix under any readings.
Workload workload_of(const protocol::Readings& readings, protocol::Width width, std::string mix);

/// A format that a target may speak. `every_format` gives each dialect at each of its widths, under
/// each profile that differs.
struct Format {
  protocol::Readings readings;
  protocol::Width width;
};
std::vector<Format> every_format();
/// Such as "throttr_7_1_u16_literal".
std::string name_of(const Format& format);

/// A mix of all operations of a dialect but `left_out`, each of weight 1.
std::string mix_without(const protocol::Dialect& dialect,
                        std::initializer_list<std::string_view> left_out);

}  // namespace hallmark::loadgen
