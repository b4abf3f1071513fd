#include "conformance/judgement/unsupported.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <span>

#include "conformance/drivers/stream/requests.hpp"
#include "conformance/engine/stage.hpp"
#include "conformance/supervisor/supervisor.hpp"

namespace hallmark::conformance {
namespace {

using protocol::Operation;
using reports::CaseResult;
using reports::CertifyResult;
using reports::Verdict;

constexpr std::uint8_t undefined_opcode = 0xff;

class Unsupported {
 public:
  Unsupported(RunContext& context, CertifyResult& result) : context_(context), result_(result) {}

  void mark() {
    // A target that does not even insert and query says nothing about its other operations.
    if (!context_.fences) return;
    for (CaseResult& one : result_.cases) {
      if (one.verdict != Verdict::fail || kills(one)) continue;
      if (const Operation* const lacking = lacking_for(one)) mark(one, lacking->name);
    }
    for (const Operation& operation : operations()) {
      if (absent_.contains(&operation) && absent_[&operation])
        result_.missing_operations.emplace_back(operation.name);
    }
  }

 private:
  std::span<const Operation> operations() const { return context_.format.dialect().operations; }

  static void mark(CaseResult& one, std::string_view lacking) {
    one.verdict = Verdict::unsupported;
    one.code.reset();
    one.reason = fmt::format(
        "{}the target never answered {} and ends the connection, as it does for an undefined "
        "opcode",
        lacking == one.operation ? "" : fmt::format("needs {}: ", lacking), lacking);
    one.evidence.clear();
    one.reproduction.clear();
  }

  bool kills(const CaseResult& one) const {
    return std::ranges::find(result_.deaths, one.id, &reports::Death::killer) !=
           result_.deaths.end();
  }

  /// The operation for want of which the case failed: its own, or one that it asked for; null:
  /// there is none.
  const Operation* lacking_for(const CaseResult& one) {
    const Operation* const own =
        protocol::find_operation_called(context_.format.dialect(), one.operation);
    if (own != nullptr && is_absent(*own)) return own;
    for (const Operation& operation : operations()) {
      if (asks_for(one, operation) && is_absent(operation)) return &operation;
    }
    return nullptr;
  }

  bool asks_for(const CaseResult& one, const Operation& operation) const {
    const auto sent = [&](const reports::Exchange& exchange) {
      return exchange.direction == reports::Direction::sent &&
             protocol::operation_of(context_.format.dialect(), exchange.bytes) == &operation;
    };
    // Bytes that are not a request have no fields; the last ones that were sent may be one with
    // something wrong in it.
    const auto requested = [&](const reports::Exchange& exchange) {
      return sent(exchange) && !exchange.fields.empty();
    };
    if (std::ranges::any_of(one.evidence, requested)) return true;
    const auto last = std::find_if(one.evidence.rbegin(), one.evidence.rend(),
                                   [](const reports::Exchange& exchange) {
                                     return exchange.direction == reports::Direction::sent;
                                   });
    return last != one.evidence.rend() && sent(*last) && is_whole(operation, last->bytes);
  }

  /// True if the bytes begin with a whole request, whatever its codes say.
  bool is_whole(const Operation& operation, base::ByteView bytes) const {
    protocol::Decoder decoder(context_.format.request(operation), {.refuse_unlisted = false});
    return decoder.resume(bytes) == protocol::Decoder::State::complete;
  }

  bool is_absent(const Operation& operation) {
    if (context_.answered[operation.opcode]) return false;
    const auto known = absent_.find(&operation);
    if (known != absent_.end()) return known->second;
    const auto probe = probe_of(operation);
    return absent_[&operation] = probe && closes_on(*probe) && closes_on(zeros(undefined_opcode));
  }

  /// A request that an operation of that opcode answers, whatever comes first in it: behind the
  /// opcode come zeros, enough for a whole request.
  static base::Bytes zeros(std::uint8_t opcode) {
    base::Bytes request(64, 0);
    request.front() = opcode;
    return request;
  }

  /// Bytes that are answered where the target has the operation; nothing: there are none.
  std::optional<base::Bytes> probe_of(const Operation& operation) const {
    if (operation.reply.when.reading.empty()) return zeros(operation.opcode);
    // A request that may go unanswered tells nothing by its silence, and the one behind it does.
    if (operation.name != "PUBLISH") return std::nullopt;
    const std::string name = "hallmark:absent:" + context_.nonce;
    base::Bytes probe = encoded(context_.format, publish(name, "probe")).bytes;
    const base::Bytes behind = encoded(context_.format, query(name)).bytes;
    probe.insert(probe.end(), behind.begin(), behind.end());
    return probe;
  }

  /// True if those bytes end the connection without a byte before we end it.
  bool closes_on(const base::Bytes& request) {
    try {
      Housekeeper housekeeper(context_);
      Stage stage(context_, housekeeper, "probe");
      stage.connection().send_raw(request);
      const auto farewell = stage.connection().finish();
      // A target that dies of the request does not refuse it.
      Supervisor* const supervisor = context_.network.supervisor();
      if (supervisor != nullptr && supervisor->has_died()) return false;
      return farewell.bytes.empty() &&
             (farewell.end == Arrival::closed || farewell.end == Arrival::reset);
    } catch (const CaseEnded&) {
      return false;
    }
  }

  RunContext& context_;
  CertifyResult& result_;
  std::map<const Operation*, bool> absent_;
};

}  // namespace

void mark_unsupported(RunContext& context, CertifyResult& result) {
  Unsupported(context, result).mark();
}

}  // namespace hallmark::conformance
