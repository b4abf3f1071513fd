#include "reference/faults/wire/wire_fault.hpp"

#include "reference/faults/faults.hpp"
#include "reference/faults/wire/spoiling.hpp"

namespace hallmark::faults {

Code wire(WireFault fault) {
  return [fault = std::move(fault)](Faults& faults) {
    std::vector<WireFault>& layer = fault.framing != WireFraming::right ? faults.framing
                                    : fault.bytes                       ? faults.wire_bytes
                                                                        : faults.wire_values;
    layer.push_back(fault);
  };
}

Code of_framing(WireFraming framing) { return wire({.framing = framing}); }

Code of_request(protocol::MessageName operation, void (*change)(Record&)) {
  return wire({.operations = {operation},
               .request = [change](Record& values, const WireContext&) { change(values); }});
}

Code of_reply(std::vector<protocol::MessageName> operations, void (*change)(Record&)) {
  return wire({.operations = std::move(operations),
               .reply = [change](Record& values, const WireContext&) { change(values); }});
}

Code of_bytes(std::vector<protocol::MessageName> operations,
              void (*change)(Bytes&, const Decoder&, const WireContext&)) {
  return wire({.operations = std::move(operations), .bytes = change});
}

Code of_entries(protocol::MessageName operation, protocol::FieldName group,
                void (*change)(std::vector<Record>&)) {
  return wire({.operations = {operation}, .reply = [=](Record& values, const WireContext&) {
                 in_fragments(values, group, change);
               }});
}

Code one_fragment_more(protocol::MessageName operation) {
  return of_bytes({operation}, [](Bytes& bytes, const Decoder& decoder, const WireContext&) {
    increment_count(bytes, decoder, "number_of_fragments");
  });
}

}  // namespace hallmark::faults
