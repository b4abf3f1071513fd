#include "vectors/format/by_width.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace hallmark::vectors {
namespace {

using base::Json;
using protocol::Width;

constexpr std::array all_widths{Width::u8, Width::u16, Width::u32, Width::u64};

/// The value that a width has in one place.
struct Said {
  std::string_view width;
  const Json* value;
};

bool is_width(std::string_view name) {
  return std::ranges::any_of(all_widths, [&](Width width) { return name_of(width) == name; });
}

bool is_container(const Json& json) { return json.is_object() || json.is_array(); }

/// The value of each width under that name, where it has one.
std::vector<Said> members_named(const std::vector<Said>& all, std::string_view name) {
  std::vector<Said> said;
  for (const Said& one : all) {
    if (const Json* const value = one.value->find(name)) said.push_back({one.width, value});
  }
  return said;
}

/// The names of all, those of the first width first.
std::vector<std::string_view> names_of(const std::vector<Said>& all) {
  std::vector<std::string_view> names;
  for (const Said& one : all) {
    for (const Json::Member& member : one.value->members()) {
      if (std::ranges::find(names, member.name) == names.end()) names.push_back(member.name);
    }
  }
  return names;
}

class Merger {
 public:
  explicit Merger(std::size_t widths) : widths_(widths) {}

  Json merge(const std::vector<Said>& all) const {
    const Json& first = *all.front().value;
    const auto each = [&](const auto& holds) {
      return std::ranges::all_of(all, [&](const Said& one) { return holds(*one.value); });
    };
    if (all.size() < widths_) return apart(all);
    if (each([&](const Json& value) { return value == first; })) return first;
    if (each([](const Json& value) { return value.is_object(); })) return objects(all);
    const bool alike = each([&](const Json& value) {
      return value.is_array() && value.size() == first.size() &&
             std::ranges::all_of(value.items(), is_container);
    });
    return alike ? arrays(all) : apart(all);
  }

 private:
  static Json apart(const std::vector<Said>& all) {
    Json json = Json::object();
    for (const Said& one : all) json[one.width] = *one.value;
    return json;
  }

  Json objects(const std::vector<Said>& all) const {
    Json json = Json::object();
    for (const std::string_view name : names_of(all)) json[name] = merge(members_named(all, name));
    return json;
  }

  Json arrays(const std::vector<Said>& all) const {
    Json json = Json::array();
    for (std::size_t i = 0; i < all.front().value->size(); ++i) {
      std::vector<Said> items;
      for (const Said& one : all) items.push_back({one.width, &(*one.value)[i]});
      json.push_back(merge(items));
    }
    return json;
  }

  std::size_t widths_;
};

/// Puts the value of the width in the place of those of all. False: it has none.
bool choose(Json& value, std::string_view width) {
  if (!is_by_width(value)) return true;
  if (!value.contains(width)) return false;
  Json own = std::move(value[width]);
  value = std::move(own);
  return true;
}

void keep(Json& json, std::string_view width);

Json& value_of(Json& item) { return item; }
Json& value_of(Json::Member& member) { return member.value; }

template <class Parts>
void keep_in(Parts& parts, std::string_view width) {
  Parts kept;
  kept.reserve(parts.size());
  for (auto& part : parts) {
    if (!choose(value_of(part), width)) continue;
    keep(value_of(part), width);
    kept.push_back(std::move(part));
  }
  parts = std::move(kept);
}

void keep(Json& json, std::string_view width) {
  if (json.is_object()) keep_in(json.mutable_members(), width);
  if (json.is_array()) keep_in(json.mutable_items(), width);
}

}  // namespace

bool is_by_width(const Json& json) {
  return json.is_object() && !json.empty() &&
         std::ranges::all_of(json.members(),
                             [](const Json::Member& one) { return is_width(one.name); });
}

Json merged(std::span<const Width> widths, std::span<const Json> documents) {
  std::vector<Said> all;
  for (std::size_t i = 0; i < widths.size(); ++i)
    all.push_back({name_of(widths[i]), &documents[i]});
  return Merger(widths.size()).merge(all);
}

void keep_width(Json& json, Width width) { keep(json, name_of(width)); }

}  // namespace hallmark::vectors
