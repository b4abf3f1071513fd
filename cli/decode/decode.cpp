#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "captures/capture.hpp"
#include "captures/datagram_sequence.hpp"
#include "captures/json_report.hpp"
#include "captures/load.hpp"
#include "captures/sequence.hpp"
#include "captures/text_report.hpp"
#include "cli/commands.hpp"
#include "cli/decode/decode_datagrams.hpp"
#include "cli/decode/decode_state.hpp"
#include "cli/decode/format_options.hpp"
#include "cli/options/command_line.hpp"
#include "cli/options/complaint.hpp"
#include "cli/options/names.hpp"
#include "protocol/dialects.hpp"
#include "reports/result.hpp"

namespace hallmark::cli {
namespace {

using base::Error;
using base::Result;
using captures::InputFormat;
using captures::Loaded;
using reports::ExitCode;

/// The options as they were typed.
struct DecodeArguments {
  std::vector<std::string> input;
  FormatArguments format;
  bool dialect_given = false;
  std::string as;  ///< empty: request
  std::vector<std::string> operations;
  std::string input_format{automatic};
  std::uint16_t port = 0;
  std::string strategy;         ///< of states; empty: found out
  std::vector<std::string> of;  ///< of composites; empty: found out
  bool json = false;
  bool all = false;
};

enum class As { request, reply, push };

/// The meaning of bytes without directions.
struct ExpectedMessages {
  As as = As::request;
  std::optional<captures::Side> from = {};  ///< as said; empty: nothing was
  std::vector<const protocol::Operation*> operations = {};
  const protocol::Push* push = nullptr;
};

Result<As> as_named(const std::string& name) {
  if (name.empty() || name == "request") return As::request;
  if (name == "reply") return As::reply;
  if (name == "push") return As::push;
  return Error{fmt::format("--as {}; allowed: request, reply, push", name)};
}

Result<const protocol::Push*> push_named(const protocol::Dialect& dialect,
                                         const std::string& name) {
  if (const protocol::Push* push = protocol::find_push_called(dialect, name)) return push;
  std::vector<std::string_view> names;
  for (const protocol::Push& push : dialect.pushes) names.push_back(push.name);
  return Error{fmt::format("unknown push '{}'; allowed: {}", name,
                           names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", ")))};
}

Result<ExpectedMessages> expect_push(const DecodeArguments& arguments,
                                     const protocol::Dialect& dialect) {
  if (arguments.operations.size() > 1) return Error{"--as push; allowed: one --operation"};
  ExpectedMessages expected{As::push};
  if (arguments.operations.empty()) return expected;
  const auto push = push_named(dialect, arguments.operations.front());
  if (!push) return push.error();
  expected.push = *push;
  return expected;
}

/// Datagrams are requests or replies, and a request names its command.
Result<void> check_datagrams(const DecodeArguments& arguments, As as,
                             const protocol::Dialect& dialect) {
  if (dialect.transport != protocol::Transport::datagram) return {};
  if (as == As::push)
    return Error{fmt::format("--as push; allowed for {}: request, reply", dialect.name)};
  if (as == As::request && !arguments.operations.empty())
    return Error{"--operation is for --as reply: requests name their commands"};
  return {};
}

Result<ExpectedMessages> read_expected(const DecodeArguments& arguments,
                                       const protocol::Dialect& dialect) {
  const auto as = as_named(arguments.as);
  if (!as) return as.error();
  if (const auto said = check_datagrams(arguments, *as, dialect); !said) return said.error();
  if (*as == As::push) return expect_push(arguments, dialect);
  if (*as == As::reply && arguments.operations.empty() &&
      dialect.transport == protocol::Transport::stream) {
    return Error{"--as reply needs --operation: what was asked, once for each reply"};
  }
  ExpectedMessages expected{*as};
  if (!arguments.as.empty())
    expected.from = *as == As::reply ? captures::Side::server : captures::Side::client;
  for (const std::string& name : arguments.operations) {
    const auto operation = operation_named(dialect, name);
    if (!operation) return operation.error();
    expected.operations.push_back(*operation);
  }
  return expected;
}

/// The format of that name; empty if it is to be detected.
Result<std::optional<InputFormat>> input_format_named(const std::string& name,
                                                      const protocol::Dialect& dialect) {
  if (name == automatic) return std::optional<InputFormat>{};
  const bool of_text = dialect.transport == protocol::Transport::datagram;
  for (const InputFormat format : {InputFormat::hex, InputFormat::base64, InputFormat::binary,
                                   InputFormat::capture, InputFormat::text}) {
    if (format == InputFormat::text && !of_text) continue;
    if (captures::name_of(format) == name) return std::optional(format);
  }
  return Error{fmt::format("--format {}; allowed: auto, hex, base64, binary, pcap{}", name,
                           of_text ? ", text" : "")};
}

