#include "conformance/certify.hpp"

#include <fmt/format.h>

#include <iterator>

#include "conformance/process.hpp"
#include "conformance/sanity.hpp"
#include "conformance/socket_network.hpp"

namespace hallmark::conformance {
namespace {

using reports::CertifyResult;
using reports::Verdict;

std::string id_prefix(const WireFormat& format) {
  return fmt::format("{}/{}", format.dialect().name, protocol::name_of(format.width()));
}

/// A case that the target refused as it refuses what nobody defines, of an operation that it never
/// answered in the whole run, tells of an operation that is not there.
class Unsupported {
 public:
  Unsupported(RunContext& context, CertifyResult& result) : context_(context), result_(result) {}

  void mark() {
    // Who does not even insert and query says nothing about what else is there.
    if (!context_.fences) return;
    for (reports::CaseResult& one : result_.cases) {
      if (one.verdict != Verdict::fail || !is_absent(one.operation)) continue;
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
  bool is_absent(const std::string& name) {
    const protocol::Operation* const operation =
        protocol::find_operation(context_.format.dialect(), name);
    if (operation == nullptr || context_.answered[operation->opcode]) return false;
    if (!context_.format.reply(*operation).sent()) return false;
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

void fill_header(CertifyResult& result, const WireFormat& format, const CertifyOptions& options) {
  reports::RunHeader& header = result.header;
  header.dialect = format.dialect().name;
  header.width = protocol::name_of(format.width());
  header.profile = protocol::name_of(protocol::Profile::deployed);
  header.target = options.target_text;
  header.started = std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
  const double seconds = static_cast<double>(options.deadline) / 1e9;
  header.options = {{"seed", std::to_string(options.seed)},
                    {"jobs", std::to_string(options.schedule.jobs)},
                    {"deadline", fmt::format("{}s", seconds)}};
  if (options.schedule.slow) header.options.push_back({"slow", "yes"});
  if (options.exclusive) header.options.push_back({"exclusive", "yes"});
  result.suite = "vectors+behaviour";
}

CertifyResult failed_run(const WireFormat& format, const CertifyOptions& options,
                         std::string error) {
  CertifyResult result;
  fill_header(result, format, options);
  result.run_error = std::move(error);
  return result;
}

template <class Made>
CertifyResult over_sockets(const Made& made, const WireFormat& format, const Suite& suite,
                           const CertifyOptions& options) {
  if (!made) return failed_run(format, options, made.error());
  return certify_over(**made, format, suite, options);
}

CertifyResult over_process(const ExecTarget& target, const WireFormat& format, const Suite& suite,
                           CertifyOptions options) {
  auto process = Process::start(target.command);
  if (!process) return failed_run(format, options, process.error());
  auto network = SocketNetwork::to(TcpTarget{"127.0.0.1", (*process)->port()});
  if (!network) return failed_run(format, options, network.error());
  const auto listens =
      wait_until_it_listens(**process, **network, (*network)->now() + options.deadline);
  if (!listens) return failed_run(format, options, listens.error());
  options.exclusive = true;
  return certify_over(**network, format, suite, options, [&] { return (*process)->how_it_died(); });
}

}  // namespace

CertifyResult certify_over(Network& network, const WireFormat& format, const Suite& suite,
                           const CertifyOptions& options,
                           const std::function<std::string()>& died) {
  CertifyResult result;
  fill_header(result, format, options);
  const Time started = network.now();
  Patience patience(options.deadline);
  RunContext context{.network = network, .format = format, .patience = patience};
  context.nonce = fmt::format("{:016x}", options.seed);
  context.exclusive = options.exclusive;
  context.stop = options.schedule.stop;
  const auto link = network.connect(network.now() + options.deadline);
  if (!link) {
    result.run_error = link.error();
  } else {
    const std::string prefix = id_prefix(format);
    result.cases.push_back(sanity_before(context, prefix));
    ScheduleResult played = play_suite(context, suite, options.schedule);
    result.interrupted = played.interrupted;
    std::move(played.cases.begin(), played.cases.end(), std::back_inserter(result.cases));
    if (!result.interrupted) result.cases.push_back(sanity_after(context, prefix));
    Unsupported(context, result).mark();
  }
  if (died) {
    if (const std::string how = died(); !how.empty())
      result.run_error = "the target died during the run: " + how;
  }
  result.header.duration = std::chrono::nanoseconds(network.now() - started);
  return result;
}

CertifyResult certify(const WireFormat& format, const Suite& suite, const CertifyOptions& options) {
  if (const auto* tcp = std::get_if<TcpTarget>(&options.target)) {
    return over_sockets(SocketNetwork::to(*tcp), format, suite, options);
  }
  if (const auto* local = std::get_if<UnixTarget>(&options.target)) {
    return over_sockets(SocketNetwork::to(*local), format, suite, options);
  }
  return over_process(std::get<ExecTarget>(options.target), format, suite, options);
}

}  // namespace hallmark::conformance
