#pragma once
#include <string>

#include "base/json.hpp"
#include "reports/certify/identify_result.hpp"
#include "reports/load/knee.hpp"
#include "reports/load/load_comparison.hpp"
#include "reports/load/load_result.hpp"
#include "reports/result.hpp"

namespace hallmark::reports {

/// The result as JSON after reports/schema/certify.schema.json. Integers beyond 2^53 are strings,
/// bytes are lower-case hex, text that is not UTF-8 has its broken bytes as \xNN.
base::Json json_of(const CertifyResult& result);
/// A death as it stands in such a result.
base::Json json_of(const Death& death);
std::string render_json(const CertifyResult& result);

/// The result as JSON after reports/schema/load.schema.json.
std::string render_json(const LoadResult& result);

/// The result as JSON after reports/schema/knee.schema.json.
std::string render_json(const Knee& knee);

/// The result as JSON after reports/schema/load-comparison.schema.json.
std::string render_json(const LoadComparison& comparison);

/// The seconds of a run as CSV (RFC 4180), with a line of names. Times are nanoseconds; what lost
/// requests hide is empty.
std::string render_csv(const std::vector<SecondSample>& series);

/// The runs of a search as CSV, in their order, with a line of names. Times are nanoseconds.
std::string render_csv(const Knee& knee);

/// The result as JSON after reports/schema/identify.schema.json.
std::string render_json(const IdentifyResult& result);

}  // namespace hallmark::reports
