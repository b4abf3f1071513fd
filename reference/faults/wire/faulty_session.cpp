#include <algorithm>

#include "protocol/codec/encode.hpp"
#include "reference/faults/wire/wire_fault.hpp"

namespace hallmark::faults {
namespace {

using base::ByteView;
using protocol::ByteBuffer;
using protocol::Layout;
using protocol::Operation;
using server::Session;
using server::SessionContext;
using server::SessionState;

/// An opcode that no dialect has.
constexpr std::uint8_t no_opcode = 0xff;

/// The fault, not the server, decides whether a code is listed.
constexpr protocol::DecodeOptions lenient{.refuse_unlisted = false};

class FaultySession final : public Session {
 public:
  FaultySession(std::unique_ptr<Session> inner, protocol::Width width,
                const SessionContext& context, const WireFault& fault)
      : inner_(std::move(inner)),
        width_(width),
        readings_(context.readings),
        max_output_bytes_(context.max_output_bytes),
        fault_(fault) {}

  SessionState process(ByteBuffer& in, ByteBuffer& out,
                       std::vector<Delivery>& deliveries) override {
    if (fault_.framing == WireFraming::buffer_of_1024) cut(in, 1024);
    arrived_ = in.size();
    if (fault_.framing == WireFraming::c_strings) drop_behind_zero(in);
    std::vector<Bytes> batch;
    first_ = true;
    last_reply_.clear();
    const SessionState state = requests(in, out, deliveries, batch);
    kept_ = in.size();
    for (auto reply = batch.rbegin(); reply != batch.rend(); ++reply) out.append(*reply);
    return state;
  }

 private:
  SessionState requests(ByteBuffer& in, ByteBuffer& out, std::vector<Delivery>& deliveries,
                        std::vector<Bytes>& batch) {
    while (!in.empty()) {
      if (out.size() > max_output_bytes_) return SessionState::throttled;
      shift_code(in);
      const Operation* const operation = protocol::operation_of(readings_.dialect(), in.view());
      if (operation != nullptr && fault_.unknown && concerns(*operation))
        replace_code(in, no_opcode);
      if (operation == nullptr || in.data()[0] == no_opcode)
        return inner_->process(in, out, deliveries);
      Decoder decoder(Layout::request(*operation, width_, readings_), lenient);
      if (decoder.resume(in.view()) != Decoder::State::complete) return partial(in);
      if (waits(*operation, decoder, in)) return SessionState::reading;
      Bytes reply;
      const SessionState state = one(*operation, decoder, in, reply, deliveries);
      if (fault_.framing == WireFraming::batch_reversed)
        batch.push_back(reply);
      else if (!concerns(*operation) || !is_left_out(reply))
        out.append(reply);
      first_ = false;
      last_reply_ = std::move(reply);
      if (state != SessionState::reading) return state;
      if (fault_.framing == WireFraming::one_request_a_read) in.clear();
    }
    return SessionState::reading;
  }

  /// True if a whole request is taken for one of which something is missing.
  bool waits(const Operation& operation, const Decoder& decoder, const ByteBuffer& in) const {
    return fault_.framing == WireFraming::empty_name_waits && concerns(operation) && kept_ != 0 &&
           in.size() == decoder.size() && in.view().back() == 0;
  }

  /// True if the answer is not given because of what stands before it in the batch.
  bool is_left_out(const Bytes& reply) const {
    switch (fault_.framing) {
      case WireFraming::failures_merged:
        return reply == protocol::status_replies({false}) && reply == last_reply_;
      case WireFraming::first_only: return !first_;
      default: return false;
    }
  }

  /// Drops what arrived behind `kept_` bytes of a request, if it starts with zero.
  void drop_behind_zero(ByteBuffer& in) const {
    if (kept_ != 0 && in.size() > kept_ && in.data()[kept_] == 0) cut(in, kept_);
  }

