#include <fmt/format.h>

#include "clients/perturb/pauses.hpp"
#include "clients/perturb/wrong.hpp"

/// Perturbations of datagrams on their way, and responses that no server may send.
namespace hallmark::clients {
namespace {

using protocol::Field;
using protocol::FieldValue;
using protocol::Operation;
namespace kinds = protocol::kinds;

/// The id of a request and the space behind it; empty where it has none.
std::string id_of(const Message& message, const Format& format) {
  const auto fields = fields_of(message, format);
  const FieldValue* const id = first_field(fields, "request_id");
  if (id == nullptr || id->absent()) return {};
  return std::string(
      base::as_text(base::ByteView(message.bytes).subspan(id->offset, id->length + 1)));
}

/// An id of the same length that no request of a client has: its digits turned around by five.
std::string other_id(std::string id) {
  for (char& c : id) {
    if (c >= '0' && c <= '9') c = static_cast<char>('0' + (c - '0' + 5) % 10);
  }
  return id;
}

base::Bytes with_id(const Message& message, const Format& format, const std::string& id) {
  const std::size_t size = id_of(message, format).size();
  base::Bytes bytes = base::to_bytes(id);
  base::append(bytes, base::ByteView(message.bytes).subspan(size));
  return bytes;
}

/// Does one thing to every response.
class EachResponse final : public Disturbance {
 public:
  using Do = std::function<Treatment(const Message&, const Format&, std::uint64_t number)>;
  EachResponse(const Format& format, Do act) : format_(format), act_(std::move(act)) {}

  Treatment treat(const Message& message) override {
    if (message.bytes.empty()) return {};
    return act_(message, format_, ++number_);
  }

