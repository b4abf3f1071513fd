#include "protocol/dialects/throttr_7_3.hpp"
#include "reference/session/typed_session_impl.hpp"

namespace hallmark::server {

template std::unique_ptr<Session> make_typed_session<protocol::tables::throttr_7_3>(
    protocol::Width, const SessionContext&, model::Connection&);

}  // namespace hallmark::server
