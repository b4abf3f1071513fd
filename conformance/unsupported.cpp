#include "conformance/unsupported.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "conformance/stage.hpp"
#include "conformance/supervisor.hpp"

namespace hallmark::conformance {
namespace {

using reports::CertifyResult;
using reports::Verdict;

class Unsupported {
 public:
  Unsupported(RunContext& context, CertifyResult& result) : context_(context), result_(result) {}

  void mark() {
    // Who does not even insert and query says nothing about what else is there.
    if (!context_.fences) return;
    for (reports::CaseResult& one : result_.cases) {
      if (one.verdict != Verdict::fail || kills(one) || !is_absent(one.operation)) continue;
      one.verdict = Verdict::unsupported;
      one.reason = fmt::format(
          "the target never answered {} and ends the connection, as it does for an undefined "
          "opcode",
          one.operation);
      one.evidence.clear();
      one.reproduction.clear();
    }
  }

 private:
  bool kills(const reports::CaseResult& one) const {
    return std::ranges::find(result_.deaths, one.id, &reports::Death::killer) !=
           result_.deaths.end();
  }

  bool is_absent(const std::string& name) {
    const protocol::Operation* const operation =
        protocol::find_operation(context_.format.dialect(), name);
    if (operation == nullptr || context_.answered[operation->opcode]) return false;
    // What goes unanswered under some reading tells nothing by its silence.
    if (!operation->reply.when.reading.empty()) return false;
    const auto known = absent_.find(name);
    if (known != absent_.end()) return known->second;
    return absent_[name] = closes_on(operation->opcode) && closes_on(undefined_opcode());
  }

  std::uint8_t undefined_opcode() const { return 0xff; }

  /// Whether a request that starts so ends the connection without a byte before we end it. The rest
  /// of the message is zeros: a target that knows the operation has a whole request to answer.
  bool closes_on(std::uint8_t opcode) {
    try {
      Housekeeper housekeeper(context_);
      Stage stage(context_, housekeeper, "probe");
      protocol::Bytes request(64, 0);
      request.front() = opcode;
      stage.connection().send_raw(request);
      const auto farewell = stage.connection().finish();
      // To die of it is no way to refuse it.
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
  std::map<std::string, bool> absent_;
};

}  // namespace

void mark_unsupported(RunContext& context, CertifyResult& result) {
  Unsupported(context, result).mark();
}

}  // namespace hallmark::conformance
