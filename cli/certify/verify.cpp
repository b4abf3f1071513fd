#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <string>

#include "base/output_file.hpp"
#include "base/text.hpp"
#include "cli/certify/certificate_file.hpp"
#include "cli/commands.hpp"
#include "cli/options/command_line.hpp"
#include "cli/options/complaint.hpp"
#include "cli/vectors/vectors_directory.hpp"
#include "conformance/certificate/packet_file.hpp"
#include "conformance/certificate/reader.hpp"
#include "conformance/certificate/verify_report.hpp"

namespace hallmark::cli {
namespace {

using reports::ExitCode;

struct VerifyArguments {
  std::string file;
  std::string vectors;
  std::string json;
  std::string packets;  ///< a pcapng file; empty: none
};

/// The transcripts of the certificate as a capture, if that is asked for.
base::Result<void> write_packets_of(const certificate::Certificate& certificate,
                                    const std::string& path) {
  if (path.empty()) return {};
  auto packets = pcapng::Writer::create(path, "hallmark " HALLMARK_VERSION);
  if (!packets) return packets.error();
  certificate::write_packets(*packets, certificate.parts, certificate.result);
  return packets->commit();
}

ExitCode run(const VerifyArguments& arguments) {
  const auto certificate = certificate::read_file(arguments.file);
  if (!certificate) return refuse("verify", certificate.error().message);
  const std::string directory =
      arguments.vectors.empty() ? default_vectors_directory() : arguments.vectors;
  const auto verification = certificate::verify(*certificate, suites_of(directory));
  if (!verification)
    return refuse("verify", fmt::format("{}: {}", arguments.file, verification.error().message));
  if (certificate->tool != HALLMARK_VERSION) {
    fmt::print("certified by hallmark {}, judged by {}; the suite is the same\n",
               base::printable(certificate->tool), HALLMARK_VERSION);
  }
  fmt::print("{}",
             certificate::render_terminal(*certificate, *verification, reports::style_for(stdout)));
  const ExitCode code = certificate::exit_code(*certificate, *verification);
  if (const auto packets = write_packets_of(*certificate, arguments.packets); !packets) {
    return refuse("verify", packets.error().message,
                  reports::worst(code, ExitCode::unreachable_or_harness_error));
  }
  if (arguments.json.empty()) return code;
  const auto written =
      base::write_file(arguments.json, certificate::render_json(*certificate, *verification));
  return written ? code
                 : refuse("verify", written.error().message,
                          reports::worst(code, ExitCode::unreachable_or_harness_error));
}

}  // namespace

void add_verify_command(Command& app, int& exit_code) {
  auto* command = app.add_subcommand("verify", "Judge the transcripts of a certificate again");
  const auto arguments = std::make_shared<VerifyArguments>();
  command->add_option("FILE", arguments->file, "What certify --certificate wrote")->required();
  command
      ->add_option("--vectors", arguments->vectors,
                   "Other golden vectors than those that the program carries")
      ->type_name("DIR");
  command->add_output("--json", arguments->json, "Write the result as JSON");
  command->add_output("--pcap", arguments->packets,
                      "Write the transcripts as a pcapng capture, verdicts as comments");
  command->footer(
      "Every case of the run is played again over what was recorded of it: what is sent has to be\n"
      "what was sent, and what is judged has to come out as certified. Nothing is connected to.\n\n"
      "Exit code 0: the same verdicts, of the whole suite, and the target passed; 1: not the "
      "same,\n"
      "or the target failed; 2: no certificate, or one of another suite; 3: the run found nobody "
      "to\n"
      "talk to; 4: incomplete or undecided.\n\n"
      "Examples:\n"
      "  hallmark certify tcp://127.0.0.1:9000 --width u16 --certificate run.certificate\n"
      "  hallmark verify run.certificate");
  command->callback([arguments, &exit_code] { exit_code = static_cast<int>(run(*arguments)); });
}

}  // namespace hallmark::cli
