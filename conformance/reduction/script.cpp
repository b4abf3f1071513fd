#include "conformance/reduction/script.hpp"

#include <algorithm>
#include <deque>
#include <map>

namespace hallmark::conformance {
namespace {

using protocol::Record;

/// Shorter pauses are those of the test itself.
constexpr Time shortest_pause = 20'000'000;

std::optional<Record> fields_of(const protocol::Layout& layout, base::ByteView bytes) {
  protocol::Decoder decoder(layout, {.refuse_unlisted = false});
  if (decoder.resume(bytes) != protocol::Decoder::State::complete) return std::nullopt;
  if (decoder.size() != bytes.size()) return std::nullopt;
  return protocol::MessageView(decoder, bytes).record();
}

/// Requests and replies of one case, paired.
class Reader {
 public:
  Reader(const WireFormat& format, const Evidence& evidence)
      : format_(format), evidence_(evidence) {}

  std::optional<Script> read() {
    if (!evidence_.is_whole() || publishes()) return std::nullopt;
    for (const Evidence::Passed& passed : evidence_.passed()) {
      const bool sent = passed.direction == reports::Direction::sent;
      if (!(sent ? request(passed) : reply(passed))) return std::nullopt;
      last_ = passed.at;
    }
    return finish();
  }

 private:
  /// Returns true if the case publishes: a script cannot hold messages that come unasked.
  bool publishes() const {
    return std::ranges::any_of(evidence_.passed(), [](const Evidence::Passed& passed) {
      return passed.layout && passed.direction == reports::Direction::sent &&
             passed.layout->name() == "PUBLISH";
    });
  }

  bool request(const Evidence::Passed& passed) {
    if (!passed.layout || passed.omitted > 0) return false;
    const auto* const operation =
        protocol::find_operation(format_.dialect(), passed.layout->name());
    auto fields = fields_of(*passed.layout, passed.bytes);
    if (operation == nullptr || !fields) return false;
    const Time waited = passed.at - std::min(passed.at, last_);
    script_.steps.push_back({passed.connection, operation, std::move(*fields),
                             waited < shortest_pause || last_ == 0 ? 0 : waited});
    if (format_.reply(*operation).sent())
      unanswered_[passed.connection].push_back(script_.steps.size() - 1);
    return true;
  }

  bool reply(const Evidence::Passed& passed) {
    if (!passed.layout) return false;
    auto& unanswered = unanswered_[passed.connection];
    if (unanswered.empty()) return false;
    answered_ = unanswered.front();
    unanswered.pop_front();
    wrong_ = &passed;
    return true;
  }

  /// Ends the script at the failed reply. That is the reply that came last or, if it is right, the
  /// next one on the connection that was asked last.
  std::optional<Script> finish() {
    if (script_.steps.empty()) return std::nullopt;
    if (wrong_ != nullptr && (!wrong_->mismatches.empty() || wrong_->broken)) {
      end_at(answered_);
      name_wrong_fields();
      return std::move(script_);
    }
    const auto& waiting = unanswered_[script_.steps.back().connection];
    if (waiting.empty()) return std::nullopt;
    end_at(waiting.front());
    return std::move(script_);
  }

  void end_at(std::size_t last) { script_.steps.resize(last + 1); }

  void name_wrong_fields() {
    if (wrong_->broken) return;
    for (const vectors::Mismatch& mismatch : wrong_->mismatches)
      script_.wrong.push_back(mismatch.field);
    if (!wrong_->expected) return;
    if (auto expected = fields_of(*wrong_->layout, *wrong_->expected))
      script_.expected = std::move(*expected);
  }

  const WireFormat& format_;
  const Evidence& evidence_;
  Script script_;
  std::map<std::string, std::deque<std::size_t>> unanswered_;
  std::size_t answered_ = 0;
  const Evidence::Passed* wrong_ = nullptr;
  Time last_ = 0;
};

}  // namespace

std::optional<Script> script_of(const WireFormat& format, const std::string& case_id,
                                const Evidence& evidence) {
  auto script = Reader(format, evidence).read();
  if (script) script->case_id = case_id;
  return script;
}

}  // namespace hallmark::conformance
