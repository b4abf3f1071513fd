// Feeds arbitrary files to `hallmark decode`: captures, hexadecimal, base64, text and bytes, as
// each dialect. The transcript as JSON is one document; what it tells is printable, every message
// in it decodes, a finding is one line, and replies follow requests. A refusal is one line.
//
// The last byte chooses the dialect, the profile and the width, the rest is the file.
#include <algorithm>

#include "base/fuzz/requirement.hpp"
#include "base/json.hpp"
#include "captures/capture.hpp"
#include "captures/datagram_sequence.hpp"
#include "captures/json_report.hpp"
#include "captures/load.hpp"
#include "captures/sequence.hpp"
#include "captures/state_report.hpp"
#include "captures/text_report.hpp"
#include "protocol/dialects.hpp"

namespace hallmark::captures {
namespace {

using fuzz::require;
using fuzz::require_line;
using protocol::Transport;

/// Everything that there is to say of one input.
class Transcript {
 public:
  explicit Transcript(const Format& format)
      : text_(format, {}, [this](std::string_view text) { printed_ += text; }),
        json_(format, [this](std::string_view text) { document_ += text; }) {}

  void begin(const Source& source) {
    text_.begin(source);
    json_.begin(source);
  }

  void add(const Event& event) {
    if (const auto* request = std::get_if<Request>(&event.what)) require_whole(request->message);
    if (const auto* reply = std::get_if<Reply>(&event.what)) require_whole(reply->message);
    if (const auto* push = std::get_if<Push>(&event.what)) require_whole(push->message);
    if (const auto* finding = std::get_if<Finding>(&event.what)) require_line(finding->reason);
    tally_.add(event);
    text_.add(event);
    json_.add(event);
  }

  void end(const CaptureSummary* summary) {
    text_.end(tally_, summary);
    json_.end(tally_, summary, 0);
    const auto document = base::parse_json(document_);
    require(document && document->is_object(), "the transcript is JSON", document_);
    for (std::string_view rest = printed_; !rest.empty();) {
      const std::string_view line = base::take_line(rest);
      require(base::printable(line) == line, "the transcript may be printed", line);
    }
    require(tally_.replies <= tally_.requests, "a reply follows its request", document_);
  }

 private:
  static void require_whole(const Message& message) {
    protocol::Decoder decoder = Format::decoder(message.layout);
    require(decoder.resume(message.bytes) == protocol::Decoder::State::complete,
            "a message is whole", message.layout.name());
  }

  TextReport text_;
  JsonReport json_;
  std::string printed_, document_;
  Tally tally_;
};

/// Bytes of one side are taken for requests; replies and pushes have no findings that are wrong.
void decode_bytes(const Format& format, const Loaded& loaded, Transcript& transcript) {
  const Sink sink = [&](const Event& event) { transcript.add(event); };
  if (format.dialect().transport == Transport::datagram)
    return decode_datagrams(format, {}, datagrams_in(loaded), sink);
  if (!loaded.dialogue.empty()) return decode_dialogue(format, loaded.dialogue, sink);
  decode_requests(format, {}, loaded.bytes, sink);
}

void decode_replies_to_all(const Format& format, base::ByteView bytes) {
  const Sink sink = [&](const Event& event) {
    if (const auto* finding = std::get_if<Finding>(&event.what)) require_line(finding->reason);
  };
  std::vector<const protocol::Operation*> operations;
  for (const protocol::Operation& operation : format.dialect().operations)
    operations.push_back(&operation);
  decode_replies(format, operations, bytes, sink);
  decode_pushes(format, nullptr, bytes, sink);
}

void decode(const protocol::Dialect& dialect, const protocol::Readings& readings,
            protocol::Width width, const std::string& path) {
  const bool of_text = dialect.transport == Transport::datagram;
  auto loaded = load({path}, {}, of_text ? Messages::text : Messages::binary);
  if (!loaded) return require_line(loaded.error().message);
  const Format format(width, readings);
  Transcript transcript(format);
  const Source source{loaded->name, loaded->format, true, "deployed", {}};
  if (!loaded->capture) {
    transcript.begin(source);
    decode_bytes(format, *loaded, transcript);
    transcript.end(nullptr);
    if (!of_text) decode_replies_to_all(format, loaded->bytes);
    return;
  }
  auto capture = Capture::open(loaded->capture->release());
  if (!capture) return require_line(capture.error().message);
  transcript.begin(source);
  const auto summary =
      capture->decode(format, {}, [&](const Event& event) { transcript.add(event); });
  transcript.end(&summary);
}

void decode_states(const protocol::Readings& readings, std::string_view text) {
  std::vector<StateText> states;
  while (!text.empty()) states.push_back({"", std::string(base::take_line(text))});
  const StatesAsJson json = states_as_json(states, readings, {});
  require(base::parse_json(json.text).has_value(), "states are JSON", json.text);
  require(json.malformed <= states.size(), "each state is malformed or not", json.text);
  for (std::size_t i = 0; i < states.size(); ++i)
    require(!explain_state(states[i], i, readings, {}, {}).empty(), "a state is explained",
            states[i].text);
}

}  // namespace
}  // namespace hallmark::captures

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace hallmark;
  static fuzz::MemoryFile file;
  fuzz::Input input(data, size);
  const std::uint8_t choice = input.last();
  const protocol::Dialect& dialect =
      *protocol::all_dialects[(choice & 7) % protocol::all_dialects.size()];
  const protocol::Readings readings(
      dialect, (choice & 8) != 0 ? protocol::Profile::literal : protocol::Profile::deployed);
  if (dialect.transport == protocol::Transport::at_rest) {
    captures::decode_states(readings, input.text());
    return 0;
  }
  file.hold(input.text());
  const auto width = dialect.widths[(choice >> 4 & 3) % dialect.widths.size()];
  captures::decode(dialect, readings, width, file.path());
  return 0;
}