 private:
  const Format& format_;
  Do act_;
  std::uint64_t number_ = 0;
};

Treatment doubled(const Message& message, const Format& /*format*/, std::uint64_t /*number*/) {
  return {{send(message.bytes), send(message.bytes)}, Reach::performed, "it came twice"};
}

/// Unless it has no id: then nothing tells it from the right one.
Treatment stranger_first(const Message& message, const Format& format, std::uint64_t /*number*/) {
  const std::string id = id_of(message, format);
  if (id.empty()) return untouched(message.bytes);
  return {{send(with_id(message, format, other_id(id))), send(message.bytes)},
          Reach::performed,
          "a response with the id of no request came before it"};
}

Treatment overtaken(const Message& message, const Format& /*format*/, std::uint64_t /*number*/) {
  return {{hold(message.bytes, std::chrono::milliseconds(5))},
          Reach::joined,
          "a later response came before it"};
}

Treatment every_third_lost(const Message& message, const Format& /*format*/, std::uint64_t number) {
  constexpr std::uint64_t every = 3;
  if (number % every != 0) return untouched(message.bytes);
  return {{}, Reach::performed, "it was lost"};
}

Treatment lost(const Message& /*message*/, const Format& /*format*/, std::uint64_t /*number*/) {
  return {{}, Reach::performed, "it was lost, as all others"};
}

Treatment without_id(const Message& message, const Format& format, std::uint64_t /*number*/) {
  if (id_of(message, format).empty()) return untouched(message.bytes);
  return {{send(with_id(message, format, {}))}, Reach::performed, "it came without its id"};
}

Treatment with_strange_id(const Message& message, const Format& format, std::uint64_t /*number*/) {
  const std::string id = id_of(message, format);
  if (id.empty()) return untouched(message.bytes);
  return {{send(with_id(message, format, other_id(id)))},
          Reach::performed,
          "it came with the id of no request"};
}

Perturbation each(std::string id, std::string title, Demand demand, std::string clause,
                  EachResponse::Do act) {
  const std::string kind = id.substr(0, id.find('/'));
  Perturbation made{std::move(id), kind, "", std::move(title), true, demand, std::move(clause)};
  made.make = [act = std::move(act)](const Format& format, std::uint64_t) {
    return std::make_unique<EachResponse>(format, act);
  };
  return made;
}

MakeWrong with_text(const std::string& name, const std::string& text) {
  return [name, text](const Message& message, const Wrong& with) -> std::optional<Treatment> {
    const auto fields = fields_of(message, with.format);
    const FieldValue* const field = first_field(fields, name);
    if (field == nullptr) return std::nullopt;
    const auto at = message.bytes.begin() + static_cast<std::ptrdiff_t>(field->offset);
    base::Bytes bytes(message.bytes.begin(), at);
    base::append(bytes, base::as_bytes(text));
    bytes.insert(bytes.end(), at + field->length, message.bytes.end());
    return Treatment{
        {send(std::move(bytes))}, Reach::performed, fmt::format("{} is \"{}\"", name, text)};
  };
}

MakeWrong ended_at(const std::string& name) {
  return [name](const Message& message, const Wrong& with) -> std::optional<Treatment> {
    auto bytes = cut_at(message, with.format, name);
    if (!bytes || bytes->empty()) return std::nullopt;
    // A shorter number is a number, too.
    protocol::Decoder decoder(*layout_of(message, with.format));
    if (decoder.resume(*bytes) == protocol::Decoder::State::complete) return std::nullopt;
    return Treatment{
        {send(std::move(*bytes))}, Reach::performed, fmt::format("it ended at {}", name)};
  };
}

std::optional<Treatment> of_another_command(const Message& message, const Wrong& with) {
  base::Bytes bytes = base::to_bytes(id_of(message, with.format));
  const bool is_ping = message.operation->name == "ping";
  base::append(bytes, base::as_bytes(is_ping ? "size=1 keys=0" : "pong"));
  return Treatment{{send(std::move(bytes))},
                   Reach::performed,
                   "the response to another command came in its place"};
}

/// After it, a client may go on as if N had come: what it makes of a wrong one cannot be seen.
Perturbation demanding(Perturbation one, std::string_view operation) {
  if (operation == "over_limit") one.demand = Demand::ends;
  return one;
}

/// Returns the fields at which a response is cut: literals only if there is nothing else.
std::vector<const Field*> fields_to_cut(const Operation& operation, const Format& format) {
  std::vector<const Field*> all;
  std::vector<const Field*> literals;
  for (const Field* const field : reply_fields(operation, format)) {
    if (field->is<kinds::Literal>()) literals.push_back(field);
    if (!field->is<kinds::Literal, kinds::Tag>()) all.push_back(field);
  }
  return all.empty() ? literals : all;
}

void add_wrong(std::vector<Perturbation>& all, const Operation& operation, const Format& format) {
  const std::string_view name = operation.name;
  const std::string whole = "client.whole-replies";
  const auto add = [&](std::string kind, std::string_view field, std::string_view what,
                       MakeWrong make) {
    all.push_back(
        demanding(wrong(std::move(kind), name, field,
                        fmt::format("responses to {}: {}", name, what), whole, std::move(make)),
                  name));
  };
  for (const Field* const field : reply_fields(operation, format)) {
    const std::string called(field->name);
    if (field->is<kinds::ChoiceOf>())
      add("choice", called, called + " is neither of its letters", with_text(called, "X"));
    if (field->is<kinds::Decimal>())
      add("number", called, called + " is not a number", with_text(called, "x"));
  }
  for (const Field* const field : some_of(fields_to_cut(operation, format))) {
    add("truncated", std::string_view(field->name),
        fmt::format("cut at {}", std::string_view(field->name)),
        ended_at(std::string(field->name)));
  }
  add("foreign", {}, "that to another command comes", of_another_command);
}

}  // namespace

std::vector<Perturbation> datagram_perturbations(const Format& format) {
  if (!format.over_datagrams()) return {};
  std::vector<Perturbation> all;
  all.push_back(
      each("doubled", "each response comes twice", Demand::passes, "client.unmatched", doubled));
  all.push_back(each("stranger-first", "a response with the id of no request comes before each",
                     Demand::passes, "client.unmatched", stranger_first));
  all.push_back(each("overtaken", "responses overtake each other", Demand::passes,
                     "client.unmatched", overtaken));
  all.push_back(each("lost/every-third", "every third response is lost", Demand::ends,
                     "client.timeout", every_third_lost));
  all.push_back(each("lost/all", "all responses are lost", Demand::ends, "client.silence", lost));
  all.push_back(each("id/none", "responses come without their ids", Demand::ends,
                     "client.unmatched", without_id));
  all.push_back(each("id/other", "responses come with the id of no request", Demand::ends,
                     "client.unmatched", with_strange_id));
  for (const Operation& operation : format.dialect().operations) add_wrong(all, operation, format);
  return all;
}

}  // namespace hallmark::clients
