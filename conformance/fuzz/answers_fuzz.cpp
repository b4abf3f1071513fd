// Feeds arbitrary bytes to the tester's side of the adapter's line protocol. However they are cut
// in two, the same happens; what is held is bounded; how an adapter breaks the protocol is one
// line, and so is what is wrong with an answer to hello.
//
// The first byte chooses the place of the cut, the rest is what the adapter writes.
#include "base/fuzz/requirement.hpp"
#include "conformance/drivers/adapter/adapter_session.hpp"
#include "conformance/suites/ratelimit_state/supports.hpp"

namespace hallmark::conformance {
namespace {

using fuzz::require;

/// Records in words what a session makes of the bytes that it takes.
class Listener {
 public:
  Listener() { session_.ask({{"op", "hello"}}); }

  void take(std::string_view bytes) {
    if (broken_) return;
    session_.take(bytes);
    while (next()) {
    }
    require(session_.unfinished().size() <= AdapterSession::longest_line + 1,
            "what is held is bounded");
  }

  std::string happened;

 private:
  bool next() {
    const AdapterSession::Event event = session_.next();
    if (const auto* answer = std::get_if<AdapterSession::Answer>(&event)) {
      happened += "answer " + answer->line + "\n";
      judge(answer->json);
      session_.ask({{"op", "decode"}});
      return true;
    }
    if (const auto* broken = std::get_if<AdapterSession::Broken>(&event)) {
      fuzz::require_line(broken->what);
      happened += "broken " + broken->what + "\n";
      broken_ = true;
    }
    return false;
  }

  static void judge(const base::Json& answer) {
    if (const auto supports = read_supports(answer); !supports)
      fuzz::require_line(supports.error());
    const auto hello = read_hello(answer);
    if (!hello) return fuzz::require_line(hello.error());
    require(read_supports(answer) == hello, "hello lists what it supports", answer.dump());
    lacking(*hello);
  }

  AdapterSession session_;
  bool broken_ = false;
};

}  // namespace
}  // namespace hallmark::conformance

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace hallmark;
  fuzz::Input input(data, size);
  const std::size_t place = input.first();
  const std::string_view text = input.text();
  const std::size_t cut = place * (text.size() + 1) / 256;
  conformance::Listener whole;
  whole.take(text);
  conformance::Listener pieces;
  pieces.take(text.substr(0, cut));
  pieces.take(text.substr(cut));
  fuzz::require(whole.happened == pieces.happened, "what happens does not depend on the cut",
                whole.happened);
  return 0;
}
