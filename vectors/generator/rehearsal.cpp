#include "vectors/generator/rehearsal.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "protocol/annotate.hpp"
#include "protocol/codec/encode.hpp"
#include "reference/model/model.hpp"
#include "reference/session/session.hpp"
#include "vectors/format/match.hpp"
#include "vectors/format/places.hpp"

namespace hallmark::vectors::generator {
namespace {

using base::ByteView;
using base::Error;
using base::Result;
using protocol::ByteBuffer;

/// The model starts at a fixed second, and the vector at no round time after it.
constexpr std::int64_t start_ns = 1'700'000'000'000'000'000;
constexpr std::int64_t first_step_ns = start_ns + 41'000'003;

/// The conditions under which a rehearsal is played.
struct Conditions {
  protocol::Width width;
  const protocol::Readings& written;  ///< those that the vector is written for
  const protocol::Readings& served;   ///< those that the model answers by
  Pace pace;
};

/// The message that came at a step which expects one.
struct Answered {
  std::size_t step;
  std::size_t alternative;  ///< its place among those expected
  Bytes bytes;
};

/// One client connection and the model's side of it.
struct Peer {
  model::Connection* connection = nullptr;
  std::unique_ptr<server::Session> session;
  ByteBuffer in;
  ByteBuffer out;
};

class Rehearsal {
 public:
  Rehearsal(const Vector& vector, const Conditions& conditions)
      : vector_(vector),
        conditions_(conditions),
        model_(options(conditions)),
        context_{model_, conditions.served},
        handled_at_(vector.steps.size()) {
    match_context_.captures = &captures_;
    match_context_.elapsed_since = [this](std::size_t since) {
      const auto elapsed = static_cast<std::uint64_t>(last_handled_at_ - handled_at_[since]);
      return Elapsed{elapsed, elapsed};
    };
  }

  Result<std::vector<Answered>> run() {
    for (step_ = 0; step_ < vector_.steps.size(); ++step_) {
      now_ = first_step_ns + static_cast<std::int64_t>(step_) * conditions_.pace;
      model_.advance(now_);
      const Step& step = vector_.steps[step_];
      if (const auto* const sending = std::get_if<Send>(&step.action)) {
        send(peer(step.connection), *sending);
      } else if (const auto* const expecting = std::get_if<Expect>(&step.action)) {
        if (auto result = expect(peer(step.connection), *expecting); !result) return result.error();
      } else {
        close(step.connection);
      }
    }
    if (auto result = nothing_left(); !result) return result.error();
    return std::move(answered_);
  }

 private:
  static model::Peer address_of(std::size_t number) {
    model::Peer peer{.ip_version = 4, .port = static_cast<std::uint16_t>(40000 + number)};
    std::ranges::copy(std::string_view("127.0.0.1"), peer.ip.begin());
    peer.address = {127, 0, 0, 1};
    return peer;
  }

  static model::ModelOptions options(const Conditions& conditions) {
    return {.value_bytes = static_cast<unsigned>(protocol::bytes_of(conditions.width)),
            .started_at = start_ns,
            .version = "reference",
            .behaviour = model::behaviour_of(conditions.served)};
  }

  Peer& peer(const std::string& name) {
    Peer& found = peers_[name];
    if (found.connection == nullptr) {
      found.connection = model_.open(address_of(peers_.size()));
      found.session = server::make_session(conditions_.width, context_, *found.connection);
    }
    return found;
  }

  /// Requests that follow each other arrive together.
  void send(Peer& sender, const Send& sending) {
    Bytes bytes = sending.bytes;
    for (const Substitution& substitution : sending.substitutions) substitute(bytes, substitution);
    sender.in.append(bytes);
    unhandled_.push_back(step_);
    if (!sends_again()) handle(sender);
  }

  bool sends_again() const {
    if (step_ + 1 == vector_.steps.size()) return false;
    const Step& next = vector_.steps[step_ + 1];
    return std::holds_alternative<Send>(next.action) &&
           next.connection == vector_.steps[step_].connection;
  }

