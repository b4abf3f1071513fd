#include "conformance/suites/throttr/readings/probe.hpp"

namespace hallmark::conformance {
namespace {

protocol::AnswerName status(const Message& reply) {
  return reply.succeeded() ? protocol::AnswerName("accepted") : "refused";
}

Told subscribe_twice(Inquiry& inquiry) {
  const std::string name = inquiry.channel("twice");
  return {status(inquiry.ask({subscribe(name), subscribe(name), unsubscribe(name)})[1]), {}};
}

Told unsubscribe_absent(Inquiry& inquiry) {
  const std::string name = inquiry.channel("absent");
  return {status(inquiry.ask({unsubscribe(name)}).front()), {}};
}

bool answers_publish(const WireFormat& format) {
  return format.reply(format.operation("PUBLISH")).sent();
}

Told publish_nobody(Inquiry& inquiry) {
  if (!answers_publish(inquiry.format())) return untold("PUBLISH has no reply");
  return {status(inquiry.ask({publish(inquiry.channel("nobody"), "payload")}).front()), {}};
}

/// A publication may be delivered later than its reply; after two more round trips it has come.
Told publish_self(Inquiry& inquiry) {
  const std::string name = inquiry.channel("self");
  const std::string key = inquiry.key("fence");
  Conversation& connection = inquiry.connection();
  inquiry.ask(subscribe(name));
  connection.send(publish(name, "payload"));
  if (answers_publish(inquiry.format())) connection.reply();
  for (int i = 0; i < 2; ++i) inquiry.ask(query(key));
  const bool came = connection.has_delivery();
  if (came) connection.delivery(name, "payload");
  inquiry.ask(unsubscribe(name));
  return {came ? protocol::AnswerName("yes") : "no", {}};
}

}  // namespace

std::vector<ReadingProbe> channel_probes() {
  return {{"subscribe-twice", "SUBSCRIBE", Cost::quick, Danger::open, subscribe_twice},
          {"unsubscribe-absent", "UNSUBSCRIBE", Cost::quick, Danger::open, unsubscribe_absent},
          {"publish-nobody", "PUBLISH", Cost::quick, Danger::open, publish_nobody},
          {"publish-self", "PUBLISH", Cost::quick, Danger::open, publish_self}};
}

}  // namespace hallmark::conformance