/// Options that mean nothing for this input are refused rather than ignored.
Result<void> check_applicable(const DecodeArguments& arguments, const Loaded& loaded) {
  const bool told_apart = loaded.capture || !loaded.dialogue.empty() ||
                          std::ranges::any_of(loaded.lines, [](const captures::TextLine& line) {
                            return line.from.has_value();
                          });
  if (told_apart && !(arguments.as.empty() && arguments.operations.empty())) {
    return Error{
        fmt::format("--as and --operation are for bytes of one side; {} has both", loaded.name)};
  }
  if (arguments.port != 0 && !loaded.capture) {
    return Error{fmt::format("--port is for captures; {} is {}", loaded.name,
                             captures::name_of(loaded.format))};
  }
  return {};
}

void write_to_stdout(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); }

captures::TextOptions text_options(bool all) {
  captures::TextOptions options{.style = reports::style_for(stdout)};
  if (all) options.most_records = options.most_remarks = std::numeric_limits<std::size_t>::max();
  return options;
}

/// A transcript on standard output, in the form that was asked for.
class Output {
 public:
  Output(const captures::Format& format, const DecodeArguments& arguments)
      : json_(arguments.json),
        text_(format, text_options(arguments.all), write_to_stdout),
        json_text_(format, write_to_stdout) {}

  void begin(const captures::Source& source) {
    json_ ? json_text_.begin(source) : text_.begin(source);
  }

  void add(const captures::Event& event) {
    tally_.add(event);
    json_ ? json_text_.add(event) : text_.add(event);
  }

  ExitCode end(const captures::CaptureSummary* capture) {
    const ExitCode code = tally_.clean() ? ExitCode::as_expected : ExitCode::failures;
    json_ ? json_text_.end(tally_, capture, static_cast<int>(code)) : text_.end(tally_, capture);
    return code;
  }

 private:
  bool json_;
  captures::TextReport text_;
  captures::JsonReport json_text_;
  captures::Tally tally_;
};

void decode_bytes(const captures::Format& format, const ExpectedMessages& expected,
                  const Loaded& loaded, const captures::Sink& sink) {
  if (format.dialect().transport == protocol::Transport::datagram)
    return decode_datagrams(format, {expected.from, expected.operations}, datagrams_in(loaded),
                            sink);
  if (!loaded.dialogue.empty()) return decode_dialogue(format, loaded.dialogue, sink);
  switch (expected.as) {
    case As::request: return decode_requests(format, expected.operations, loaded.bytes, sink);
    case As::reply: return decode_replies(format, expected.operations, loaded.bytes, sink);
    case As::push: return decode_pushes(format, expected.push, loaded.bytes, sink);
  }
}

Result<ExitCode> decode(const DecodeArguments& arguments, const captures::Format& format,
                        const ExpectedMessages& expected, Loaded loaded) {
  Output output(format, arguments);
  const auto sink = [&](const captures::Event& event) { output.add(event); };
  const captures::Source source{loaded.name, loaded.format, arguments.input_format == automatic,
                                arguments.format.profile, arguments.format.readings};
  if (!loaded.capture) {
    output.begin(source);
    decode_bytes(format, expected, loaded, sink);
    return output.end(nullptr);
  }
  auto capture = captures::Capture::open(loaded.capture->release());
  if (!capture) return Error{fmt::format("{}: {}", loaded.name, capture.error().message)};
  output.begin(source);
  const auto summary = capture->decode(format, {.port = arguments.port}, sink);
  return output.end(&summary);
}

/// Options that mean nothing for states are refused rather than ignored.
Result<ExitCode> run_on_states(const DecodeArguments& arguments, const Format& spoken) {
  if (!arguments.as.empty() || !arguments.operations.empty() || arguments.port != 0 ||
      arguments.input_format != automatic) {
    return Error{"--as, --operation, --port and --format are for bytes; states are text"};
  }
  return decode_states({arguments.input, arguments.strategy, arguments.of, arguments.json},
                       spoken.readings);
}

captures::Messages messages_of(const protocol::Dialect& dialect) {
  return dialect.transport == protocol::Transport::datagram ? captures::Messages::text
                                                            : captures::Messages::binary;
}

