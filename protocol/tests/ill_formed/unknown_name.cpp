// Each value of ILL_FORMED spells one name that does not exist: this file must not compile, and the
// compiler must say which name is wrong and what there is. Without ILL_FORMED it compiles.
#include "protocol/codec/decode.hpp"
#include "protocol/codec/named_values.hpp"

namespace hallmark::protocol {

#ifndef ILL_FORMED
#define ILL_FORMED 0
#endif

std::uint64_t field_of(const Record& record) {
  return record.number(ILL_FORMED == 1 ? "qouta" : "quota");
}

const Operation* operation_of(const Dialect& dialect) {
  return find_operation(dialect, ILL_FORMED == 2 ? "INSRET" : "INSERT");
}

bool zero_is_refused(const Readings& readings) {
  return readings.reads({ILL_FORMED == 3 ? "ttl-zreo" : "ttl-zero", ILL_FORMED == 4   ? "refsued"
                                                                    : ILL_FORMED == 5 ? "saturated"
                                                                                      : "refused"});
}

bool is_clamped(AnswerName answer) { return answer == (ILL_FORMED == 6 ? "clampd" : "clamped"); }

Record written_out(std::uint64_t quota) { return {{ILL_FORMED == 7 ? "qouta" : "quota", quota}}; }

bool inserts(const Operation& operation) {
  return operation.name == (ILL_FORMED == 8 ? "INSRET" : "INSERT");
}

}  // namespace hallmark::protocol
