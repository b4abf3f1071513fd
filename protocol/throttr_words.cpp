#include "protocol/throttr_words.hpp"

#include <algorithm>
#include <limits>

namespace hallmark::protocol {
namespace {

constexpr TtlUnit every_unit[] = {TtlUnit::nanoseconds,  TtlUnit::microseconds,
                                  TtlUnit::milliseconds, TtlUnit::seconds,
                                  TtlUnit::minutes,      TtlUnit::hours};

const Field* find_field(std::span<const Field> fields, FieldName name) {
  const auto found = std::ranges::find(fields, name, &Field::name);
  return found == fields.end() ? nullptr : &*found;
}

/// The choices of `ttl_type`, which every version has from INSERT on.
std::span<const Choice> ttl_types(const Dialect& dialect) {
  const Operation* const insert = find_operation(dialect, "INSERT");
  if (insert == nullptr) return {};
  const Field* const field = find_field(insert->request.fields, "ttl_type");
  return field == nullptr ? std::span<const Choice>{} : field->get<kinds::ChoiceOf>().choices;
}

const Choice* choice_of(const Dialect& dialect, TtlUnit unit) {
  for (const Choice& choice : ttl_types(dialect)) {
    if (choice.name == name_of(unit)) return &choice;
  }
  return nullptr;
}

std::uint64_t saturating_product(std::uint64_t a, std::uint64_t b) {
  std::uint64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? std::numeric_limits<std::uint64_t>::max()
                                                : product;
}

void word_ttl(const Dialect& dialect, Record& fields) {
  const Value* const type = fields.find("ttl_type");
  if (type == nullptr) return;
  const auto unit = static_cast<TtlUnit>(std::get<std::uint64_t>(*type));
  if (std::get<std::uint64_t>(*type) > code(TtlUnit::hours) || !is_known(unit)) return;
  const TtlWording wording = ttl_wording(dialect, unit);
  fields.set("ttl_type", wording.code);
  fields.set("ttl", saturating_product(fields.number("ttl"), wording.factor));
}

}  // namespace

std::vector<TtlUnit> ttl_units(const Dialect& dialect) {
  std::vector<TtlUnit> units;
  for (const TtlUnit unit : every_unit) {
    if (choice_of(dialect, unit) != nullptr) units.push_back(unit);
  }
  return units;
}

std::optional<TtlUnit> ttl_unit(const Dialect& dialect, std::uint64_t code) {
  for (const TtlUnit unit : every_unit) {
    const Choice* const choice = choice_of(dialect, unit);
    if (choice != nullptr && choice->code == code) return unit;
  }
  return std::nullopt;
}

TtlWording ttl_wording(const Dialect& dialect, TtlUnit unit) {
  TtlUnit own = unit;
  while (choice_of(dialect, own) == nullptr && own != TtlUnit::nanoseconds) {
    own = static_cast<TtlUnit>(code(own) - 1);
  }
  const Choice* const choice = choice_of(dialect, own);
  return {own, choice == nullptr ? code(own) : choice->code, length_of(unit) / length_of(own)};
}

std::pair<base::Bytes, base::Bytes> pair_of_key(base::ByteView key) {
  const auto half = key.begin() + static_cast<std::ptrdiff_t>(key.size() / 2);
  return {base::Bytes(key.begin(), half), base::Bytes(half, key.end())};
}

Record worded(const Dialect& dialect, const Operation& operation, Record shared) {
  const std::span<const Field> fields = operation.request.fields;
  word_ttl(dialect, shared);
  const bool has_id = find_field(fields, "request_id") != nullptr;
  if (has_id && shared.find("request_id") == nullptr) shared.set("request_id", std::uint64_t{0});
  const Value* const key = shared.find("key");
  if (key == nullptr || find_field(fields, "key") != nullptr) return shared;
  auto [consumer, resource] = pair_of_key(std::get<base::Bytes>(*key));
  Record own;
  for (const auto& [name, value] : shared.fields()) {
    if (name != "key") own.set(FieldName::unchecked(name), value);
  }
  own.set("consumer_id", std::move(consumer));
  own.set("resource_id", std::move(resource));
  return own;
}

}  // namespace hallmark::protocol
