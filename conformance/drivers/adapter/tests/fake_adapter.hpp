#pragma once

#include <functional>

#include "conformance/drivers/adapter/adapter_certify.hpp"

/// Adapters inside of the test, in simulated time.
namespace hallmark::conformance::testing {

using Answering = std::function<std::string(const base::Json& request)>;

/// Answers every request with the lines that `answering` gives, at once. Of an adapter that gives
/// nothing, the time until the deadline passes.
class FakeHost : public AdapterHost {
 public:
  explicit FakeHost(Answering answering) : answering_(std::move(answering)) {}

  AdapterStart start() override;
  /// Called at each start: a process remembers nothing of the one before it.
  void when_started(std::function<void()> action) { when_started_ = std::move(action); }
  Time now() const override { return now_; }

  unsigned started() const { return started_; }

 private:
  class FakeLink;
  Answering answering_;
  std::function<void()> when_started_ = [] {};
  Time now_ = 1;
  unsigned started_ = 0;
};

/// A token bucket that is right, by whole numbers: bursts and rates are, and a request every
/// nanosecond finds what has flowed in since. It has nothing else.
base::Json answer_of_bucket(const base::Json& request);

/// Returns the answer as a line, with the id of the request.
std::string line_of(const base::Json& request, base::Json answer);

/// A host whose bucket is right but for what `spoil` makes of its answers.
FakeHost spoilt_bucket(std::function<void(const base::Json& request, base::Json& answer)> spoil);

CertifyOptions options_for_adapter();

/// Those of the line protocol and the properties.
AdapterCases cases_without_vectors();

const reports::CaseResult* find(const reports::CertifyResult& result, const std::string& id);

}  // namespace hallmark::conformance::testing
