#include "vectors/generator/rehearsal.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "reference/model/model.hpp"
#include "reference/protocol/annotate.hpp"
#include "reference/protocol/encode.hpp"
#include "reference/server/session.hpp"
#include "vectors/format/match.hpp"

namespace hallmark::vectors::generator {
namespace {

using protocol::ByteBuffer;
using protocol::ByteView;
using protocol::Error;
using protocol::Result;

/// Simulated time: it starts at a fixed second and moves by this much between two steps.
constexpr std::int64_t start_ns = 1'700'000'000'000'000'000;
constexpr std::int64_t step_ns = 1'000'000;

/// One client connection and the model's side of it.
struct Peer {
  model::Connection* connection = nullptr;
  std::unique_ptr<server::Session> session;
  ByteBuffer in;
  ByteBuffer out;
};

class Stage {
 public:
  Stage(Vector& vector, protocol::Width width, const protocol::Readings& readings)
      : vector_(vector),
        width_(width),
        readings_(readings),
        model_(options(width)),
        context_{model_, readings_} {
    match_context_.captures = &captures_;
    match_context_.elapsed_since = [this](std::size_t since) {
      const std::uint64_t elapsed = (last_send_ - since) * std::uint64_t{step_ns};
      return Elapsed{elapsed, elapsed};
    };
  }

  Result<void> run() {
    for (step_ = 0; step_ < vector_.steps.size(); ++step_) {
      model_.advance(start_ns + static_cast<std::int64_t>(step_) * step_ns);
      Step& step = vector_.steps[step_];
      if (auto* const sending = std::get_if<Send>(&step.action)) {
        last_send_ = step_;
        send(step.connection, *sending);
      } else if (auto* const expecting = std::get_if<Expect>(&step.action)) {
        if (auto result = expect(peer(step.connection), *expecting); !result) return result;
      } else {
        close(step.connection);
      }
    }
    return nothing_left();
  }

 private:
  static model::Peer address_of(std::size_t number) {
    model::Peer peer{.ip_version = 4, .port = static_cast<std::uint16_t>(40000 + number)};
    std::ranges::copy(std::string_view("127.0.0.1"), peer.ip.begin());
    return peer;
  }

  static model::ModelOptions options(protocol::Width width) {
    return {.value_bytes = static_cast<unsigned>(protocol::bytes_of(width)),
            .started_at = start_ns,
            .version = "reference"};
  }

  Peer& peer(const std::string& name) {
    Peer& found = peers_[name];
    if (found.connection == nullptr) {
      found.connection = model_.open(address_of(peers_.size()));
      found.session = server::make_session(width_, context_, *found.connection);
    }
    return found;
  }

  void send(const std::string& name, Send& sending) {
    Bytes bytes = sending.bytes;
    for (const Substitution& substitution : sending.substitutions) substitute(bytes, substitution);
    Peer& sender = peer(name);
    sender.in.append(bytes);
    std::vector<server::Delivery> deliveries;
    // Output is never throttled here: the limit is far above what one vector asks for.
    sender.session->process(sender.in, sender.out, deliveries);
    for (const server::Delivery& delivery : deliveries) deliver(delivery);
  }

  void substitute(Bytes& bytes, const Substitution& substitution) const {
    const auto& value = std::get<Bytes>(captures_.at(substitution.capture));
    std::ranges::copy(value, bytes.begin() + static_cast<std::ptrdiff_t>(substitution.offset));
  }

  void deliver(const server::Delivery& delivery) {
    for (auto& [name, recipient] : peers_) {
      if (recipient.connection != nullptr && recipient.connection->number == delivery.recipient) {
        recipient.out.append(delivery.frame->view());
      }
    }
  }

  void close(const std::string& name) {
    model_.close(*peer(name).connection);
    peers_.erase(name);
  }

