#include "conformance/isolation/caretaker.hpp"

#include "conformance/supervisor/supervisor.hpp"

namespace hallmark::conformance {

Caretaker::Caretaker(RunContext& context)
    : context_(context), supervisor_(context.network.supervisor()) {}

std::size_t Caretaker::deaths() { return supervisor_ == nullptr ? 0 : supervisor_->deaths(); }

bool Caretaker::start_afresh() {
  return supervisor_ != nullptr && supervisor_->revive().has_value();
}

bool Caretaker::replace() {
  return supervisor_ != nullptr && !is_shared() && supervisor_->renew().has_value();
}

void Caretaker::blame(std::size_t since, const std::string& input, std::string_view name) {
  if (supervisor_ != nullptr) supervisor_->claim(since, input, name);
}

bool Caretaker::is_shared() {
  const unsigned others = context_.playing > 0 ? context_.playing - 1 : 0;
  return context_.network.shared(Shared::beside, others) > 0;
}

}  // namespace hallmark::conformance
