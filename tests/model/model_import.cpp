// SPDX-License-Identifier: Apache-2.0
//
// Rows of Nova's tables taken over, and what has no facts at all.
#include "tests/model/model.hpp"

namespace gantry::model {

namespace {

const json::array& rows(const json::object& tables, std::string_view table) {
  static const json::array none;
  const auto* found = json::find_array(tables, table);
  return found == nullptr ? none : *found;
}

std::int64_t import_services(Model& model, const json::object& tables) {
  std::int64_t count = 0;
  for (const auto& value : rows(tables, "services")) {
    const auto& row = value.as_object();
    if (json::find_integer(row, "deleted").value_or(0) != 0) continue;
    ServiceFact service;
    service.binary = text(row, "binary");
    service.disabled = json::find_integer(row, "disabled").value_or(0) != 0;
    service.reports = json::find_integer(row, "report_count").value_or(0);
    model.services[{text(row, "topic"), text(row, "host")}] = service;
    ++count;
  }
  return count;
}

// As if the host had reported the row.
Complaint import_nodes(Model& model, const json::object& tables) {
  for (const auto& value : rows(tables, "compute_nodes")) {
    const auto& row = value.as_object();
    const Asked report{"update_resource_stats", {{"name", text(row, "host")}, {"stats", row}}, {}, {}};
    auto complaint = model.rule_of.at(report.method)(model, report, Reply(json::value(json::object())));
    if (!complaint.empty()) return complaint;
  }
  return {};
}

void import_aggregates(Model& model, const json::object& tables) {
  for (const auto& value : rows(tables, "aggregates")) {
    const auto id = *json::find_integer(value.as_object(), "id");
    AggregateFact aggregate;
    aggregate.name = text(value.as_object(), "name");
    for (const auto& member : rows(tables, "aggregate_hosts")) {
      if (json::find_integer(member.as_object(), "aggregate_id") == id) {
        aggregate.hosts.push_back(text(member.as_object(), "host"));
      }
    }
    model.aggregates[id] = aggregate;
  }
}

void import_instances(Model& model, const json::object& tables) {
  for (const auto& value : rows(tables, "instances")) {
    const auto& row = value.as_object();
    InstanceFact instance;
    instance.name = text(row, "display_name");
    instance.project = text(row, "project_id");
    instance.host = text(row, "host");
    instance.vm_state = text(row, "vm_state");
    instance.has_been_active = instance.vm_state == "active";
    instance.flavor["vcpus"] = row.at("vcpus");
    model.instances[text(row, "uuid")] = instance;
  }
}

Complaint import(Model& model, const Asked& asked, const Reply& reply) {
  const auto& tables = asked.args.at("tables").as_object();
  const auto services = import_services(model, tables);
  if (auto complaint = import_nodes(model, tables); !complaint.empty()) return complaint;
  import_aggregates(model, tables);
  import_instances(model, tables);
  return expect_answer(reply, json::object{{"services", services},
                                           {"compute_nodes", rows(tables, "compute_nodes").size()},
                                           {"aggregates", rows(tables, "aggregates").size()},
                                           {"instances", rows(tables, "instances").size()},
                                           {"skipped", json::array()}});
}

Complaint list_drivers(Model&, const Asked&, const Reply& reply) {
  return expect_success(reply);
}

Complaint no_such_method(Model&, const Asked&, const Reply& reply) {
  return expect_error(reply, ErrorCode::unsupported);
}

}  // namespace

void add_import_rules(std::map<std::string, Model::Rule>& rules) {
  rules["import"] = import;
  rules["list_drivers"] = list_drivers;
  rules["no_such_method"] = no_such_method;
}

}  // namespace gantry::model
