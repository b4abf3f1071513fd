#include "conformance/record/recording_network.hpp"

#include "conformance/record/outcomes.hpp"

namespace hallmark::conformance {
namespace {

using base::Bytes;
using base::ByteView;
using Kind = Crossing::Kind;
using Outcome = Crossing::Outcome;

/// The connection that another one opened, under its number in the record.
template <class World, class Connection>
class Recorded {
 public:
  Recorded(World& world, Recorder& recorder, std::unique_ptr<Connection> inner)
      : world_(world),
        recorder_(recorder),
        number_(recorder.next_link()),
        inner_(std::move(inner)) {
    note(Kind::open);
  }
  Recorded(const Recorded&) = delete;
  Recorded& operator=(const Recorded&) = delete;

  ~Recorded() {
    inner_.reset();
    note(Kind::close);
  }

  Connection& inner() { return *inner_; }

  void note(Kind kind, Outcome outcome = Outcome::done, ByteView bytes = {},
            std::uint64_t number = 0) {
    Crossing crossing;
    crossing.kind = kind;
    crossing.outcome = outcome;
    crossing.link = number_;
    crossing.number = number;
    crossing.bytes = Packed(bytes);
    recorder_.add(std::move(crossing), world_.now());
  }

 private:
  World& world_;
  Recorder& recorder_;
  std::uint32_t number_;
  std::unique_ptr<Connection> inner_;
};

class RecordedLink : public Link {
 public:
  RecordedLink(Network& network, Recorder& recorder, std::unique_ptr<Link> link)
      : record_(network, recorder, std::move(link)) {}

  Dispatch send(ByteView bytes, Time until) override {
    const Dispatch dispatch = record_.inner().send(bytes, until);
    record_.note(Kind::send, outcome_of(dispatch), bytes);
    return dispatch;
  }

  std::size_t offer(ByteView bytes) override {
    const std::size_t taken = record_.inner().offer(bytes);
    record_.note(Kind::offer, Outcome::done, bytes, taken);
    return taken;
  }

  Arrival receive(Bytes& into, Time until) override {
    const std::size_t before = into.size();
    const Arrival arrival = record_.inner().receive(into, until);
    record_.note(Kind::receive, outcome_of(arrival), ByteView(into).subspan(before));
    return arrival;
  }

  void finish_sending() override {
    record_.inner().finish_sending();
    record_.note(Kind::finish);
  }

  void reset() override {
    record_.inner().reset();
    record_.note(Kind::reset);
  }

 private:
  Recorded<Network, Link> record_;
};

class RecordedDatagramLink : public DatagramLink {
 public:
  RecordedDatagramLink(DatagramNetwork& network, Recorder& recorder,
                       std::unique_ptr<DatagramLink> link)
      : record_(network, recorder, std::move(link)) {}

  Dispatch send(ByteView datagram) override {
    const Dispatch dispatch = record_.inner().send(datagram);
    record_.note(Kind::send, outcome_of(dispatch), datagram);
    return dispatch;
  }

  DatagramArrival receive(Bytes& into, Time until) override {
    const DatagramArrival arrival = record_.inner().receive(into, until);
    const bool came = arrival == DatagramArrival::datagram;
    record_.note(Kind::receive, outcome_of(arrival), came ? ByteView(into) : ByteView());
    return arrival;
  }

 private:
  Recorded<DatagramNetwork, DatagramLink> record_;
};

class RecordedAdapterLink : public AdapterLink {
 public:
  RecordedAdapterLink(AdapterHost& host, Recorder& recorder, std::unique_ptr<AdapterLink> link)
      : record_(host, recorder, std::move(link)) {}

  Dispatch send(std::string_view bytes, Time until) override {
    const Dispatch dispatch = record_.inner().send(bytes, until);
    record_.note(Kind::send, outcome_of(dispatch), base::as_bytes(bytes));
    return dispatch;
  }

  Arrival receive(std::string& into, Time until) override {
    const std::size_t before = into.size();
    const Arrival arrival = record_.inner().receive(into, until);
    record_.note(Kind::receive, outcome_of(arrival),
                 base::as_bytes(std::string_view(into).substr(before)));
    return arrival;
  }

  void finish_sending() override {
    record_.inner().finish_sending();
    record_.note(Kind::finish);
  }

  std::string how_it_ended(Time until) override {
    std::string how = record_.inner().how_it_ended(until);
    record_.note(Kind::ended, Outcome::done, base::as_bytes(how));
    return how;
  }

  std::string last_words() const override {
    std::string words = record_.inner().last_words();
    record_.note(Kind::words, Outcome::done, base::as_bytes(words));
    return words;
  }

 private:
  mutable Recorded<AdapterHost, AdapterLink> record_;
};

void note_failure(Recorder& recorder, const std::string& why, Time at) {
  Crossing crossing;
  crossing.kind = Kind::open;
  crossing.outcome = Outcome::refused;
  crossing.link = recorder.next_link();
  crossing.bytes = Packed(base::as_bytes(why));
  recorder.add(std::move(crossing), at);
}

void note_wait(Recorder& recorder, Time at) {
  Crossing crossing;
  crossing.kind = Kind::wait;
  recorder.add(std::move(crossing), at);
}

/// Wraps the opened connection in one that records it.
template <class RecordedConnection, class Interface, class World, class Opened>
Opened recorded(World& world, Recorder& recorder, Opened opened) {
  if (!opened) {
    note_failure(recorder, opened.error(), world.now());
    return opened;
  }
  return std::unique_ptr<Interface>(
      std::make_unique<RecordedConnection>(world, recorder, std::move(*opened)));
}

}  // namespace

LinkResult RecordingNetwork::connect(Time until) {
  return recorded<RecordedLink, Link>(world_, recorder_, world_.connect(until));
}

void RecordingNetwork::wait_until(Time until) {
  world_.wait_until(until);
  note_wait(recorder_, world_.now());
}

DatagramLinkResult RecordingDatagrams::open() {
  return recorded<RecordedDatagramLink, DatagramLink>(world_, recorder_, world_.open());
}

void RecordingDatagrams::wait_until(Time until) {
  world_.wait_until(until);
  note_wait(recorder_, world_.now());
}

AdapterStart RecordingHost::start() {
  return recorded<RecordedAdapterLink, AdapterLink>(world_, recorder_, world_.start());
}

}  // namespace hallmark::conformance