  /// The model's next message has to be one of those expected; it becomes that one's example.
  Result<void> expect(Peer& receiver, Expect& expecting) {
    std::string why;
    for (Expected& expected : expecting.any_of) {
      const auto layout = layout_of(expected, width_, readings_);
      if (!layout)
        return complain("", fmt::format("the dialect has no message {}", expected.message));
      protocol::Decoder decoder(*layout);
      if (decoder.resume(receiver.out.view()) != protocol::Decoder::State::complete) {
        why = fmt::format("the model answers {}", protocol::printable(receiver.out.view()));
        continue;
      }
      const protocol::MessageView message(decoder, receiver.out.view());
      const auto mismatches = match(expected, message, match_context_);
      if (!mismatches.empty()) {
        why = fmt::format("{}: expected {}, the model answers {}", mismatches[0].field,
                          mismatches[0].expected, mismatches[0].received);
        continue;
      }
      expected.example.assign(message.bytes().begin(), message.bytes().end());
      receiver.out.consume(decoder.size());
      return give_examples(expecting);
    }
    return complain("", why);
  }

  /// Examples of the alternatives that the model did not choose are encoded from what was written.
  Result<void> give_examples(Expect& expecting) {
    for (Expected& expected : expecting.any_of) {
      const auto layout = layout_of(expected, width_, readings_);
      if (expected.example.empty()) {
        const auto bytes = protocol::encode(*layout, sample(expected));
        if (bytes.has_error()) return complain(bytes.error().field, bytes.error().reason);
        expected.example = *bytes;
      }
      locate_fields(expected, *layout);
    }
    return {};
  }

  static Record sample(const Expected& expected) {
    Record record;
    for (const FieldPattern& field : expected.fields) {
      switch (field.match) {
        case Match::equals: record.set(field.field, field.value); break;
        case Match::range: record.set(field.field, field.min); break;
        case Match::one_of: record.set(field.field, field.choices.front()); break;
        case Match::remaining: record.set(field.field, field.lifetime.full); break;
        default: record.set(field.field, std::uint64_t{0}); break;
      }
    }
    return record;
  }

  static void locate_fields(Expected& expected, const protocol::Layout& layout) {
    protocol::Decoder decoder(layout, {.refuse_unlisted = false});
    decoder.resume(expected.example);
    const protocol::MessageView message(decoder, expected.example);
    for (FieldPattern& pattern : expected.fields) {
      const auto* const place =
          pattern.match == Match::set_of ? first_count(message) : message.find(pattern.field);
      if (place == nullptr) continue;
      pattern.offset = place->offset;
      pattern.length =
          pattern.match == Match::set_of ? expected.example.size() - place->offset : place->length;
    }
  }

  static const protocol::FieldValue* first_count(const protocol::MessageView& message) {
    for (const protocol::FieldValue& value : message.fields()) {
      if (value.field->kind == protocol::Kind::count) return &value;
    }
    return nullptr;
  }

  Result<void> nothing_left() const {
    for (const auto& [name, peer] : peers_) {
      if (!peer.out.empty()) {
        return Error{fmt::format("{}: connection {}: the model sends {} that no step expects",
                                 vector_.id, name, protocol::printable(peer.out.view()))};
      }
      if (!peer.in.empty())
        return Error{fmt::format("{}: connection {}: a request is not whole", vector_.id, name)};
    }
    return {};
  }

  Error complain(std::string_view field, std::string_view why) const {
    return Error{fmt::format("{}: step {}: {}{}{}", vector_.id, step_, field,
                             field.empty() ? "" : " ", why)};
  }

  Vector& vector_;
  protocol::Width width_;
  const protocol::Readings& readings_;
  model::Model model_;
  server::SessionContext context_;
  std::map<std::string, Peer> peers_;
  std::map<std::string, Value> captures_;
  Context match_context_;
  std::size_t step_ = 0;
  std::size_t last_send_ = 0;  ///< the model answers at once: this is when it did
};

}  // namespace

Result<void> rehearse(Vector& vector, protocol::Width width, const protocol::Readings& readings) {
  return Stage(vector, width, readings).run();
}

}  // namespace hallmark::vectors::generator
