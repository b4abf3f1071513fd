#include "reference/server/session.hpp"

#include "reference/server/typed_session.hpp"

namespace hallmark::server {

using protocol::Width;

extern template std::unique_ptr<Session> make_typed_session<Width::u8>(const SessionContext&,
                                                                       model::Connection&);
extern template std::unique_ptr<Session> make_typed_session<Width::u16>(const SessionContext&,
                                                                        model::Connection&);
extern template std::unique_ptr<Session> make_typed_session<Width::u32>(const SessionContext&,
                                                                        model::Connection&);
extern template std::unique_ptr<Session> make_typed_session<Width::u64>(const SessionContext&,
                                                                        model::Connection&);

std::unique_ptr<Session> make_session(Width width, const SessionContext& context,
                                      model::Connection& connection) {
  switch (width) {
    case Width::u8: return make_typed_session<Width::u8>(context, connection);
    case Width::u16: return make_typed_session<Width::u16>(context, connection);
    case Width::u32: return make_typed_session<Width::u32>(context, connection);
    case Width::u64: return make_typed_session<Width::u64>(context, connection);
  }
  return nullptr;
}

}  // namespace hallmark::server
