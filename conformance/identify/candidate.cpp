#include "conformance/identify/candidate.hpp"

#include <arpa/inet.h>

#include <algorithm>

#include "protocol/codec/layout.hpp"

namespace hallmark::conformance {
namespace {

using base::ByteView;
using protocol::Decoder;
using protocol::Dialect;
using protocol::Field;
using protocol::FieldValue;
using protocol::Layout;
using protocol::MessageView;
using protocol::Readings;

constexpr protocol::ReadingName numbering = "fragments";

void collect(std::span<const Field> fields, std::set<protocol::ReadingName>& into) {
  for (const Field& field : fields) {
    if (!field.when.reading.empty()) into.insert(field.when.reading);
    if (field.name == "fragment") into.insert(numbering);
    if (const auto* const group = field.as<protocol::kinds::Group>()) {
      collect(group->head, into);
      collect(group->tail, into);
    }
  }
}

bool is_text_of_address(ByteView field) {
  const auto end = std::ranges::find(field, std::uint8_t{0});
  const std::string text(field.begin(), end);
  if (std::any_of(end, field.end(), [](std::uint8_t byte) { return byte != 0; })) return false;
  in_addr address{};
  if (inet_pton(AF_INET, text.c_str(), &address) == 1) return true;
  return text.find(':') != std::string::npos &&
         text.find_first_not_of("0123456789abcdefABCDEF:.") == std::string::npos;
}

/// A connection without an address says nothing about its form.
bool fits_address(ByteView field, std::string_view form) {
  if (std::ranges::all_of(field, [](std::uint8_t byte) { return byte == 0; })) return true;
  return is_text_of_address(field) == (form == "text");
}

/// Calls `visit` with each combination of answers to the readings chosen.
template <class Visit>
void for_each_choice(const Dialect& dialect, const std::vector<std::vector<std::size_t>>& open,
                     std::span<const std::size_t> chosen, Readings& readings, const Visit& visit) {
  if (chosen.empty()) return visit(readings);
  const protocol::Reading& reading = dialect.readings[chosen.front()];
  for (const std::size_t answer : open[chosen.front()]) {
    static_cast<void>(readings.set(reading.id, reading.answers[answer].id));
    for_each_choice(dialect, open, chosen.subspan(1), readings, visit);
  }
}

}  // namespace

bool fits_meaning(const MessageView& view, const Readings& readings) {
  const FieldValue* first = nullptr;
  for (const FieldValue& value : view.fields()) {
    if (first == nullptr && value.field->name == "fragment") first = &value;
    if (value.field->name == "ip" &&
        !fits_address(view.bytes_of(value), readings.answer("ip-field")))
      return false;
  }
  if (first == nullptr) return true;
  return first->number == (readings.answer(numbering) == "from-0" ? 0U : 1U);
}

std::set<protocol::ReadingName> readings_of_layouts(const Dialect& dialect) {
  std::set<protocol::ReadingName> names;
  const auto add = [&](const protocol::Message& message) {
    if (!message.when.reading.empty()) names.insert(message.when.reading);
    collect(message.fields, names);
    collect(message.on_success, names);
  };
  for (const protocol::Operation& operation : dialect.operations) {
    add(operation.request);
    add(operation.reply);
  }
  for (const protocol::Push& push : dialect.pushes) add(push.message);
  return names;
}

Candidate::Candidate(const Dialect& dialect, protocol::Width width)
    : dialect_(&dialect), width_(width) {
  for (const protocol::Reading& reading : dialect.readings) {
    std::vector<std::size_t> served;
    for (std::size_t i = 0; i < reading.answers.size(); ++i) {
      if (reading.answers[i].served == protocol::Served::yes) served.push_back(i);
    }
    open_.push_back(std::move(served));
  }
}

bool Candidate::has(protocol::MessageName operation) const {
  return protocol::find_operation(*dialect_, operation) != nullptr;
}

const protocol::Message* Candidate::message_of(const Seen& seen) const {
  if (seen.what == Seen::What::push)
    return dialect_->pushes.empty() ? nullptr : &dialect_->pushes.front().message;
  const auto* const operation = protocol::find_operation(*dialect_, seen.operation);
  return operation == nullptr ? nullptr : &operation->reply;
}

std::vector<std::size_t> Candidate::readings_of(const protocol::Message& message) const {
  std::set<protocol::ReadingName> names;
  if (!message.when.reading.empty()) names.insert(message.when.reading);
  collect(message.fields, names);
  collect(message.on_success, names);
  std::vector<std::size_t> indices;
  for (const protocol::ReadingName name : names) {
    const std::size_t index = Readings::index_of(*dialect_, name);
    if (index != Readings::most) indices.push_back(index);
  }
  return indices;
}

bool Candidate::fits(const Seen& seen, const Readings& readings) const {
  const Layout layout =
      seen.what == Seen::What::push
          ? Layout::push(dialect_->pushes.front(), width_, readings)
          : Layout::reply(*protocol::find_operation(*dialect_, seen.operation), width_, readings);
  if (!layout.sent() || seen.bytes.empty()) return !layout.sent() && seen.bytes.empty();
  Decoder decoder(layout);
  const auto state = decoder.resume(seen.bytes);
  if (state == Decoder::State::need_more) return !seen.whole;
  if (state == Decoder::State::malformed || decoder.size() != seen.bytes.size()) return false;
  const MessageView view(decoder, seen.bytes);
  return fits_meaning(view, readings) && (!seen.also || seen.also(view));
}

bool Candidate::narrow(const Seen& seen) {
  const protocol::Message* const message = message_of(seen);
  if (message == nullptr) return false;
  const auto chosen = readings_of(*message);
  std::vector<std::set<std::size_t>> possible(chosen.size());
  bool any = false;
  Readings readings(*dialect_, protocol::Profile::deployed);
  for_each_choice(*dialect_, open_, chosen, readings, [&](const Readings& each) {
    if (!fits(seen, each)) return;
    any = true;
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      const protocol::Reading& reading = dialect_->readings[chosen[i]];
      possible[i].insert(Readings::index_of(reading, each.answer(reading)));
    }
  });
  for (std::size_t i = 0; any && i < chosen.size(); ++i)
    open_[chosen[i]].assign(possible[i].begin(), possible[i].end());
  return any;
}

std::vector<protocol::ReadingName> Candidate::shown_by(const Seen& seen) const {
  std::vector<protocol::ReadingName> names;
  const protocol::Message* const message = message_of(seen);
  if (message == nullptr) return names;
  for (const std::size_t index : readings_of(*message))
    names.push_back(dialect_->readings[index].id);
  return names;
}

protocol::AnswerName Candidate::told(protocol::ReadingName reading) const {
  const std::size_t index = Readings::index_of(*dialect_, reading);
  if (index == Readings::most || open_[index].size() != 1) return protocol::AnswerName::none();
  return dialect_->readings[index].answers[open_[index].front()].id;
}

void Candidate::settle(protocol::ReadingName reading, protocol::AnswerName answer) {
  const std::size_t index = Readings::index_of(*dialect_, reading);
  if (index == Readings::most) return;
  open_[index] = {Readings::index_of(dialect_->readings[index], answer)};
}

Readings Candidate::readings() const {
  Readings all(*dialect_, protocol::Profile::deployed);
  for (const protocol::Reading& reading : dialect_->readings) {
    const protocol::AnswerName answer = told(reading.id);
    if (!answer.empty()) static_cast<void>(all.set(reading.id, answer));
  }
  return all;
}

}  // namespace hallmark::conformance
