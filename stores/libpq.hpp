#pragma once
#include <libpq-fe.h>

#include "base/error.hpp"

namespace hallmark::stores {

/// As the loader finds it.
inline constexpr const char* libpq_file = "libpq.so.5";

/// The functions of libpq that Hallmark calls.
// clang-format moves the ends of these lines each time.
// clang-format off
#define HALLMARK_LIBPQ_FUNCTIONS(X) \
  X(PQclear) X(PQcmdTuples) X(PQconnectPoll) X(PQconnectStartParams) X(PQconninfoFree) \
  X(PQconninfoParse) X(PQconsumeInput) X(PQenterPipelineMode) X(PQerrorMessage) \
  X(PQescapeIdentifier) X(PQescapeLiteral) X(PQfinish) X(PQflush) X(PQfname) X(PQfreemem) \
  X(PQftype) X(PQgetResult) X(PQgetisnull) X(PQgetlength) X(PQgetvalue) X(PQisBusy) \
  X(PQntuples) X(PQpipelineSync) X(PQresultErrorField) X(PQresultErrorMessage) \
  X(PQresultStatus) X(PQsendPrepare) X(PQsendQueryParams) X(PQsendQueryPrepared) \
  X(PQsetErrorVerbosity) X(PQsetNoticeProcessor) X(PQsetnonblocking) X(PQsocket) X(PQstatus)
// clang-format on

/// The client library of PostgreSQL, loaded when a store of it is first opened
/// (base/shared_library.hpp). The names are the library's own.
struct Libpq {
// NOLINTNEXTLINE(bugprone-macro-parentheses): a declaration
#define HALLMARK_MEMBER(name) decltype(&::name) name = nullptr;
  HALLMARK_LIBPQ_FUNCTIONS(HALLMARK_MEMBER)
#undef HALLMARK_MEMBER
};

/// Loads the library, once. Error: it is not installed, or too old.
base::Result<void> load_libpq();

/// Returns its functions. Precondition: `load_libpq` succeeded.
const Libpq& libpq();

}  // namespace hallmark::stores
