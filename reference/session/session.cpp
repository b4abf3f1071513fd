#include "reference/session/session.hpp"

#include "protocol/dialects/throttr_2_0.hpp"
#include "protocol/dialects/throttr_6_0.hpp"
#include "protocol/dialects/throttr_7_1.hpp"
#include "protocol/dialects/throttr_7_3.hpp"
#include "reference/session/typed_session.hpp"

namespace hallmark::server {

using MakeSession = std::unique_ptr<Session>(protocol::Width, const SessionContext&,
                                             model::Connection&);
extern template MakeSession make_typed_session<protocol::tables::throttr_2_0>;
extern template MakeSession make_typed_session<protocol::tables::throttr_6_0>;
extern template MakeSession make_typed_session<protocol::tables::throttr_7_1>;
extern template MakeSession make_typed_session<protocol::tables::throttr_7_3>;

std::unique_ptr<Session> make_session(protocol::Width width, const SessionContext& context,
                                      model::Connection& connection) {
  const auto made = [&](const protocol::Dialect& dialect, MakeSession& make) {
    return &context.readings.dialect() == &dialect ? make(width, context, connection) : nullptr;
  };
  if (auto session =
          made(protocol::tables::throttr_2_0, make_typed_session<protocol::tables::throttr_2_0>))
    return session;
  if (auto session =
          made(protocol::tables::throttr_6_0, make_typed_session<protocol::tables::throttr_6_0>))
    return session;
  if (auto session =
          made(protocol::tables::throttr_7_1, make_typed_session<protocol::tables::throttr_7_1>))
    return session;
  return made(protocol::tables::throttr_7_3, make_typed_session<protocol::tables::throttr_7_3>);
}

}  // namespace hallmark::server
