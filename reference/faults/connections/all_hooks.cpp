#include "reference/faults/connections/connection_fault.hpp"

namespace hallmark::faults {
namespace {

class AllHooks final : public ConnectionHooks {
 public:
  explicit AllHooks(std::vector<std::unique_ptr<ConnectionHooks>> hooks)
      : hooks_(std::move(hooks)) {}

  bool refuses() override { return any(&ConnectionHooks::refuses); }
  bool waits(std::size_t served) override { return any(&ConnectionHooks::waits, served); }
  bool evicts_oldest(std::size_t served) override {
    return any(&ConnectionHooks::evicts_oldest, served);
  }
  void begin(ByteBuffer& in, ByteBuffer& out) override { tell(&ConnectionHooks::begin, in, out); }
  void received(const ByteBuffer& in) override { tell(&ConnectionHooks::received, in); }
  bool ends_all(SessionState state) override { return any(&ConnectionHooks::ends_all, state); }
  bool waits_for_input(const ByteBuffer& in) override {
    return any(&ConnectionHooks::waits_for_input, in);
  }
  bool half_close_unnoticed(const ByteBuffer& in) override {
    return any(&ConnectionHooks::half_close_unnoticed, in);
  }
  bool half_close_ends() override { return any(&ConnectionHooks::half_close_ends); }
  bool fills_up(ByteBuffer& in) override { return any(&ConnectionHooks::fills_up, in); }
  bool closes_unsent(ByteBuffer& out) override { return any(&ConnectionHooks::closes_unsent, out); }
  bool waits_for_output() override { return any(&ConnectionHooks::waits_for_output); }
  void ended(Ending ending, const ByteBuffer& in, const ByteBuffer& out) override {
    tell(&ConnectionHooks::ended, ending, in, out);
  }
  bool takes_newest_along(Ending ending) override {
    return any(&ConnectionHooks::takes_newest_along, ending);
  }
  bool inherits() override { return any(&ConnectionHooks::inherits); }

 private:
  template <class Member, class... Arguments>
  void tell(Member member, Arguments&... arguments) {
    for (const auto& one : hooks_) ((*one).*member)(arguments...);
  }

  /// Asks each, so that those that count, count.
  template <class Member, class... Arguments>
  bool any(Member member, Arguments&... arguments) {
    bool found = false;
    for (const auto& one : hooks_) found |= ((*one).*member)(arguments...);
    return found;
  }

  std::vector<std::unique_ptr<ConnectionHooks>> hooks_;
};

}  // namespace

std::unique_ptr<ConnectionHooks> all_of(std::vector<std::unique_ptr<ConnectionHooks>> hooks) {
  return std::make_unique<AllHooks>(std::move(hooks));
}

}  // namespace hallmark::faults
