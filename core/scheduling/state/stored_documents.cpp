// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/state/stored_documents.hpp"

#include "core/encoding/uuid.hpp"
#include "core/scheduling/state/heartbeats.hpp"
#include "core/scheduling/state/idempotency.hpp"
#include "core/scheduling/state/state.hpp"

namespace gantry::scheduling {

namespace {

template <class Record>
Result<void> checked(Result<Record> record) {
  if (!record) return std::move(record).error();
  return {};
}

}  // namespace

std::string key_in_store(const fleet::Service& service) {
  return service_key(service.topic, service.host);
}
std::string key_in_store(const fleet::ComputeNode& node) {
  return compute_node_key(node.topic, node.host, node.node);
}
std::string key_in_store(const fleet::Capabilities& capabilities) {
  return service_key(capabilities.topic, capabilities.host);
}
std::string key_in_store(const fleet::Aggregate& aggregate) {
  return std::to_string(aggregate.id);
}
std::string key_in_store(const fleet::Group& group) {
  return group.uuid;
}
std::string key_in_store(const fleet::Instance& instance) {
  return parse_uuid(instance.uuid) ? instance.uuid : "";
}
std::string key_in_store(const fleet::Claim& claim) {
  return key_of(claim);
}
std::string key_in_store(const Cast& cast) {
  return cast.id;
}
std::string key_in_store(const AccessToken& token) {
  return token.id;
}

Result<void> check_stored(store::Kind kind, std::string_view key, std::string_view text) {
  using store::Kind;
  switch (kind) {
    case Kind::service: return checked(read_stored("service", fleet::service_from_json, key, text));
    case Kind::compute_node: return checked(read_stored("compute node", fleet::compute_node_from_json, key, text));
    case Kind::capabilities: return checked(read_stored("capabilities", fleet::capabilities_from_json, key, text));
    case Kind::aggregate: return checked(read_stored("aggregate", fleet::aggregate_from_json, key, text));
    case Kind::group: return checked(read_stored("group", fleet::group_from_json, key, text));
    case Kind::instance: return checked(read_stored("instance", fleet::instance_from_json, key, text));
    case Kind::claim: return checked(read_stored("claim", fleet::claim_from_json, key, text));
    case Kind::cast: return checked(read_stored("cast", cast_from_json, key, text));
    case Kind::idempotency: return IdempotentAnswers().load(key, text);
    case Kind::token: return checked(read_stored("token", token_from_json, key, text));
    case Kind::heartbeat: return Heartbeats().load(key, text);
  }
  return Error{ErrorCode::internal, "stored " + in_quotes(key) + ": of no kind that a start reads", {}};
}

}  // namespace gantry::scheduling
