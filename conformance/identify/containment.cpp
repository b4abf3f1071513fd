#include "conformance/identify/containment.hpp"

#include <algorithm>

#include "conformance/identify/candidate.hpp"
#include "protocol/codec/layout.hpp"

namespace hallmark::conformance {
namespace {

using protocol::Dialect;
using protocol::Field;
using protocol::Layout;
using protocol::Readings;
using protocol::Width;

/// True if the bytes of both look alike, whatever they mean: text in a fixed number of bytes looks
/// like any other bytes.
bool same_shape(const Field& one, const Field& other) {
  using namespace protocol::kinds;
  return one.kind.same_type(other.kind) || (one.is<Opaque, Text>() && other.is<Opaque, Text>());
}

/// The fields that are there, in wire order.
std::vector<const Field*> present(const Layout& layout, std::span<const Field> fields) {
  std::vector<const Field*> there;
  for (const Field& field : fields) {
    if (layout.present(field)) there.push_back(&field);
  }
  return there;
}

bool same_fields(const Layout& a, std::span<const Field> of_a, const Layout& b,
                 std::span<const Field> of_b);

bool same_records(const Layout& a, const Field& one, const Layout& b, const Field& other) {
  const auto* const of_a = one.as<protocol::kinds::Group>();
  const auto* const of_b = other.as<protocol::kinds::Group>();
  return of_a == nullptr || of_b == nullptr ||
         (same_fields(a, of_a->head, b, of_b->head) && same_fields(a, of_a->tail, b, of_b->tail));
}

bool same_fields(const Layout& a, std::span<const Field> of_a, const Layout& b,
                 std::span<const Field> of_b) {
  return std::ranges::equal(
      present(a, of_a), present(b, of_b), [&](const Field* one, const Field* other) {
        return one->name == other->name && same_shape(*one, *other) &&
               a.width_of(*one) == b.width_of(*other) && same_records(a, *one, b, *other);
      });
}

bool same(const Layout& a, const Layout& b) {
  return a.opcode() == b.opcode() && a.sent() == b.sent() &&
         same_fields(a, a.message().fields, b, b.message().fields) &&
         same_fields(a, a.message().on_success, b, b.message().on_success);
}

bool has_same_operations(const Readings& asked, const Readings& spoken, Width width) {
  return std::ranges::all_of(asked.dialect().operations, [&](const protocol::Operation& one) {
    const auto* const other = protocol::find_operation(spoken.dialect(), one.name);
    return other != nullptr &&
           same(Layout::request(one, width, asked), Layout::request(*other, width, spoken)) &&
           same(Layout::reply(one, width, asked), Layout::reply(*other, width, spoken));
  });
}

bool has_same_pushes(const Readings& asked, const Readings& spoken, Width width) {
  return std::ranges::all_of(asked.dialect().pushes, [&](const protocol::Push& one) {
    return std::ranges::any_of(spoken.dialect().pushes, [&](const protocol::Push& other) {
      return same(Layout::push(one, width, asked), Layout::push(other, width, spoken));
    });
  });
}

/// Tries all answers to the readings of layouts that only `asked` has.
std::optional<Readings> tried(Readings asked, std::span<const protocol::Reading* const> open,
                              const Readings& spoken, Width width) {
  if (open.empty()) {
    const bool all =
        has_same_operations(asked, spoken, width) && has_same_pushes(asked, spoken, width);
    return all ? std::optional(asked) : std::nullopt;
  }
  for (const protocol::Answer& answer : open.front()->answers) {
    if (!asked.set(open.front()->id, answer.id)) continue;
    if (auto found = tried(asked, open.subspan(1), spoken, width)) return found;
  }
  return std::nullopt;
}

}  // namespace

bool same_layouts(const Readings& a, const Readings& b, Width width) {
  return has_same_operations(a, b, width) && has_same_pushes(a, b, width);
}

std::optional<Readings> contained(const Dialect& asked, const Readings& spoken, Width width) {
  if (&asked == &spoken.dialect()) return spoken;
  if (std::ranges::find(asked.widths, width) == asked.widths.end()) return std::nullopt;
  Readings readings(asked, protocol::Profile::deployed);
  std::vector<const protocol::Reading*> open;
  const auto layouts = readings_of_layouts(asked);
  for (const protocol::Reading& reading : asked.readings) {
    const protocol::AnswerName answer = spoken.answer(reading);
    // An answer that the document of `asked` does not allow is left to its cases.
    if (!answer.empty()) static_cast<void>(readings.set(reading.id, answer));
    if (answer.empty() && layouts.contains(reading.id)) open.push_back(&reading);
  }
  return tried(readings, open, spoken, width);
}

}  // namespace hallmark::conformance
