#include "reference/model/model.hpp"

#include "base/hex.hpp"

namespace hallmark::model {

namespace {

StoreOptions store_options(const ModelOptions& options) {
  return {options.value_bytes, options.limits.max_keys, options.limits.max_value_bytes,
          options.limits.max_buffer_bytes, options.behaviour};
}

}  // namespace

Model::Model(const ModelOptions& options)
    : options_(options),
      clock_(options.started_at, options.behaviour.expired_when_scheduler ? sweep_interval : 0),
      store_(store_options(options)),
      connections_(options.seed, options.limits.max_connections),
      channels_(options.limits.max_subscriptions, options.behaviour) {}

Connection* Model::open(const Peer& peer) {
  Connection* const connection = connections_.open(moment(), peer);
  if (connection != nullptr && options_.behaviour.own_channels) {
    pub_sub_->subscribe(moment(), *connection, "*");
    pub_sub_->subscribe(moment(), *connection, base::to_hex(connection->id));
  }
  return connection;
}

void Model::close(Connection& connection) {
  pub_sub_->leave_all(connection);
  connections_.close(connection);
}

Info Model::info() {
  const Moment& at = moment();
  Info info;
  info.timestamp = to_wire(at.now) / length_of(TtlUnit::seconds);
  info.requests = traffic_.requests(at.minute);
  for (std::size_t i = 0; i < operation_count; ++i) {
    info.requests_of[i] = traffic_.requests(static_cast<Operation>(i), at.minute);
  }
  info.read_bytes = traffic_.read_bytes(at.minute);
  info.written_bytes = traffic_.written_bytes(at.minute);
  info.store = records_->totals(at);
  info.subscriptions = pub_sub_->subscriptions();
  info.channels = pub_sub_->size();
  info.running_since = to_wire(clock_.started_at());
  info.connections = connections_.size();
  info.version = options_.version;
  return info;
}

}  // namespace hallmark::model
