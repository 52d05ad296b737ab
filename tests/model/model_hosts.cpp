// SPDX-License-Identifier: Apache-2.0
//
// Reports, capabilities and the rows that they make.
#include <algorithm>

#include "tests/model/model.hpp"

namespace gantry::model {

namespace {

std::string topic_in(const json::object& args) {
  return args.contains("topic") ? text(args, "topic") : "compute";
}

HostNode host_name_in(const json::object& args) {
  const auto& name = args.at("name");
  if (name.is_string()) return {std::string(std::string_view(name.get_string())), ""};
  const auto& pair = name.as_array();
  return {std::string(std::string_view(pair[0].as_string())), std::string(std::string_view(pair[1].as_string()))};
}

void merge(json::object& stats, const json::object& report) {
  for (const auto& [key, value] : report) {
    if (value.is_null()) {
      stats.erase(key);
    } else {
      stats.insert_or_assign(key, value);
    }
  }
}

void join_group(Model& model, const std::string& group, const std::string& instance) {
  const auto found = model.groups.find(group);
  if (found == model.groups.end()) return;
  auto& members = found->second.members;
  if (std::find(members.begin(), members.end(), instance) == members.end()) members.push_back(instance);
}

// Over are those that the report lists, and those whose instance ran there before it was taken.
void end_claims(Model& model, const HostNode& row, const json::object& report, bool is_new) {
  std::set<std::string> listed;
  if (const auto* list = json::find_array(report, "instances")) {
    for (const auto& uuid : *list) listed.emplace(std::string_view(uuid.as_string()));
  }
  std::erase_if(model.claims, [&](const auto& entry) {
    if (model.row_of(entry.first) != row) return false;
    const auto& consumer = std::get<0>(entry.first);
    const auto instance = model.instances.find(consumer);
    const bool runs_there = instance != model.instances.end() && instance->second.has_been_active && is_new &&
                            instance->second.host == row.host;
    const bool is_over = listed.contains(consumer) || runs_there;
    if (is_over) join_group(model, entry.second.group, consumer);
    return is_over;
  });
}

// Whom a report listed and does not list any more has left its groups, unless something else knows it.
void leave_groups(Model& model, const json::object& before, const json::object& now) {
  const auto* had = json::find_array(before, "instances");
  const auto* has = json::find_array(now, "instances");
  if (had == nullptr) return;
  for (const auto& uuid : *had) {
    const bool is_there = has != nullptr && std::find(has->begin(), has->end(), uuid) != has->end();
    const std::string text(std::string_view(uuid.as_string()));
    if (!is_there && !model.knows(text)) model.leave_groups(text);
  }
}

json::object shown(const Model& model, const std::string& topic, const Model::Row& row) {
  json::object shown{{"host", row.name.host}};
  if (!row.name.node.empty()) shown["hypervisor_hostname"] = row.name.node;
  const auto service = model.services.find({topic, row.name.host});
  const bool known = service != model.services.end();
  shown["up"] = known && service->second.is_up();
  shown["disabled"] = known && service->second.disabled;
  shown["forced_down"] = known && service->second.forced_down;
  shown["state"] = !known                        ? "down"
                   : service->second.forced_down ? "forced_down"
                   : service->second.disabled    ? "disabled"
                                                 : "up";
  const bool is_compute = topic == "compute";
  shown["availability_zone"] = is_compute ? model.zone_of(row.name.host) : "nova";
  const auto claimed = is_compute ? model.claimed_on(row.name) : Amounts();
  shown["claims.vcpu"] = claimed.vcpu;
  shown["claims.memory_mb"] = claimed.memory_mb;
  shown["claims.disk_gb"] = claimed.disk_gb;
  json::array names;
  for (const auto& [id, aggregate] : model.aggregates) {
    const auto& hosts = aggregate.hosts;
    const bool member = std::find(hosts.begin(), hosts.end(), row.name.host) != hosts.end();
    if (is_compute && member) names.emplace_back(aggregate.name);
  }
  shown["aggregates"] = std::move(names);
  json::array uuids;
  if (is_compute) {
    for (const auto& uuid : model.instances_on(row.name)) uuids.emplace_back(uuid);
  } else if (row.stats != nullptr) {
    std::set<std::string> listed;
    if (const auto* list = json::find_array(*row.stats, "instances")) {
      for (const auto& uuid : *list) listed.emplace(std::string_view(uuid.as_string()));
    }
    for (const auto& uuid : listed) uuids.emplace_back(uuid);
  }
  shown["instances"] = std::move(uuids);
  if (row.stats == nullptr) return shown;
  for (const auto* key : {"vcpus", "memory_mb", "local_gb", "cpu_info"}) {
    if (const auto* value = json::find(*row.stats, key)) shown[key] = *value;
  }
  const auto show_use = [&](const char* key, double more) {
    if (const auto used = json::find_number(*row.stats, key)) shown[key] = *used + more;
  };
  show_use("vcpus_used", claimed.vcpu);
  show_use("memory_mb_used", claimed.memory_mb);
  show_use("local_gb_used", claimed.disk_gb);
  return shown;
}

// Of a row that was answered, what the model speaks of.
json::object predicted_row(const json::object& row) {
  json::object result;
  for (const auto* key : {"host", "hypervisor_hostname", "up", "disabled", "forced_down", "state", "availability_zone",
                          "claims.vcpu", "claims.memory_mb", "claims.disk_gb", "aggregates", "instances", "vcpus",
                          "memory_mb", "local_gb", "vcpus_used", "memory_mb_used", "local_gb_used", "cpu_info"}) {
    if (const auto* value = json::find(row, key)) result[key] = *value;
  }
  return result;
}

Complaint update_resource_stats(Model& model, const Asked& asked, const Reply& reply) {
  const auto topic = topic_in(asked.args);
  const auto name = host_name_in(asked.args);
  const auto& report = asked.args.at("stats").as_object();
  auto& stats = model.nodes[topic][name];
  const auto before = stats;
  merge(stats, report);
  if (topic == "compute") {
    end_claims(model, name, report, !asked.args.contains("sampled_at"));
    leave_groups(model, before, stats);
  }
  return expect_answer(reply, json::object());
}

Complaint update_service_capabilities(Model& model, const Asked& asked, const Reply& reply) {
  model.capabilities[{text(asked.args, "service_name"), text(asked.args, "host")}] =
      asked.args.at("capabilities").as_object();
  return expect_answer(reply, json::object());
}

Complaint remove_host(Model& model, const Asked& asked, const Reply& reply) {
  if (model.nodes[topic_in(asked.args)].erase(host_name_in(asked.args)) == 0) {
    return expect_error(reply, ErrorCode::not_found);
  }
  return expect_answer(reply, json::object());
}

Complaint list_hosts(Model& model, const Asked& asked, const Reply& reply) {
  const auto topic = topic_in(asked.args);
  const auto rows = model.rows(topic);
  if (rows.empty() && topic != "compute" && !reply) return expect_error(reply, ErrorCode::not_found);
  json::array expected;
  for (const auto& row : rows) {
    if (!asked.args.contains("host") || row.name.host == text(asked.args, "host")) {
      expected.push_back(shown(model, topic, row));
    }
  }
  if (!reply || !reply->is_array()) return "expected a list, found " + text_of(reply);
  json::array found;
  for (const auto& row : reply->get_array()) found.push_back(predicted_row(row.as_object()));
  return expect_same(found, expected);
}

Complaint show_host(Model& model, const Asked& asked, const Reply& reply) {
  const auto topic = topic_in(asked.args);
  const auto name = host_name_in(asked.args);
  const auto rows = model.rows(topic);
  // The host alone stands for its first row.
  const auto row = std::find_if(rows.begin(), rows.end(), [&](const Model::Row& each) {
    return each.name.host == name.host && (name.node.empty() || each.name.node == name.node);
  });
  if (row == rows.end()) return expect_error(reply, ErrorCode::not_found);
  if (!reply) return "expected a host, found " + text_of(reply);
  const auto& answer = reply->as_object();
  auto complaint = expect_same(predicted_row(answer.at("row").as_object()), shown(model, topic, *row));
  if (complaint.empty() && row->stats != nullptr) complaint = expect_same(answer.at("stats"), *row->stats);
  if (!complaint.empty()) return complaint;
  const auto known = model.capabilities.find({topic, name.host});
  const auto* capabilities = answer.if_contains("capabilities");
  if ((known != model.capabilities.end()) != (capabilities != nullptr)) return "capabilities that are not known";
  return capabilities == nullptr ? Complaint() : expect_same(*capabilities, known->second);
}

Complaint stats_wanted(Model&, const Asked&, const Reply& reply) {
  return expect_success(reply);
}

}  // namespace

void add_host_rules(std::map<std::string, Model::Rule>& rules) {
  rules["update_resource_stats"] = update_resource_stats;
  rules["update_service_capabilities"] = update_service_capabilities;
  rules["remove_host"] = remove_host;
  rules["list_hosts"] = list_hosts;
  rules["show_host"] = show_host;
  rules["stats_wanted"] = stats_wanted;
}

}  // namespace gantry::model
