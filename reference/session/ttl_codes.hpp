#pragma once
#include <array>
#include <optional>

#include "protocol/dialect.hpp"
#include "reference/model/time.hpp"

namespace hallmark::server {

/// The codes of a dialect's TTL types, from the choices in its table, for lookup both ways.
class TtlCodes {
 public:
  consteval explicit TtlCodes(const protocol::Dialect& dialect) {
    using enum model::TtlUnit;
    for (const protocol::Field& field : dialect.operations[0].request.fields) {
      if (field.name != "ttl_type") continue;
      for (const protocol::Choice& choice : field.get<protocol::kinds::ChoiceOf>().choices) {
        for (const auto unit : {nanoseconds, microseconds, milliseconds, seconds, minutes, hours}) {
          if (choice.name == name_of(unit)) add(choice.code, unit);
        }
      }
    }
  }

  /// The unit of a code; nothing when it is not listed.
  std::optional<model::TtlUnit> unit(std::uint64_t code) const {
    return listed_[code] ? std::optional(units_[code]) : std::nullopt;
  }
  /// The code of a unit that the dialect has.
  std::uint64_t code(model::TtlUnit unit) const { return codes_[protocol::code(unit)]; }

 private:
  consteval void add(std::uint64_t code, model::TtlUnit unit) {
    listed_[code] = true;
    units_[code] = unit;
    codes_[protocol::code(unit)] = code;
  }

  std::array<bool, 256> listed_{};
  std::array<model::TtlUnit, 256> units_{};
  std::array<std::uint64_t, 8> codes_{};
};

template <const protocol::Dialect& D>
inline constexpr TtlCodes ttl_codes{D};

}  // namespace hallmark::server
