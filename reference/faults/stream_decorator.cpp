#include "reference/faults/connections/connection_fault.hpp"
#include "reference/faults/decorators.hpp"

namespace hallmark::faults {
namespace {

using server::Session;

class StreamDecorator final : public server::Decorator {
 public:
  explicit StreamDecorator(Faults faults) : faults_(std::move(faults)) {
    for (std::size_t i = 0; i < faults_.races.size(); ++i)
      memories_.push_back(std::make_shared<RaceMemory>());
  }

  void around_model(model::Model& model) const override {
    for (const RecordsFault& fault : faults_.records)
      model.wrap_records([&](Records& right) { return faulty(right, fault); });
    for (const auto& around : faults_.pub_sub) model.wrap_pub_sub(around);
  }

  std::unique_ptr<Session> around_session(std::unique_ptr<Session> inner, protocol::Width width,
                                          const server::SessionContext& context,
                                          const model::Connection& connection) const override {
    const auto wrap = [&](const std::vector<WireFault>& layer) {
      for (const WireFault& fault : layer) inner = faulty(std::move(inner), width, context, fault);
    };
    wrap(faults_.wire_values);
    wrap(faults_.wire_bytes);
    for (std::size_t i = 0; i < faults_.races.size(); ++i) {
      inner = racing(std::move(inner), width, context, connection, faults_.races[i], memories_[i]);
    }
    wrap(faults_.framing);
    return inner;
  }

  std::unique_ptr<server::ConnectionHooks> connection_hooks() const override {
    std::vector<std::unique_ptr<ConnectionHooks>> hooks;
    for (const auto& make : faults_.connections) hooks.push_back(make());
    return all_of(std::move(hooks));
  }

 private:
  Faults faults_;
  std::vector<std::shared_ptr<RaceMemory>> memories_;  ///< one for each race, for all sessions
};

}  // namespace

std::shared_ptr<const server::Decorator> stream_decorator(const ChosenBugs& bugs) {
  if (bugs.empty()) return std::make_shared<server::Decorator>();
  return std::make_shared<StreamDecorator>(faults_of(bugs));
}

}  // namespace hallmark::faults
