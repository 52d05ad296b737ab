// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "core/fleet/records/records.hpp"

namespace gantry::fleet {

namespace {

constexpr std::int64_t most_aggregate_id = std::int64_t{1} << 53;

// Reads members into fields of one record; remembers the first that is of a wrong type.
class Reader {
 public:
  Reader(std::string_view kind, const json::object& document) : kind_(kind), document_(document) {}

  Reader& read(std::string_view key, std::string& field) {
    if (const auto* value = present(key, &json::value::is_string, "string")) field = value->get_string();
    return *this;
  }
  Reader& read(std::string_view key, bool& field) {
    if (const auto* value = present(key, &json::value::is_bool, "true or false")) field = value->get_bool();
    return *this;
  }
  Reader& read(std::string_view key, std::int64_t& field) {
    const auto* value = json::find(document_, key);
    if (value == nullptr) return *this;
    const auto number = json::find_integer(document_, key);
    if (!number) return complain(key, "integer", *value);
    field = *number;
    return *this;
  }
  Reader& read(std::string_view key, std::uint64_t& field) {
    std::int64_t number = static_cast<std::int64_t>(field);
    read(key, number);
    if (number < 0) return complain(key, "integer of at least 0", *json::find(document_, key));
    field = static_cast<std::uint64_t>(number);
    return *this;
  }
  Reader& read(std::string_view key, double& field) {
    const auto* value = json::find(document_, key);
    if (value == nullptr) return *this;
    const auto number = json::find_number(document_, key);
    if (!number) return complain(key, "number", *value);
    field = *number;
    return *this;
  }
  Reader& read(std::string_view key, json::object& field) {
    if (const auto* value = present(key, &json::value::is_object, "object")) field = value->get_object();
    return *this;
  }
  Reader& read(std::string_view key, std::vector<std::string>& field) {
    const auto* value = present(key, &json::value::is_array, "array of strings");
    if (value == nullptr) return *this;
    for (const auto& element : value->get_array()) {
      if (!element.is_string()) return complain(key, "array of strings", element);
      field.emplace_back(element.get_string());
    }
    return *this;
  }
  Reader& read(std::string_view key, std::map<std::string, std::string>& field) {
    const auto* value = present(key, &json::value::is_object, "object of strings");
    if (value == nullptr) return *this;
    for (const auto& [name, element] : value->get_object()) {
      if (!element.is_string()) return complain(key, "object of strings", element);
      field.emplace(name, element.get_string());
    }
    return *this;
  }

  bool failed() const { return failed_; }
  Error error() const { return error_; }
  void fail(Error error) {
    if (!std::exchange(failed_, true)) error_ = std::move(error);
  }

  template <class T>
  Result<T> finish(T record) const {
    if (failed_) return error_;
    return record;
  }

 private:
  const json::value* present(std::string_view key, bool (json::value::*is_wanted)() const noexcept,
                             std::string_view wanted) {
    const auto* value = json::find(document_, key);
    if (value == nullptr || (value->*is_wanted)()) return value;
    complain(key, wanted, *value);
    return nullptr;
  }
  Reader& complain(std::string_view key, std::string_view wanted, const json::value& found) {
    std::string message(kind_);
    message.append(": member '").append(key).append("': expected ").append(wanted);
    message.append(", found ").append(json::type_name(found));
    fail({ErrorCode::invalid_argument, std::move(message), ""});
    return *this;
  }

