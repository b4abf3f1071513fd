#include "protocol/codec/encode.hpp"
#include "protocol/little_endian.hpp"
#include "reference/faults/faults.hpp"
#include "reference/faults/races/race_fault.hpp"

namespace hallmark::faults {
namespace {

using protocol::ByteBuffer;
using protocol::Decoder;
using protocol::Layout;
using protocol::Operation;
using server::Session;
using server::SessionContext;
using server::SessionState;

std::string names_of(const Record& values) {
  std::string name;
  for (const protocol::FieldName field :
       std::initializer_list<protocol::FieldName>{"key", "consumer_id", "resource_id", "channel"}) {
    if (const auto* const value = values.find(field))
      name += std::string(base::as_text(std::get<Bytes>(*value))) + '/';
  }
  return name;
}

class RacingSession final : public Session {
 public:
  RacingSession(std::unique_ptr<Session> inner, protocol::Width width,
                const SessionContext& context, const model::Connection& connection, RaceFault fault,
                std::shared_ptr<RaceMemory> memory)
      : inner_(std::move(inner)),
        width_(width),
        context_(context),
        connection_(connection),
        fault_(fault),
        memory_(std::move(memory)) {}

  SessionState process(ByteBuffer& in, ByteBuffer& out,
                       std::vector<Delivery>& deliveries) override {
    while (!in.empty()) {
      if (out.size() > context_.max_output_bytes) return SessionState::throttled;
      auto request = take(in);
      if (!request && !is_operation(in)) return inner_->process(in, out, deliveries);
      if (!request) break;
      out.append(answer(*request->first, request->second, in, deliveries));
    }
    return SessionState::reading;
  }

 private:
  using Taken = std::pair<const Operation*, Record>;

  const Operation* next_operation(const ByteBuffer& in) const {
    return protocol::operation_of(context_.readings.dialect(), in.view());
  }
  bool is_operation(const ByteBuffer& in) const { return next_operation(in) != nullptr; }

  /// The request at the front; nothing while it is not whole, or is none.
  std::optional<Taken> look_at(const ByteBuffer& in, std::size_t& size) const {
    const Operation* const operation = next_operation(in);
    if (operation == nullptr) return std::nullopt;
    Decoder decoder(Layout::request(*operation, width_, context_.readings),
                    {.refuse_unlisted = false});
    if (decoder.resume(in.view()) != Decoder::State::complete) return std::nullopt;
    size = decoder.size();
    return Taken{operation,
                 protocol::MessageView(decoder, in.view().first(decoder.size())).record()};
  }

  std::optional<Taken> take(ByteBuffer& in) const {
    std::size_t size = 0;
    auto taken = look_at(in, size);
    in.consume(size);
    return taken;
  }

  std::optional<Record> take_next(ByteBuffer& in, protocol::MessageName operation,
                                  const std::string& name) const {
    std::size_t size = 0;
    auto next = look_at(in, size);
    if (!next || next->first->name != operation || names_of(next->second) != name)
      return std::nullopt;
    in.consume(size);
    return std::move(next->second);
  }

  Bytes ask(protocol::MessageName name, const Record& values, std::vector<Delivery>& deliveries) {
    const Operation& operation = *protocol::find_operation(context_.readings.dialect(), name);
    const auto bytes =
        protocol::encode(Layout::request(operation, width_, context_.readings), values);
    if (!bytes) return {};
    ByteBuffer in;
    ByteBuffer out;
    in.append(*bytes);
    inner_->process(in, out, deliveries);
    return {out.view().begin(), out.view().end()};
  }

  Bytes answer(const Operation& operation, const Record& values, ByteBuffer& in,
               std::vector<Delivery>& deliveries) {
    const Layout layout = Layout::reply(operation, width_, context_.readings);
    RacingRequest request{
        .dialect = context_.readings.dialect(),
        .operation = operation,
        .values = values,
        .name = names_of(values),
        .connection = connection_.number,
        .owner = connection_.owner,
        .now = context_.model.moment().now,
        .maximum = protocol::max_of_width(protocol::bytes_of(width_)),
        .memory = *memory_,
        .deliveries = deliveries,
        .ask = [&](protocol::MessageName name,
                   const Record& asked) { return ask(name, asked, deliveries); },
        .read =
            [&](const Bytes& reply) {
              auto decoded = protocol::decode(layout, reply, {.refuse_unlisted = false});
              return decoded ? std::move(*decoded) : Record{};
            },
        .write =
            [&](const Record& reply) {
              auto encoded = protocol::encode(layout, reply);
              return encoded ? std::move(*encoded) : Bytes{};
            },
        .take_next =
            [&](protocol::MessageName name) { return take_next(in, name, names_of(values)); }};
    return fault_(request);
  }

  std::unique_ptr<Session> inner_;
  protocol::Width width_;
  SessionContext context_;
  const model::Connection& connection_;
  RaceFault fault_;
  std::shared_ptr<RaceMemory> memory_;
};

}  // namespace

std::unique_ptr<Session> racing(std::unique_ptr<Session> inner, protocol::Width width,
                                const SessionContext& context, const model::Connection& connection,
                                RaceFault fault, std::shared_ptr<RaceMemory> memory) {
  return std::make_unique<RacingSession>(std::move(inner), width, context, connection, fault,
                                         std::move(memory));
}

Code race(RaceFault fault) {
  return [fault](Faults& faults) { faults.races.push_back(fault); };
}

}  // namespace hallmark::faults
