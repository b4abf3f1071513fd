#include "reference/session/session.hpp"

#include "protocol/dialects/all.hpp"
#include "reference/session/typed_session.hpp"

namespace hallmark::server {
namespace {

using MakeSession = std::unique_ptr<Session>(protocol::Width, const SessionContext&,
                                             model::Connection&);

/// The function that makes sessions of a dialect; null if it is not spoken over streams.
template <std::size_t... dialects>
MakeSession* maker_for(const protocol::Dialect& wanted, std::index_sequence<dialects...>) {
  using protocol::tables::throttr_dialects;
  MakeSession* found = nullptr;
  ((throttr_dialects[dialects] == & wanted ? found = make_typed_session<*throttr_dialects[dialects]>
                                           : nullptr),
   ...);
  return found;
}

}  // namespace

std::unique_ptr<Session> make_session(protocol::Width width, const SessionContext& context,
                                      model::Connection& connection) {
  MakeSession* const make =
      maker_for(context.readings.dialect(),
                std::make_index_sequence<protocol::tables::throttr_dialects.size()>{});
  return make == nullptr ? nullptr : make(width, context, connection);
}

}  // namespace hallmark::server
