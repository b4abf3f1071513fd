// Each value of ILL_FORMED breaks one rule of dialect tables: this file must not compile, and the
// compiler must say why. Without ILL_FORMED it compiles.
#include "protocol/by_kind.hpp"
#include "protocol/declare.hpp"
#include "protocol/well_formed.hpp"

namespace hallmark::protocol {

using namespace declare;

#ifndef ILL_FORMED
#define ILL_FORMED 0
#endif

constexpr Width widths[] = {Width::u8};
constexpr Choice choices[] = {{1, "one"}, {ILL_FORMED == 1 ? 1 : 2, "two"}};
constexpr Field keyed[] = {opcode(), size_of(ILL_FORMED == 2 ? "value" : "key", "key_size", 1),
                           bytes("key"), choice(ILL_FORMED == 10 ? "chagne" : "change", choices)};
constexpr Field late_size[] = {opcode(), bytes("key"), size_of("key", "key_size", 1)};
constexpr Field status_only[] = {
    status(ILL_FORMED == 3 ? When{"status-prefix", "closed"} : When{"status-prefix", "yes"})};
constexpr Field twice[] = {opcode(), integer("quota", 1), integer("quota", 1)};
constexpr Answer answers[] = {{"yes", "it does"}, {"no", "it does not"}};
constexpr Reading readings[] = {{.id = ILL_FORMED == 11 ? "ttl-zero" : "status-prefix",
                                 .question = "a prefix?",
                                 .answers = answers,
                                 .favoured = ILL_FORMED == 4 ? "closed" : "yes",
                                 .released = "no",
                                 .section = "here",
                                 .clause = ILL_FORMED == 9 ? "nowhere" : "clause"}};
constexpr Clause clauses[] = {{"clause", Level::must, "here", "a sentence"}};
constexpr Operation operations[] = {
    {"INSERT",
     0x01,
     {ILL_FORMED == 5 ? std::span<const Field>(late_size) : std::span<const Field>(keyed)},
     {status_only},
     "here"},
    {ILL_FORMED == 6 ? MessageName("INSERT") : MessageName("QUERY"),
     ILL_FORMED == 7 ? 0x01 : 0x02,
     {ILL_FORMED == 8 ? std::span<const Field>(twice) : std::span<const Field>(keyed)},
     {status_only},
     "here"},
};
constexpr Dialect dialect{.name = "test",
                          .document = "none",
                          .servers = "none",
                          .transport = Transport::stream,
                          .widths = widths,
                          .operations = operations,
                          .pushes = {},
                          .readings = readings,
                          .clauses = clauses};

static_assert(well_formed(dialect));

/// A walker that forgets one kind.
constexpr Overloaded forgetful {
  [](const kinds::Number auto& /*kind*/) { return 1; },
      [](const kinds::FixedBytes auto& /*kind*/) { return 2; },
      [](const among<kinds::Bytes, kinds::Group> auto& /*kind*/) { return 3; },
#if ILL_FORMED == 12
      [](const among<kinds::Literal, kinds::Decimal, kinds::DecimalCount, kinds::Word, kinds::Line,
                     kinds::SignedDecimal, kinds::Real, kinds::State> auto& /*kind*/) { return 4; },
#else
      [](const kinds::Textual auto& /*kind*/) { return 4; },
#endif
};

static_assert(by_kind(keyed[0].kind, forgetful) == 1);

}  // namespace hallmark::protocol