  void handle(Peer& sender) {
    for (const std::size_t step : unhandled_) handled_at_[step] = now_;
    unhandled_.clear();
    last_handled_at_ = now_;
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

  /// The model's next message has to be one of those expected.
  Result<void> expect(Peer& receiver, const Expect& expecting) {
    std::string why;
    for (std::size_t i = 0; i < expecting.any_of.size(); ++i) {
      const Expected& expected = expecting.any_of[i];
      const auto layout = layout_of(expected, conditions_.width, conditions_.written);
      if (!layout)
        return complain("", fmt::format("the dialect has no message {}", expected.message));
      protocol::Decoder decoder(*layout);
      if (decoder.resume(receiver.out.view()) != protocol::Decoder::State::complete) {
        why = fmt::format("the model answers {}", protocol::printable(receiver.out.view()));
        continue;
      }
      const protocol::MessageView message(decoder, receiver.out.view());
      const auto mismatches = match(expected, message, match_context_);
      if (mismatches.empty()) {
        answered_.push_back({step_, i, {message.bytes().begin(), message.bytes().end()}});
        receiver.out.consume(decoder.size());
        return {};
      }
      why = fmt::format("{}: expected {}, the model answers {}", mismatches[0].field,
                        mismatches[0].expected, mismatches[0].received);
    }
    return complain("", why);
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

  const Vector& vector_;
  const Conditions conditions_;
  model::Model model_;
  server::SessionContext context_;
  std::map<std::string, Peer> peers_;
  std::map<std::string, Value> captures_;
  Context match_context_;
  std::vector<Answered> answered_;
  std::size_t step_ = 0;
  std::int64_t now_ = start_ns;
  std::vector<std::size_t> unhandled_;
  std::vector<std::int64_t> handled_at_;  ///< by step: when the request that it sent was handled
  std::int64_t last_handled_at_ = start_ns;
};

/// Values that agree with what is expected.
Record sample(const Expected& expected) {
  Record record;
  for (const FieldPattern& field : expected.fields) {
    switch (field.match) {
      case Match::equals:
        record.set(protocol::FieldName::unchecked(field.field), field.value);
        break;
      case Match::range: record.set(protocol::FieldName::unchecked(field.field), field.min); break;
      case Match::one_of:
        record.set(protocol::FieldName::unchecked(field.field), field.choices.front());
        break;
      case Match::remaining:
        record.set(protocol::FieldName::unchecked(field.field), field.lifetime.full);
        break;
      default: record.set(protocol::FieldName::unchecked(field.field), std::uint64_t{0}); break;
    }
  }
  return record;
}

/// The alternative that the model chose has its answer as example; those of the others are encoded
/// from what was written.
Result<void> give_examples(Expect& expecting, const Answered& answered,
                           const Conditions& conditions) {
  expecting.any_of[answered.alternative].example = answered.bytes;
  for (Expected& expected : expecting.any_of) {
    const auto layout = layout_of(expected, conditions.width, conditions.written);
    if (expected.example.empty()) {
      const auto bytes = protocol::encode(*layout, sample(expected));
      if (bytes.has_error()) return Error{bytes.error().field + " " + bytes.error().reason};
      expected.example = *bytes;
    }
    locate_fields(expected, *layout);
  }
  return {};
}

}  // namespace

Result<void> rehearse(Vector& vector, protocol::Width width, const protocol::Readings& readings) {
  const Conditions conditions{width, readings, readings, usual_pace};
  const auto answered = Rehearsal(vector, conditions).run();
  if (answered.has_error()) return answered.error();
  for (const Answered& answer : *answered) {
    auto& expecting = std::get<Expect>(vector.steps[answer.step].action);
    if (auto result = give_examples(expecting, answer, conditions); !result) {
      return Error{fmt::format("{}: step {}: {}", vector.id, answer.step, result.error().message)};
    }
  }
  return {};
}

bool holds_under(const Vector& vector, protocol::Width width, const protocol::Readings& written,
                 const protocol::Readings& served, Pace pace) {
  return Rehearsal(vector, {width, written, served, pace}).run().has_value();
}

}  // namespace hallmark::vectors::generator
