#include "conformance/judgement/field_code.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/number.hpp"

namespace hallmark::conformance {
namespace {

using protocol::Choice;
using protocol::FieldValue;
using reports::Code;
using vectors::Mismatch;

std::span<const Choice> choices_of(const protocol::Field& field) {
  if (field.is<protocol::kinds::Status>()) return protocol::kinds::Status::choices;
  if (field.is<protocol::kinds::ChoiceOf>()) return field.get<protocol::kinds::ChoiceOf>().choices;
  return {};
}

/// The code that was expected, which is given as a number, by its name, or as a character.
std::optional<std::uint64_t> number_of(std::span<const Choice> choices, std::string_view expected) {
  if (const auto number = base::number_in<std::uint64_t>(expected)) return number;
  const auto named = std::ranges::find(choices, expected, &Choice::name);
  if (named != choices.end()) return named->code;
  return expected.size() == 1 ? std::optional<std::uint64_t>(expected.front()) : std::nullopt;
}

std::string input_of(const FieldValue* value, const Mismatch& mismatch) {
  if (mismatch.expected == "nothing") return "unexpected";
  if (value == nullptr) return mismatch.length == 0 ? "missing" : "";
  const auto choices = choices_of(*value->field);
  if (choices.empty()) return {};
  const auto expected = number_of(choices, mismatch.expected);
  return expected ? fmt::format("{:02x}-for-{:02x}", value->number, *expected)
                  : fmt::format("{:02x}", value->number);
}

}  // namespace

Code code_of(const protocol::MessageView& message, const Mismatch& mismatch) {
  Code code{.kind = Code::Kind::wrong_field, .message = std::string(message.layout().name())};
  if (mismatch.field.empty()) {
    code.kind = Code::Kind::broken_promise;
    code.promise =
        reports::promise_of(fmt::format("{}, expected {}", mismatch.received, mismatch.expected));
    return code;
  }
  code.field = mismatch.field;
  code.input = input_of(message.find(protocol::FieldName::unchecked(mismatch.field)), mismatch);
  return code;
}

Code code_of_malformed(const protocol::Layout& layout, const protocol::Malformed& error) {
  return {.kind = error.unlisted ? Code::Kind::wrong_field : Code::Kind::malformed,
          .message = std::string(layout.name()),
          .field = error.field};
}

}  // namespace hallmark::conformance