  static void cut(ByteBuffer& in, std::size_t most) {
    if (in.size() <= most) return;
    ByteBuffer kept;
    kept.append(in.view().first(most));
    in.swap(kept);
  }

  SessionState partial(ByteBuffer& in) const {
    constexpr std::size_t begin = 8;
    constexpr std::size_t long_read = 8192;
    if (fault_.framing == WireFraming::partial_dropped) in.clear();
    if (fault_.framing == WireFraming::begin_dropped && arrived_ >= long_read && in.size() <= begin)
      in.clear();
    return SessionState::reading;
  }

  /// Does so once for each request, however often its first byte is looked at.
  void shift_code(ByteBuffer& in) {
    if (fault_.framing != WireFraming::codes_shifted || code_shifted_) return;
    replace_code(in, static_cast<std::uint8_t>(in.data()[0] - 1));
    code_shifted_ = true;
  }

  static void replace_code(ByteBuffer& in, std::uint8_t code) {
    Bytes bytes(in.view().begin(), in.view().end());
    bytes[0] = code;
    in.clear();
    in.append(bytes);
  }

  SessionState one(const Operation& operation, const Decoder& decoder, ByteBuffer& in, Bytes& reply,
                   std::vector<Delivery>& deliveries) {
    ++number_;
    code_shifted_ = false;
    ByteBuffer asked;
    asked.append(spoilt_request(operation, decoder, in.view().first(decoder.size())));
    in.consume(decoder.size());
    ByteBuffer answered;
    const std::size_t earlier = deliveries.size();
    const SessionState state = inner_->process(asked, answered, deliveries);
    if (fault_.deliveries) fault_.deliveries(deliveries, earlier);
    reply.assign(answered.view().begin(), answered.view().end());
    if (concerns(operation)) spoil(reply, Layout::reply(operation, width_, readings_));
    return state;
  }

  bool concerns(const Operation& operation) const {
    return fault_.operations.empty() ||
           std::ranges::find(fault_.operations, operation.name) != fault_.operations.end();
  }

  Bytes spoilt_request(const Operation& operation, const Decoder& decoder, ByteView request) {
    Bytes bytes(request.begin(), request.end());
    if (!fault_.request || !concerns(operation)) return bytes;
    Record values = protocol::MessageView(decoder, request).record();
    fault_.request(values, {decoder.layout(), number_, memory_});
    auto spoilt = protocol::encode(decoder.layout(), values);
    return spoilt ? std::move(*spoilt) : bytes;
  }

  void spoil(Bytes& bytes, const Layout& layout) {
    if (bytes.empty()) return;
    const WireContext context{layout, number_, memory_};
    if (fault_.reply) {
      if (auto values = protocol::decode(layout, bytes, lenient)) {
        fault_.reply(*values, context);
        if (auto spoilt = protocol::encode(layout, *values)) bytes = std::move(*spoilt);
      }
    }
    if (!fault_.bytes) return;
    Decoder decoder(layout, lenient);
    if (decoder.resume(bytes) == Decoder::State::complete) fault_.bytes(bytes, decoder, context);
  }

  std::unique_ptr<Session> inner_;
  protocol::Width width_;
  const protocol::Readings& readings_;
  std::size_t max_output_bytes_;
  const WireFault& fault_;
  WireMemory memory_;
  std::uint64_t number_ = 0;
  bool code_shifted_ = false;
  std::size_t arrived_ = 0;  ///< bytes at once, with those of the request before
  std::size_t kept_ = 0;     ///< bytes of a request that had not arrived as a whole
  bool first_ = true;        ///< it is the first in its batch
  Bytes last_reply_;         ///< the last reply in this batch
};

}  // namespace

std::unique_ptr<Session> faulty(std::unique_ptr<Session> inner, protocol::Width width,
                                const SessionContext& context, const WireFault& fault) {
  return std::make_unique<FaultySession>(std::move(inner), width, context, fault);
}

}  // namespace hallmark::faults
