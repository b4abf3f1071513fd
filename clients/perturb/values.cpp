#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "clients/perturb/layouts.hpp"
#include "clients/perturb/perturbation.hpp"
#include "protocol/little_endian.hpp"
#include "protocol/throttr_terms.hpp"

/// Values that are legal and that tests seldom see: TTLs of every unit, the ends of ranges.
namespace hallmark::clients {
namespace {

using protocol::Choice;
using protocol::FieldValue;
namespace kinds = protocol::kinds;

/// Nanoseconds of a unit, by its name; 0 for a name that is none.
std::uint64_t length_called(std::string_view name) {
  using protocol::TtlUnit;
  for (const TtlUnit unit : {TtlUnit::nanoseconds, TtlUnit::microseconds, TtlUnit::milliseconds,
                             TtlUnit::seconds, TtlUnit::minutes, TtlUnit::hours}) {
    if (protocol::name_of(unit) == name) return protocol::length_of(unit);
  }
  return 0;
}

const FieldValue* field_named(const std::vector<FieldValue>& fields, std::string_view name) {
  const auto found = std::ranges::find_if(
      fields, [&](const FieldValue& value) { return value.field->name == name; });
  return found == fields.end() ? nullptr : &*found;
}

void store(base::Bytes& bytes, const FieldValue& field, std::uint64_t number) {
  protocol::store_little_endian(bytes.data() + field.offset, number, field.length);
}

/// Changes a record as if another client had replaced it by the same record with its TTL in another
/// unit.
class OtherUnit final : public Disturbance {
 public:
  OtherUnit(const Format& format, Choice unit) : format_(format), unit_(unit) {}

  Treatment treat(const Message& message) override {
    Treatment treatment = untouched(message.bytes);
    if (message.push != nullptr) return treatment;
    const auto fields = fields_of(message, format_);
    const FieldValue* const type = field_named(fields, "ttl_type");
    const FieldValue* const ttl = field_named(fields, "ttl");
    if (type == nullptr || ttl == nullptr) return treatment;
    const auto* const now =
        protocol::find_choice(type->field->get<kinds::ChoiceOf>().choices, type->number);
    if (now == nullptr || now->code == unit_.code) return treatment;
    const auto converted = convert(ttl->number, now->name, ttl->length);
    if (!converted) return treatment;
    base::Bytes bytes = message.bytes;
    store(bytes, *type, unit_.code);
    store(bytes, *ttl, *converted);
    return {{send(std::move(bytes))},
            Reach::performed,
            fmt::format("its TTL is {} {} in place of {} {}", *converted, unit_.name, ttl->number,
                        now->name)};
  }

 private:
  /// Rounded down. Nothing: it is not a whole unit, or too large for the field.
  std::optional<std::uint64_t> convert(std::uint64_t ttl, std::string_view from,
                                       std::size_t width) const {
    __extension__ using Wide = unsigned __int128;
    const Wide nanoseconds = Wide{ttl} * length_called(from);
    const Wide there = nanoseconds / length_called(unit_.name);
    if (there == 0 || there > protocol::max_of_width(width)) return std::nullopt;
    return static_cast<std::uint64_t>(there);
  }

  const Format& format_;
  Choice unit_;
};

/// True for a number that counts something, and has no other meaning to a client.
bool is_counter(const FieldValue& value) {
  constexpr std::size_t width = 8;
  const auto* const integer = value.field->as<kinds::Integer>();
  if (integer == nullptr || integer->width != width) return false;
  const std::string_view name = value.field->name;
  const std::set<std::string_view> others = {"fragment", "quota", "ttl", "index"};
  return !others.contains(name) && integer->unit.find("epoch") == std::string_view::npos;
}

/// Counters at an end of their range.
class Extremes final : public Disturbance {
 public:
  Extremes(const Format& format, std::uint64_t number) : format_(format), number_(number) {}

  Treatment treat(const Message& message) override {
    Treatment treatment = untouched(message.bytes);
    if (message.push != nullptr) return treatment;
    base::Bytes bytes = message.bytes;
    for (const FieldValue& value : fields_of(message, format_)) {
      if (is_counter(value)) store(bytes, value, number_);
    }
    if (bytes == message.bytes) return treatment;
    return {{send(std::move(bytes))},
            Reach::performed,
            fmt::format("all of its counters are {}", number_)};
  }

 private:
  const Format& format_;
  std::uint64_t number_;
};

/// The units of the first reply that has a TTL.
std::span<const Choice> units_of(const Format& format) {
  for (const protocol::Operation& operation : format.dialect().operations) {
    for (const protocol::Field* const field : reply_fields(operation, format)) {
      if (field->name == "ttl_type") return field->get<kinds::ChoiceOf>().choices;
    }
  }
  return {};
}

bool counts_things(const Format& format) {
  return protocol::find_operation(format.dialect(), "STAT") != nullptr;
}

Perturbation extreme(const std::string& name, std::uint64_t number) {
  Perturbation made{"counters/" + name,
                    "counters",
                    "",
                    fmt::format("counters of connections, keys and channels are {}", number),
                    true,
                    Demand::ends,
                    "client.assumptions"};
  made.make = [number](const Format& format, std::uint64_t) {
    return std::make_unique<Extremes>(format, number);
  };
  return made;
}

}  // namespace

std::vector<Perturbation> value_perturbations(const Format& format) {
  std::vector<Perturbation> all;
  for (const Choice& unit : units_of(format)) {
    Perturbation made{fmt::format("ttl/{}", unit.name),
                      "ttl",
                      "",
                      fmt::format("others have set TTLs in {}", unit.name),
                      true,
                      Demand::ends,
                      "client.assumptions"};
    made.make = [unit](const Format& served, std::uint64_t) {
      return std::make_unique<OtherUnit>(served, unit);
    };
    all.push_back(std::move(made));
  }
  if (!counts_things(format)) return all;
  all.push_back(extreme("largest", ~std::uint64_t{0}));
  all.push_back(extreme("zero", 0));
  return all;
}

}  // namespace hallmark::clients
