#include "protocol/mutate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "protocol/little_endian.hpp"

namespace hallmark::protocol {
namespace {

class Mutator {
 public:
  Mutator(const Layout& layout, base::ByteView message) : layout_(layout), message_(message) {}

  std::vector<Mutation> run() {
    Decoder decoder(layout_, {.refuse_unlisted = false});
    decoder.resume(message_);
    for (const FieldValue& value : decoder.fields()) {
      if (!value.field->is<kinds::Group>()) mutate(value);
    }
    return std::move(mutations_);
  }

 private:
  void mutate(const FieldValue& value) {
    cut(value);
    if (value.field->is<kinds::Opcode>()) return opcode(value);
    if (value.field->is<kinds::Size, kinds::Count>()) return measure(value);
    if (value.field->is<kinds::Status>()) return unlisted(value, kinds::Status::choices);
    if (const auto* const choice = value.field->as<kinds::ChoiceOf>())
      return unlisted(value, choice->choices);
  }

  void add(std::string id, const FieldValue& value, base::Bytes bytes) {
    mutations_.push_back(
        {std::move(id), std::string(value.field->name), value.offset, std::move(bytes)});
  }

  void cut(const FieldValue& value) {
    const auto first = [&](std::size_t n) {
      return base::Bytes(message_.begin(), message_.begin() + static_cast<std::ptrdiff_t>(n));
    };
    if (value.offset != 0)
      add(fmt::format("cut:{}", value.field->name), value, first(value.offset));
    if (value.length > 1) {
      add(fmt::format("cut-inside:{}", value.field->name), value,
          first(value.offset + value.length / 2));
    }
  }

  void replace(std::string id, const FieldValue& value, std::uint64_t number) {
    base::Bytes bytes(message_.begin(), message_.end());
    store_little_endian(bytes.data() + value.offset, number, value.length);
    add(std::move(id), value, std::move(bytes));
  }

  void measure(const FieldValue& value) {
    const std::uint64_t most = max_of_width(value.length);
    std::set<std::uint64_t> tried{value.number};
    const auto attempt = [&](std::string_view how, std::uint64_t number) {
      if (tried.insert(number).second)
        replace(fmt::format("size{}:{}", how, value.field->name), value, number);
    };
    if (value.number > 0) attempt("-1", value.number - 1);
    if (value.number < most) attempt("+1", value.number + 1);
    attempt("=0", 0);
    attempt("=most-positive", most / 2);
    attempt("=negative", most / 2 + 1);
    attempt("=max-1", most - 1);
    attempt("=max", most);
  }

  void unlisted(const FieldValue& value, std::span<const Choice> choices) {
    std::set<std::uint64_t> candidates{max_of_width(value.length)};
    for (const Choice& choice : choices) {
      if (choice.code > 0) candidates.insert(choice.code - 1);
      candidates.insert(choice.code + 1);
    }
    for (const std::uint64_t code : candidates) {
      if (find_choice(choices, code) != nullptr) continue;
      replace(fmt::format("unlisted:{}={:02x}", value.field->name, code), value, code);
    }
  }

  void opcode(const FieldValue& value) {
    for (const std::uint8_t code : unknown_opcodes(layout_.readings().dialect())) {
      replace(fmt::format("opcode={:02x}", code), value, code);
    }
  }

  const Layout& layout_;
  base::ByteView message_;
  std::vector<Mutation> mutations_;
};

}  // namespace

std::vector<std::uint8_t> unknown_opcodes(const Dialect& dialect) {
  std::set<std::uint8_t> candidates{0x00, 0x7f, 0x80, 0xff};
  for (const Operation& operation : dialect.operations) {
    candidates.insert(static_cast<std::uint8_t>(operation.opcode - 1));
    candidates.insert(static_cast<std::uint8_t>(operation.opcode + 1));
  }
  for (const Operation& operation : dialect.operations) candidates.erase(operation.opcode);
  for (const Push& push : dialect.pushes) candidates.erase(push.opcode);
  return {candidates.begin(), candidates.end()};
}

std::vector<Mutation> mutations(const Layout& layout, base::ByteView message) {
  return Mutator(layout, message).run();
}

}  // namespace hallmark::protocol
