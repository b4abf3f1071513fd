#include "reference/server/typed_session_impl.hpp"

namespace hallmark::server {

template std::unique_ptr<Session> make_typed_session<protocol::Width::u8>(const SessionContext&,
                                                                          model::Connection&);

}  // namespace hallmark::server
