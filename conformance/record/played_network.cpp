#include "conformance/record/played_network.hpp"

#include "conformance/record/outcomes.hpp"

namespace hallmark::conformance {
namespace {

using base::Bytes;
using base::ByteView;
using Kind = Crossing::Kind;

std::string text_of(const Packed& packed) { return std::string(base::as_text(packed.unpacked())); }

/// A connection under its number in the record.
class PlayedConnection {
 public:
  PlayedConnection(Playback& playback, std::uint32_t number)
      : playback_(playback), number_(number) {}
  PlayedConnection(const PlayedConnection&) = delete;
  PlayedConnection& operator=(const PlayedConnection&) = delete;
  ~PlayedConnection() { playback_.cross(Kind::close, number_); }

  const Crossing* cross(Kind kind, ByteView handed = {}) {
    return playback_.cross(kind, number_, handed);
  }

  Dispatch send(ByteView bytes) {
    const Crossing* const crossing = cross(Kind::send, bytes);
    const auto dispatch = crossing == nullptr ? std::nullopt : dispatch_of(crossing->outcome);
    if (crossing != nullptr && !dispatch) playback_.diverge(impossible(*crossing));
    return dispatch.value_or(Dispatch::refused);
  }

  /// The crossing; null where nothing comes any more: then all of the wait has passed.
  template <class Read>
  auto receive(Time until, const Read& read, const Crossing*& crossing) {
    crossing = cross(Kind::receive);
    auto arrival = crossing == nullptr ? std::nullopt : read(crossing->outcome);
    if (crossing != nullptr && !arrival) playback_.diverge(impossible(*crossing));
    if (!arrival) {
      crossing = nullptr;
      playback_.pass(until);
    }
    return arrival;
  }

  std::string text(Kind kind) {
    const Crossing* const crossing = cross(kind);
    return crossing == nullptr ? std::string() : text_of(crossing->bytes);
  }

 private:
  static std::string impossible(const Crossing& crossing) {
    return "records what cannot be: " + std::string(name_of(crossing.kind)) + " that ends as " +
           std::string(name_of(crossing.outcome));
  }

  Playback& playback_;
  std::uint32_t number_;
};

class PlayedLink : public Link {
 public:
  PlayedLink(Playback& playback, std::uint32_t number) : connection_(playback, number) {}

  Dispatch send(ByteView bytes, Time /*until*/) override { return connection_.send(bytes); }

  std::size_t offer(ByteView bytes) override {
    const Crossing* const crossing = connection_.cross(Kind::offer, bytes);
    return crossing == nullptr ? 0 : std::min<std::size_t>(crossing->number, bytes.size());
  }

  Arrival receive(Bytes& into, Time until) override {
    const Crossing* crossing = nullptr;
    const auto arrival = connection_.receive(until, arrival_of, crossing);
    if (crossing != nullptr) {
      const Bytes bytes = crossing->bytes.unpacked();
      into.insert(into.end(), bytes.begin(), bytes.end());
    }
    return arrival.value_or(Arrival::timed_out);
  }

  void finish_sending() override { connection_.cross(Kind::finish); }
  void reset() override { connection_.cross(Kind::reset); }

 private:
  PlayedConnection connection_;
};

class PlayedDatagramLink : public DatagramLink {
 public:
  PlayedDatagramLink(Playback& playback, std::uint32_t number) : connection_(playback, number) {}

  Dispatch send(ByteView datagram) override { return connection_.send(datagram); }

  DatagramArrival receive(Bytes& into, Time until) override {
    const Crossing* crossing = nullptr;
    const auto arrival = connection_.receive(until, datagram_arrival_of, crossing);
    if (arrival == DatagramArrival::datagram) into = crossing->bytes.unpacked();
    return arrival.value_or(DatagramArrival::timed_out);
  }

 private:
  PlayedConnection connection_;
};

class PlayedAdapterLink : public AdapterLink {
 public:
  PlayedAdapterLink(Playback& playback, std::uint32_t number) : connection_(playback, number) {}

  Dispatch send(std::string_view bytes, Time /*until*/) override {
    return connection_.send(base::as_bytes(bytes));
  }

  Arrival receive(std::string& into, Time until) override {
    const Crossing* crossing = nullptr;
    const auto arrival = connection_.receive(until, arrival_of, crossing);
    if (crossing != nullptr) into += text_of(crossing->bytes);
    return arrival.value_or(Arrival::timed_out);
  }

  void finish_sending() override { connection_.cross(Kind::finish); }
  std::string how_it_ended(Time /*until*/) override { return connection_.text(Kind::ended); }
  std::string last_words() const override { return connection_.text(Kind::words); }

 private:
  mutable PlayedConnection connection_;
};

template <class PlayedConnectionOf, class Interface, class Opened>
Opened played(Playback& playback, Time until) {
  const std::uint32_t number = playback.next_link();
  const Crossing* const crossing = playback.cross(Kind::open, number);
  if (crossing == nullptr) {
    playback.pass(until);
    return std::string("the record does not go on");
  }
  if (crossing->outcome != Crossing::Outcome::done) return text_of(crossing->bytes);
  return std::unique_ptr<Interface>(std::make_unique<PlayedConnectionOf>(playback, number));
}

}  // namespace

LinkResult PlayedNetwork::connect(Time until) {
  return played<PlayedLink, Link, LinkResult>(playback_, until);
}

void PlayedNetwork::wait_until(Time until) {
  if (playback_.cross(Kind::wait, 0) == nullptr) playback_.pass(until);
}

DatagramLinkResult PlayedDatagrams::open() {
  return played<PlayedDatagramLink, DatagramLink, DatagramLinkResult>(playback_, 0);
}

void PlayedDatagrams::wait_until(Time until) {
  if (playback_.cross(Kind::wait, 0) == nullptr) playback_.pass(until);
}

AdapterStart PlayedHost::start() {
  return played<PlayedAdapterLink, AdapterLink, AdapterStart>(playback_, 0);
}

}  // namespace hallmark::conformance
