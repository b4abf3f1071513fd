#include "reference/faults/states/adapter_fault.hpp"

#include "reference/faults/faults.hpp"

namespace hallmark::faults {
namespace {

class FaultyAdapter final : public Adapter {
 public:
  FaultyAdapter(std::unique_ptr<Adapter> right, std::function<Json(const Json&, Adapter&)> fault)
      : right_(std::move(right)), fault_(std::move(fault)) {}

  Json answer(const Json& request) override { return fault_(request, *right_); }

 private:
  std::unique_ptr<Adapter> right_;
  std::function<Json(const Json&, Adapter&)> fault_;
};

template <class Fault>
Code around_adapter(Fault fault) {
  return [fault](Faults& faults) {
    faults.adapters.emplace_back([fault](std::unique_ptr<Adapter> right) {
      return std::make_unique<FaultyAdapter>(std::move(right), fault);
    });
  };
}

template <class Change>
Code of_states(Change change) {
  return around_adapter([change](const Json& request, Adapter& right) {
    Json answer = right.answer(request);
    if (std::as_const(answer)["state"].is_string())
      answer["state"] = change(answer["state"].string());
    return answer;
  });
}

}  // namespace

Code answers(Answering fault) {
  return around_adapter(
      [fault, earlier = std::uint64_t{0}](const Json& request, Adapter& right) mutable {
        return fault(request, right, earlier++);
      });
}

bool is(const Json& request, std::string_view operation) { return request["op"] == operation; }

Code of_state(std::string (*change)(std::string state)) { return of_states(change); }

Code of_fields(void (*change)(Fields& fields)) {
  const auto change_part = [change](const std::string& part) {
    Fields fields = split(part, '|');
    change(fields);
    return joined(fields, '|');
  };
  return of_states([change_part](const std::string& state) {
    if (!state.starts_with(composite_header)) return change_part(state);
    Fields parts = split(state.substr(composite_header.size()), '$');
    for (std::string& part : parts) part = change_part(part);
    return std::string(composite_header) + joined(parts, '$');
  });
}

Fields split(const std::string& text, char separator) {
  Fields fields(1);
  for (const char c : text) {
    if (c == separator)
      fields.emplace_back();
    else
      fields.back() += c;
  }
  return fields;
}

std::string joined(const Fields& fields, char separator) {
  std::string text;
  for (const std::string& field : fields) {
    if (!text.empty()) text += separator;
    text += field;
  }
  return text;
}

}  // namespace hallmark::faults
