#pragma once

#include <string>

#include "reference/faults/bug.hpp"
#include "reference/session/adapter_operations.hpp"

namespace hallmark::faults {

using server::adapter::Adapter;
using server::adapter::Json;

/// Makes the answer of an adapter with one bug. `earlier` is the number of requests that it
/// answered before.
using Answering = Json (*)(const Json& request, Adapter& right, std::uint64_t earlier);

Code answers(Answering fault);

/// True if the request is of that operation.
bool is(const Json& request, std::string_view operation);

/// States are written otherwise, in answers of every kind.
Code of_state(std::string (*change)(std::string state));

/// The fields of a state, or of each part of a composite, are written otherwise.
using Fields = std::vector<std::string>;
Code of_fields(void (*change)(Fields& fields));

Fields split(const std::string& text, char separator);
std::string joined(const Fields& fields, char separator);

/// The beginning of every state of a composite.
inline constexpr std::string_view composite_header = "51|";

}  // namespace hallmark::faults
