#pragma once

#include <memory>

#include "base/expected.hpp"
#include "base/json.hpp"
#include "reference/model/states/strategy.hpp"

/// The answers of the reference adapter, request by request.
namespace hallmark::server::adapter {

using base::Json;

/// Why a request is not answered by what it asks for.
struct Refusal {
  /// No aggregate: whatever converts to its first member would convert to it.
  Refusal() = default;
  Refusal(bool is_unsupported, protocol::Malformed why)
      : unsupported(is_unsupported), error(std::move(why)) {}
  bool unsupported = false;  ///< nobody here knows the operation or the strategy
  protocol::Malformed error;
};

template <class T>
using Asked = base::Expected<T, Refusal>;

/// Answers requests one by one.
class Adapter {
 public:
  Adapter() = default;
  Adapter(const Adapter&) = delete;
  Adapter& operator=(const Adapter&) = delete;
  virtual ~Adapter() = default;

  /// The answer to a request, without its id: what its operation gives, `error` or `unsupported`.
  virtual Json answer(const Json& request) = 0;
};

/// The adapter of the reference. `readings`: of a dialect at rest.
std::unique_ptr<Adapter> make_adapter(std::string version, const protocol::Readings& readings,
                                      model::Decide by);

/// The values of a state, by name, as texts; of a composite its parts with their formats.
Json fields_of(const protocol::state::Parsed& parsed);

/// The state that has these fields, in its current format.
Asked<std::string> state_of(std::string_view strategy, const Json& fields,
                            const protocol::Readings& readings);

/// A configuration that can be decided by.
Asked<model::Strategy> strategy_of(const Json& configuration);

/// A member of a request that is a text. Refused where it is not there or none.
Asked<std::string> text_in(const Json& holder, const char* name);
/// A member that is an object.
Asked<Json> object_in(const Json& holder, const char* name);
/// A member that is a text with a whole number of 64 bits.
Asked<std::int64_t> number_in(const Json& holder, const char* name);
/// A member that is a text with a float64.
Asked<double> real_in(const Json& holder, const char* name);

/// A strategy's name in its place in the dialect's table; refused as unsupported when there is
/// none.
Asked<std::string_view> known_strategy(const std::string& name);

inline Refusal wrong(std::string field, std::string reason) {
  return {false, protocol::Malformed{std::move(field), 0, std::move(reason)}};
}

}  // namespace hallmark::server::adapter