  std::string_view kind_;
  const json::object& document_;
  bool failed_ = false;
  Error error_;
};

Error out_of_bounds(const std::string& kind, const std::string& key, const std::string& expected,
                    const std::string& found) {
  return {ErrorCode::invalid_argument, kind + ": member '" + key + "': expected " + expected + ", found " + found, {}};
}

Result<ClaimItem> item_from_json(const json::value& value) {
  if (!value.is_object()) {
    return Error{ErrorCode::invalid_argument,
                 "claim: member 'items': expected objects, found " + std::string(json::type_name(value)), ""};
  }
  ClaimItem item;
  Reader reader("claim item", value.get_object());
  reader.read("resource", item.resource).read("amount", item.amount).read("limit", item.limit);
  if (!(item.amount >= 0 && item.amount <= most_claimed))
    reader.fail(out_of_bounds("claim item", "amount", "number from 0 to 1e18", json::write(json::value(item.amount))));
  return reader.finish(std::move(item));
}

}  // namespace

Result<Service> service_from_json(const json::object& document) {
  Service service;
  Reader reader("service", document);
  reader.read("topic", service.topic).read("host", service.host).read("binary", service.binary);
  reader.read("disabled", service.disabled).read("disabled_reason", service.disabled_reason);
  reader.read("forced_down", service.forced_down).read("last_seen_up", service.last_seen_up);
  reader.read("report_count", service.report_count);
  return reader.finish(std::move(service));
}

Result<ComputeNode> compute_node_from_json(const json::object& document) {
  ComputeNode node;
  Reader reader("compute node", document);
  reader.read("topic", node.topic).read("host", node.host).read("node", node.node).read("stats", node.stats);
  reader.read("sampled_at", node.sampled_at).read("updated_at", node.updated_at);
  return reader.finish(std::move(node));
}

Result<Capabilities> capabilities_from_json(const json::object& document) {
  Capabilities capabilities;
  Reader reader("capabilities", document);
  reader.read("topic", capabilities.topic).read("host", capabilities.host);
  reader.read("capabilities", capabilities.capabilities).read("updated_at", capabilities.updated_at);
  return reader.finish(std::move(capabilities));
}

Result<Aggregate> aggregate_from_json(const json::object& document) {
  Aggregate aggregate;
  Reader reader("aggregate", document);
  reader.read("id", aggregate.id).read("uuid", aggregate.uuid).read("name", aggregate.name);
  reader.read("metadata", aggregate.metadata).read("hosts", aggregate.hosts);
  // The next aggregate gets the id after the largest one.
  if (aggregate.id < 0 || aggregate.id > most_aggregate_id)
    reader.fail(out_of_bounds("aggregate", "id", "integer from 0 to " + std::to_string(most_aggregate_id),
                              std::to_string(aggregate.id)));
  return reader.finish(std::move(aggregate));
}

Result<Group> group_from_json(const json::object& document) {
  Group group;
  Reader reader("group", document);
  reader.read("uuid", group.uuid).read("name", group.name).read("project_id", group.project_id);
  reader.read("user_id", group.user_id).read("policy", group.policy).read("rules", group.rules);
  reader.read("members", group.members);
  return reader.finish(std::move(group));
}

Result<Instance> instance_from_json(const json::object& document) {
  Instance instance;
  Reader reader("instance", document);
  reader.read("uuid", instance.uuid).read("name", instance.name).read("project_id", instance.project_id);
  reader.read("user_id", instance.user_id).read("host", instance.host).read("node", instance.node);
  reader.read("availability_zone", instance.availability_zone).read("vm_state", instance.vm_state);
  reader.read("task_state", instance.task_state).read("fault", instance.fault).read("flavor", instance.flavor);
  reader.read("image", instance.image).read("launch_index", instance.launch_index);
  reader.read("request_id", instance.request_id).read("created_at", instance.created_at);
  reader.read("updated_at", instance.updated_at).read("active_at", instance.active_at);
  reader.read("decision", instance.decision).read("image_properties", instance.image_properties);
  return reader.finish(std::move(instance));
}

Result<Claim> claim_from_json(const json::object& document) {
  Claim claim;
  Reader reader("claim", document);
  reader.read("consumer", claim.consumer).read("topic", claim.topic).read("host", claim.host);
  reader.read("node", claim.node)
      .read("id", claim.id)
      .read("durable", claim.durable)
      .read("cast_waits", claim.cast_waits)
      .read("group", claim.group);
  reader.read("created_at", claim.created_at);
  if (reader.failed()) return reader.error();
  const auto* items = json::find_array(document, "items");
  if (items == nullptr) return claim;
  for (const auto& value : *items) {
    auto item = item_from_json(value);
    if (!item) return std::move(item).error();
    claim.items.push_back(std::move(*item));
  }
  return claim;
}

}  // namespace gantry::fleet
