#include <fmt/format.h>

#include <algorithm>

#include "base/json.hpp"

namespace hallmark::base {
namespace {

const Json& null() {
  static const Json nothing;
  return nothing;
}

bool equal_members(const Json::Members& a, const Json& b) {
  return a.size() == b.size() && std::ranges::all_of(a, [&](const Json::Member& one) {
           const Json* const other = b.find(one.name);
           return other != nullptr && one.value == *other;
         });
}

}  // namespace

std::string in_words(TextPlace place) {
  if (place.line == 0) return fmt::format("column {}", place.column);
  return fmt::format("line {}, column {}", place.line, place.column);
}

Json::Json() noexcept = default;
Json::Json(std::nullptr_t) noexcept {}
Json::Json(std::string text) noexcept : value_(std::move(text)) {}
Json::Json(const Json& other) = default;
Json::Json(Json&& other) noexcept = default;
Json& Json::operator=(const Json& other) = default;
Json& Json::operator=(Json&& other) noexcept = default;
Json::~Json() = default;

Json::Json(std::initializer_list<Braced> members) {
  Members& all = value_.emplace<Members>();
  all.reserve(members.size());
  for (const Braced& one : members) all.push_back({std::string(one.name), std::move(one.value)});
}

Json Json::array(Items items) {
  Json json;
  json.value_ = std::move(items);
  return json;
}

Json Json::object() {
  Json json;
  json.value_.emplace<Members>();
  return json;
}

double Json::real() const {
  if (const auto* const natural = std::get_if<std::uint64_t>(&value_))
    return static_cast<double>(*natural);
  if (const auto* const negative = std::get_if<std::int64_t>(&value_))
    return static_cast<double>(*negative);
  return std::get<double>(value_);
}

const Json::Items& Json::items() const {
  static const Items none;
  const auto* const items = std::get_if<Items>(&value_);
  return items == nullptr ? none : *items;
}

const Json::Members& Json::members() const {
  static const Members none;
  const auto* const members = std::get_if<Members>(&value_);
  return members == nullptr ? none : *members;
}

Json::Items& Json::mutable_items() {
  if (is_null()) value_.emplace<Items>();
  return std::get<Items>(value_);
}

Json::Members& Json::mutable_members() {
  if (is_null()) value_.emplace<Members>();
  return std::get<Members>(value_);
}

std::size_t Json::size() const {
  if (is_array()) return items().size();
  if (is_object()) return members().size();
  if (is_string()) return string().size();
  return is_null() ? 0 : 1;
}

const Json* Json::find(std::string_view name) const {
  const Members& all = members();
  const auto found = std::ranges::find(all, name, &Member::name);
  return found == all.end() ? nullptr : &found->value;
}

const Json& Json::operator[](std::string_view name) const {
  const Json* const found = find(name);
  return found == nullptr ? null() : *found;
}

const Json& Json::operator[](std::size_t index) const {
  return index < items().size() ? items()[index] : null();
}

Json& Json::operator[](std::string_view name) {
  Members& all = mutable_members();
  const auto found = std::ranges::find(all, name, &Member::name);
  if (found != all.end()) return found->value;
  return all.emplace_back(Member{std::string(name), {}}).value;
}

Json& Json::operator[](std::size_t index) { return mutable_items().at(index); }

void Json::push_back(Json item) { mutable_items().push_back(std::move(item)); }

void Json::update(Json other) {
  for (Member& one : other.mutable_members()) (*this)[one.name] = std::move(one.value);
}

void Json::erase(std::string_view name) {
  std::erase_if(mutable_members(), [&](const Member& one) { return one.name == name; });
}

bool operator==(const Json& a, const Json& b) {
  if (a.is_object() && b.is_object()) return equal_members(a.members(), b);
  const bool as_real = a.is_number() && b.is_number() && a.value_.index() != b.value_.index();
  return as_real ? a.real() == b.real() : a.value_ == b.value_;
}

}  // namespace hallmark::base
