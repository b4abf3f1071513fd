#include <fmt/format.h>

#include <algorithm>

#include "clients/perturb/layouts.hpp"
#include "clients/perturb/pauses.hpp"
#include "clients/perturb/perturbation.hpp"
#include "clients/serve/stream_service.hpp"
#include "protocol/little_endian.hpp"

/// Deliveries at other times, and those of what other clients publish.
namespace hallmark::clients {
namespace {

using protocol::kinds::Status;

/// A delivery waits for what comes next on its connection, and leaves in one segment with it.
class BeforeReplies final : public Disturbance {
 public:
  Treatment treat(const Message& message) override {
    constexpr std::chrono::milliseconds longest{25};
    if (message.push == nullptr) return untouched(message.bytes);
    return {{hold(message.bytes, pauses_.take(longest))},
            Reach::joined,
            "it came right before the next reply, in one segment"};
  }

 private:
  Pauses pauses_;
};

/// Another client publishes to each channel that the client has subscribed to, after each reply.
class OtherPublisher final : public Disturbance {
 public:
  OtherPublisher(const Format& format, base::Bytes payload)
      : format_(format), payload_(std::move(payload)) {}

  std::vector<Message> others_act(const Message& message, StreamService& service) override {
    note_subscription(message);
    const auto* const publish = protocol::find_operation(format_.dialect(), "PUBLISH");
    std::vector<Message> all;
    if (publish == nullptr || channels_.empty() || published_ >= most_published) return all;
    ++published_;
    for (const base::Bytes& channel : channels_) {
      for (Message& one :
           service.ask_as_another(*publish, {{"channel", channel}, {"payload", payload_}}))
        all.push_back(std::move(one));
    }
    foreign_left_ = all.size();
    return all;
  }

  Treatment treat(const Message& message) override {
    Treatment treatment = untouched(message.bytes);
    if (message.push == nullptr || foreign_left_ == 0) return treatment;
    --foreign_left_;
    treatment.reach = Reach::performed;
    treatment.what =
        fmt::format("another client has published {} bytes to its channel", payload_.size());
    return treatment;
  }

 private:
  static constexpr std::size_t most_published = 50;
  static constexpr std::size_t most_channels = 8;

  void note_subscription(const Message& message) {
    if (message.operation == nullptr || message.operation->name != "SUBSCRIBE") return;
    const auto fields = fields_of(message, format_);
    if (fields.empty() || fields.front().number != Status::success) return;
    const auto request = protocol::decode(
        protocol::Layout::request(*message.operation, format_.width, format_.readings),
        message.request);
    if (!request || channels_.size() >= most_channels) return;
    const protocol::Value* const channel = request->find("channel");
    if (channel == nullptr) return;
    const auto& bytes = std::get<base::Bytes>(*channel);
    if (std::ranges::find(channels_, bytes) == channels_.end()) channels_.push_back(bytes);
  }

  const Format& format_;
  base::Bytes payload_;
  std::vector<base::Bytes> channels_;
  std::size_t published_ = 0;
  std::size_t foreign_left_ = 0;
};

Perturbation published(const std::string& name, std::string title,
                       std::function<base::Bytes(const Format&)> payload) {
  Perturbation made{"delivery/" + name, "delivery",         "", std::move(title), true,
                    Demand::ends,       "client.deliveries"};
  made.make = [payload = std::move(payload)](const Format& format, std::uint64_t) {
    return std::make_unique<OtherPublisher>(format, payload(format));
  };
  return made;
}

base::Bytes largest_payload(const Format& format) {
  constexpr std::uint64_t enough = 60'000;
  const std::uint64_t most = protocol::max_of_width(protocol::bytes_of(format.width));
  return base::Bytes(static_cast<std::size_t>(std::min(most, enough)), 'x');
}

}  // namespace

std::vector<Perturbation> delivery_perturbations(const Format& format) {
  if (format.dialect().pushes.empty()) return {};
  std::vector<Perturbation> all;
  all.push_back({"delivery/before-replies", "delivery", "",
                 "deliveries come right before the next reply, in one segment", true,
                 Demand::passes, "client.deliveries",
                 [](const Format&, std::uint64_t) { return std::make_unique<BeforeReplies>(); }});
  all.push_back(published("of-others", "another client publishes after each reply",
                          [](const Format&) { return base::to_bytes("of another client"); }));
  all.push_back(
      published("largest", "another client publishes the largest payload", largest_payload));
  all.push_back(published("empty", "another client publishes nothing, as an empty payload",
                          [](const Format&) { return base::Bytes{}; }));
  return all;
}

}  // namespace hallmark::clients
