// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "tests/model/model.hpp"

namespace gantry::model {

namespace {

using Aggregates = std::map<std::int64_t, AggregateFact>;

json::object shown(std::int64_t id, const AggregateFact& aggregate) {
  json::object metadata;
  for (const auto& [key, value] : aggregate.metadata) metadata[key] = value;
  const bool has_zone = aggregate.metadata.contains("availability_zone");
  return {{"id", id},
          {"uuid", aggregate.uuid},
          {"name", aggregate.name},
          {"availability_zone", has_zone ? json::value(aggregate.zone()) : json::value(nullptr)},
          {"hosts", json::array(aggregate.hosts.begin(), aggregate.hosts.end())},
          {"metadata", std::move(metadata)}};
}

Aggregates::iterator find(Model& model, const json::object& args) {
  const auto& wanted = args.at("aggregate");
  if (wanted.is_int64()) return model.aggregates.find(wanted.get_int64());
  return std::find_if(model.aggregates.begin(), model.aggregates.end(),
                      [&](const auto& entry) { return json::value(entry.second.name) == wanted; });
}

bool is_named(const Model& model, const std::string& name) {
  return std::any_of(model.aggregates.begin(), model.aggregates.end(),
                     [&](const auto& entry) { return entry.second.name == name; });
}

// False: a value is neither text nor null.
bool merge(AggregateFact& aggregate, const json::object& metadata) {
  for (const auto& [key, value] : metadata) {
    if (value.is_null()) {
      aggregate.metadata.erase(key);
    } else if (value.is_string()) {
      aggregate.metadata[key] = std::string_view(value.get_string());
    } else {
      return false;
    }
  }
  return true;
}

// Whether one of its hosts is in another zone already.
bool is_torn(const Model& model, std::int64_t id, const AggregateFact& aggregate) {
  if (!aggregate.metadata.contains("availability_zone")) return false;
  for (const auto& [other_id, other] : model.aggregates) {
    const bool same_zone = other.zone() == aggregate.zone() || !other.metadata.contains("availability_zone");
    if (other_id == id || same_zone) continue;
    for (const auto& host : aggregate.hosts) {
      if (std::find(other.hosts.begin(), other.hosts.end(), host) != other.hosts.end()) return true;
    }
  }
  return false;
}

bool is_forced(const json::object& args) {
  return args.contains("force");
}

bool is_in(const AggregateFact& aggregate, const std::string& host) {
  return std::find(aggregate.hosts.begin(), aggregate.hosts.end(), host) != aggregate.hosts.end();
}

bool is_known(const Model& model, const std::string& host) {
  const auto rows = model.rows("compute");
  return std::any_of(rows.begin(), rows.end(), [&](const auto& row) { return row.name.host == host; });
}

// Whether a host with instances goes from one zone to another.
bool moves_instances(const Model& model, std::int64_t id, const AggregateFact& before, const AggregateFact& after) {
  return std::any_of(model.instances.begin(), model.instances.end(), [&](const auto& entry) {
    const auto& host = entry.second.host;
    if (host.empty() || entry.second.vm_state == "deleted") return false;
    const auto zone_in = [&](const AggregateFact& aggregate) {
      return is_in(aggregate, host) ? aggregate.zone() : std::string();
    };
    const bool stays = std::any_of(model.aggregates.begin(), model.aggregates.end(), [&](const auto& other) {
      return other.first != id && is_in(other.second, host) && other.second.metadata.contains("availability_zone");
    });
    return !stays && zone_in(before) != zone_in(after);
  });
}

Complaint create_aggregate(Model& model, const Asked& asked, const Reply& reply) {
  if (is_named(model, text(asked.args, "name"))) return expect_error(reply, ErrorCode::already_exists);
  AggregateFact made;
  made.name = text(asked.args, "name");
  const auto* metadata = json::find_object(asked.args, "metadata");
  if (metadata != nullptr && !merge(made, *metadata)) return expect_error(reply, ErrorCode::invalid_argument);
  if (asked.args.contains("availability_zone")) {
    made.metadata["availability_zone"] = text(asked.args, "availability_zone");
  }
  if (!reply) return "expected a new aggregate, found " + text_of(reply);
  const auto id = json::find_integer(reply->as_object(), "id").value_or(0);
  made.uuid = text(reply->as_object(), "uuid");
  if (id <= 0 || model.aggregates.contains(id)) return "expected an id that is new, found " + std::to_string(id);
  model.aggregates[id] = made;
  return expect_answer(reply, shown(id, made));
}

Complaint update_aggregate(Model& model, const Asked& asked, const Reply& reply) {
  const auto found = find(model, asked.args);
  if (found == model.aggregates.end()) return expect_error(reply, ErrorCode::not_found);
  auto changed = found->second;
  const auto name = text(asked.args, "name");
  if (!name.empty() && name != changed.name && is_named(model, name)) {
    return expect_error(reply, ErrorCode::already_exists);
  }
  if (!name.empty()) changed.name = name;
  const auto* metadata = json::find_object(asked.args, "metadata");
  if (metadata != nullptr) static_cast<void>(merge(changed, *metadata));
  if (is_torn(model, found->first, changed) ||
      (!is_forced(asked.args) && moves_instances(model, found->first, found->second, changed)))
    return expect_error(reply, ErrorCode::failed_precondition);
  found->second = changed;
  return expect_answer(reply, shown(found->first, changed));
}

Complaint delete_aggregate(Model& model, const Asked& asked, const Reply& reply) {
  const auto found = find(model, asked.args);
  if (found == model.aggregates.end()) return expect_error(reply, ErrorCode::not_found);
  if (!found->second.hosts.empty() && !is_forced(asked.args))
    return expect_error(reply, ErrorCode::failed_precondition);
  model.aggregates.erase(found);
  return expect_answer(reply, json::object());
}

Complaint show_aggregate(Model& model, const Asked& asked, const Reply& reply) {
  const auto found = find(model, asked.args);
  if (found == model.aggregates.end()) return expect_error(reply, ErrorCode::not_found);
  return expect_answer(reply, shown(found->first, found->second));
}

Complaint add_host(Model& model, const Asked& asked, const Reply& reply) {
  const auto found = find(model, asked.args);
  if (found == model.aggregates.end()) return expect_error(reply, ErrorCode::not_found);
  auto changed = found->second;
  const auto host = text(asked.args, "host");
  const bool is_new = !is_in(changed, host);
  if (is_new) changed.hosts.push_back(host);
  const bool is_stopped = !is_forced(asked.args) && ((is_new && !is_known(model, host)) ||
                                                     moves_instances(model, found->first, found->second, changed));
  if (is_stopped || is_torn(model, found->first, changed)) return expect_error(reply, ErrorCode::failed_precondition);
  found->second = changed;
  return expect_answer(reply, shown(found->first, changed));
}

Complaint remove_aggregate_host(Model& model, const Asked& asked, const Reply& reply) {
  const auto found = find(model, asked.args);
  if (found == model.aggregates.end()) return expect_error(reply, ErrorCode::not_found);
  auto changed = found->second;
  if (std::erase(changed.hosts, text(asked.args, "host")) == 0) return expect_error(reply, ErrorCode::not_found);
  if (!is_forced(asked.args) && moves_instances(model, found->first, found->second, changed))
    return expect_error(reply, ErrorCode::failed_precondition);
  found->second = changed;
  return expect_answer(reply, shown(found->first, found->second));
}

Complaint list_aggregates(Model& model, const Asked&, const Reply& reply) {
  json::array expected;
  for (const auto& [id, aggregate] : model.aggregates) expected.push_back(shown(id, aggregate));
  return expect_answer(reply, expected);
}

}  // namespace

void add_aggregate_rules(std::map<std::string, Model::Rule>& rules) {
  rules["create_aggregate"] = create_aggregate;
  rules["update_aggregate"] = update_aggregate;
  rules["delete_aggregate"] = delete_aggregate;
  rules["show_aggregate"] = show_aggregate;
  rules["add_aggregate_host"] = add_host;
  rules["remove_aggregate_host"] = remove_aggregate_host;
  rules["list_aggregates"] = list_aggregates;
}

}  // namespace gantry::model