Result<ExitCode> run(DecodeArguments arguments) {
  if (!arguments.dialect_given && looks_like_states(arguments.input))
    arguments.format.dialect = protocol::ratelimit_state.name;
  if (!arguments.dialect_given && looks_like_datagrams(arguments.input))
    arguments.format.dialect = protocol::ratelimit_udp.name;
  const auto spoken = read_format(arguments.format);
  if (!spoken) return spoken.error();
  if (spoken->dialect().transport == protocol::Transport::at_rest)
    return run_on_states(arguments, *spoken);
  if (!arguments.strategy.empty() || !arguments.of.empty())
    return Error{"--strategy and --of are for --dialect ratelimit-state"};
  const auto expected = read_expected(arguments, spoken->dialect());
  if (!expected) return expected.error();
  const auto input_format = input_format_named(arguments.input_format, spoken->dialect());
  if (!input_format) return input_format.error();
  auto loaded = captures::load(arguments.input, *input_format, messages_of(spoken->dialect()));
  if (!loaded) return loaded.error();
  const auto applicable = check_applicable(arguments, *loaded);
  if (!applicable) return applicable.error();
  const captures::Format format(spoken->width, spoken->readings);
  return decode(arguments, format, *expected, std::move(*loaded));
}

int run_or_complain(const DecodeArguments& arguments) {
  const auto code = run(arguments);
  if (code) return static_cast<int>(*code);
  return static_cast<int>(refuse("decode", code.error().message));
}

constexpr const char* decode_footer =
    "Hex may be written with blanks, newlines, commas, colons, 0x and \\x; # starts a comment.\n"
    "Lines of hex that start with > (client to server) or < (server to client) are paired.\n"
    "Of a capture, TCP is put in order. A connection that loses its way, or begins before the\n"
    "capture, is taken up again where its client speaks after all was answered; that is a guess,\n"
    "and says so.\n\n"
    "Datagrams (--dialect ratelimit-udp) are requests and replies by what they hold; lines of "
    "text\n"
    "with > or < in front, and captures, are paired by request ids.\n\n"
    "States (--dialect ratelimit-state, and whatever has bars) are strings, or lines of a file, "
    "each\n"
    "a state or a key, a tab and a state.\n\n"
    "Limits: messages of 64 MiB; 4,096 connections at a time; in each of them 16 MiB held behind\n"
    "missing segments and 65,536 requests without reply; input other than a capture 64 MiB.\n\n"
    "Exit codes: 0 all decoded; 1 something malformed, unanswered or left over; 2 usage.\n\n"
    "Examples:\n"
    "  hallmark decode 02 03 61 62 63\n"
    "  hallmark decode --as reply --operation QUERY 010700041e00\n"
    "  hallmark decode '> 0203616263' '< 00'\n"
    "  tcpdump -i lo -w - port 9000 | hallmark decode --width u32 --port 9000\n"
    "  hallmark decode session.pcapng --json\n"
    "  hallmark decode '> 17 over_limit ws ip=10.0.0.1' '< 17 ok N 1.4 22.0 20'\n"
    "  hallmark decode --dialect ratelimit-udp --port 2000 session.pcap\n"
    "  hallmark decode '12|8.5|1761884055342794596'\n"
    "  hallmark decode --strategy leaky-bucket 'v2|5|1761884055342794596|'";

void add_options(Command& command, DecodeArguments& arguments) {
  command.add_option("INPUT", arguments.input,
                     "A file, - for standard input, or the bytes themselves as hex or base64;\n"
                     "of ratelimit-udp also as text");
  command
      .add_option("--format", arguments.input_format,
                  "What the input is: auto, hex, base64, binary, pcap (also pcapng); of\n"
                  "ratelimit-udp also text")
      ->capture_default_str();
  add_format_options(command, arguments.format, "the server", Follows::nothing);
  command.add_option("--as", arguments.as, "Bytes of one side are: request, reply, push");
  command
      .add_option("--operation", arguments.operations,
                  "What they are or answer; once for each message, in order")
      ->type_name("NAME")
      ->allow_extra_args(false);
  command.add_option("--port", arguments.port, "Of the server; decodes its connections only")
      ->range(1, 65'535)
      ->type_name("N");
  command
      .add_option("--strategy", arguments.strategy,
                  "Of states: token-bucket, fixed-window, leaky-bucket, gcra, composite;\n"
                  "default: found out, which v1| and v2| do not always allow")
      ->type_name("NAME");
  command.add_option("--of", arguments.of, "Of composites: the strategies of their parts")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("A,B");
  command.add_flag("--json", arguments.json, "Print JSON, with all records and all bytes");
  command.add_flag("--all", arguments.all, "Print all records of long lists and all remarks");
}

}  // namespace

void add_decode_command(Command& app, int& exit_code) {
  auto* command =
      app.add_subcommand("decode", "Explain bytes, a captured session or states, field by field");
  const auto arguments = std::make_shared<DecodeArguments>();
  add_options(*command, *arguments);
  command->footer(decode_footer);
  command->callback([arguments, command, &exit_code] {
    arguments->dialect_given = command->count("--dialect") != 0;
    exit_code = run_or_complain(*arguments);
  });
}

}  // namespace hallmark::cli
