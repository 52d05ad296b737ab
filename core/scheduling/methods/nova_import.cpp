// SPDX-License-Identifier: Apache-2.0
//
// Imports rows of Nova's own tables (nova and nova_api) from a JSON dump: table name -> rows.
#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <span>

#include "core/encoding/uuid.hpp"
#include "core/fleet/tables/report_fields.hpp"
#include "core/scheduling/decision/group_joining.hpp"
#include "core/scheduling/methods/imported_row.hpp"
#include "core/scheduling/methods/method_table.hpp"
#include "core/scheduling/request/args.hpp"
#include "core/scheduling/request/nova_object.hpp"
#include "core/scheduling/state/state.hpp"

namespace gantry::scheduling {

namespace {

struct Import {
  State& state;
  const json::object& tables;
  bool keep_times;
  std::int64_t now;
  Outcome& outcome;
  json::array skipped = {};
  std::int64_t services = 0, compute_nodes = 0, aggregates = 0, instances = 0;
  std::vector<std::function<void(fleet::Fleet&)>> undo = {};  // called in reverse order
};

constexpr std::array<std::string_view, 7> known_tables{
    "services", "compute_nodes", "instances", "aggregates", "aggregate_hosts", "aggregate_metadata", "request_specs"};

std::int64_t time_of(const Import& job, ImportedRow& row, std::string_view key) {
  const auto time = row.time(key);
  return job.keep_times ? time : job.now;
}

// Calls `take` with each live row of a table. A soft-deleted row has its id in `deleted`.
template <class Take>
void each_row(Import& job, std::string_view table, Take take) {
  const auto* rows = json::find_array(job.tables, table);
  if (rows == nullptr) return;
  static const json::object none;
  for (std::size_t i = 0; i < rows->size(); ++i) {
    const auto* values = (*rows)[i].if_object();
    ImportedRow row(table, i, values == nullptr ? none : *values, job.skipped);
    if (values == nullptr) {
      row.leave_out("expected an object, found " + std::string(json::type_name((*rows)[i])));
    } else if (row.truth("deleted") == false) {
      take(row);
    }
  }
}

void import_services(Import& job) {
  each_row(job, "services", [&job](ImportedRow& row) {
    fleet::Service service;
    service.topic = row.text("topic");
    service.host = row.text("host");
    service.binary = row.text("binary");
    if (service.topic.empty() || service.host.empty()) return row.leave_out("has no topic or no host");
    const auto disabled = row.truth("disabled");
    const auto forced_down = row.truth("forced_down");
    if (!disabled || !forced_down) return;
    service.disabled = *disabled;
    service.disabled_reason = row.text("disabled_reason", TextKind::sentence);
    service.forced_down = *forced_down;
    service.last_seen_up = time_of(job, row, "last_seen_up");
    service.report_count =
        static_cast<std::uint64_t>(std::min(row.integer("report_count"), std::numeric_limits<std::int64_t>::max() / 2));
    if (const auto room = job.state.parts.fleet.check_room(service.topic, service.host); !room)
      return row.leave_out(room.error().message);
    const auto before = job.state.parts.fleet.put_service(service);
    if (before)
      job.undo.emplace_back([before](fleet::Fleet& fleet) { fleet.put_service(*before); });
    else
      job.undo.emplace_back(
          [topic = service.topic, host = service.host](fleet::Fleet& fleet) { fleet.remove_service(topic, host); });
    job.outcome.batch.push_back(stored(store::Kind::service, service_key(service.topic, service.host), service));
    job.outcome.batch.push_back(job.state.heartbeats.forget(service));
    ++job.services;
  });
}

void import_compute_nodes(Import& job) {
  each_row(job, "compute_nodes", [&job](ImportedRow& row) {
    fleet::ComputeNode node;
    node.topic = "compute";
    node.host = row.text("host");
    node.node = row.text("hypervisor_hostname");
    if (node.host.empty()) return row.leave_out("has no host");
    for (const auto& [key, value] : row.values()) {
      const auto expected = value.is_null() ? std::string_view() : fleet::expected_of_agent(key, value);
      if (expected.empty())
        node.stats.emplace(key, value);
      else
        row.leave_out(key, expected, value);
    }
    node.updated_at = time_of(job, row, "updated_at");
    node.sampled_at = node.updated_at;
    if (const auto room = job.state.parts.fleet.check_room(node); !room) return row.leave_out(room.error().message);
    fleet::ComputeNode merged;
    auto& claims = job.outcome.claims;
    const auto steps_before = claims.steps().size();
    const auto before = job.state.parts.fleet.put_compute_node(node, merged, claims);
    if (before)
      job.undo.emplace_back([before](fleet::Fleet& fleet) { fleet.restore_compute_node(*before); });
    else
      job.undo.emplace_back([host = node.host, name = node.node](fleet::Fleet& fleet) {
        fleet.remove_compute_node("compute", host, name);
      });
    job.outcome.batch.push_back(
        stored(store::Kind::compute_node, compute_node_key(merged.topic, merged.host, merged.node), merged));
    job.outcome.batch.push_back(job.state.heartbeats.forget(merged));
    auto groups =
        follow_report(job.state, before, merged, std::span(claims.steps()).subspan(steps_before), job.outcome);
    job.undo.emplace_back([groups = std::move(groups)](fleet::Fleet& fleet) { groups.undo(fleet); });
    ++job.compute_nodes;
  });
}

// Returns why the aggregate cannot be taken. Empty: it can.
std::string conflict_of(const fleet::Aggregate& aggregate, const std::map<std::int64_t, fleet::Aggregate>& taken,
                        const fleet::Fleet& fleet) {
  if (aggregate.id <= 0 || aggregate.name.empty()) return "has no id or no name";
  const auto id = std::to_string(aggregate.id);
  if (const auto same = taken.find(aggregate.id); same != taken.end())
    return "id " + id + " is that of aggregate '" + same->second.name + "' of the same import";
  const auto known = fleet.aggregate(aggregate.id);
  if (known && !known->uuid.empty() && !aggregate.uuid.empty() && known->uuid != aggregate.uuid)
    return "id " + id + " is that of aggregate '" + known->name + "' already, which has another uuid";
  for (const auto other : fleet.aggregate_ids(aggregate.name)) {
    if (other != aggregate.id)
      return "name '" + aggregate.name + "' is that of aggregate " + std::to_string(other) + " already";
  }
  return {};
}

std::map<std::int64_t, fleet::Aggregate> read_aggregates(Import& job) {
  std::map<std::int64_t, fleet::Aggregate> aggregates;
  each_row(job, "aggregates", [&](ImportedRow& row) {
    fleet::Aggregate aggregate;
    aggregate.id = row.integer("id");
    aggregate.uuid = row.text("uuid");
    aggregate.name = row.text("name");
    if (const auto why = conflict_of(aggregate, aggregates, job.state.parts.fleet); !why.empty())
      return row.leave_out(why);
    if (const auto room = job.state.parts.fleet.check_room_for_aggregates(aggregates.size() + 1); !room)
      return row.leave_out(room.error().message);
    aggregates.emplace(aggregate.id, std::move(aggregate));
  });
  const auto aggregate_of = [&aggregates](ImportedRow& row) -> fleet::Aggregate* {
    const auto id = row.integer("aggregate_id");
    const auto found = aggregates.find(id);
    if (found != aggregates.end()) return &found->second;
    row.leave_out("aggregate_id " + std::to_string(id) + " is that of no aggregate which is imported with it");
    return nullptr;
  };
  each_row(job, "aggregate_hosts", [&](ImportedRow& row) {
    auto host = row.text("host");
    if (host.empty()) return row.leave_out("has no host");
    if (auto* aggregate = aggregate_of(row)) aggregate->hosts.push_back(std::move(host));
  });
  each_row(job, "aggregate_metadata", [&](ImportedRow& row) {
    auto key = row.text("key");
    if (key.empty()) return row.leave_out("has no key");
    if (auto* aggregate = aggregate_of(row))
      aggregate->metadata[std::move(key)] = row.text("value", TextKind::sentence);
  });
  return aggregates;
}

void import_aggregates(Import& job) {
  for (const auto& [id, aggregate] : read_aggregates(job)) {
    if (job.state.next_aggregate_id <= id) job.state.next_aggregate_id = id + 1;
    const auto before = job.state.parts.fleet.put_aggregate(aggregate);
    if (before)
      job.undo.emplace_back([before](fleet::Fleet& fleet) { fleet.put_aggregate(*before); });
    else
      job.undo.emplace_back([id = id](fleet::Fleet& fleet) { fleet.remove_aggregate(id); });
    job.outcome.batch.push_back(stored(store::Kind::aggregate, std::to_string(id), aggregate));
    ++job.aggregates;
  }
}

// Maps an instance to the name of its flavor, from its last request: Nova's instances table has only a number.
std::map<std::string, std::string> flavor_names(Import& job) {
  std::map<std::string, std::string> names;
  each_row(job, "request_specs", [&names](ImportedRow& row) {
    auto spec = json::parse(row.text("spec", TextKind::known));
    if (!spec) return row.leave_out("spec: expected text that holds JSON, found none");
    open_envelopes(*spec);
    const auto* fields = spec->if_object();
    const auto* flavor = fields == nullptr ? nullptr : json::find_object(*fields, "flavor");
    if (flavor != nullptr)
      names[row.text("instance_uuid")] = std::string(json::find_string(*flavor, "name").value_or(""));
  });
  return names;
}

void read_flavor(ImportedRow& row, fleet::Instance& instance) {
  for (const auto* key : {"vcpus", "memory_mb", "root_gb", "ephemeral_gb"}) {
    if (json::find(row.values(), key) != nullptr) instance.flavor[key] = row.integer(key, fleet::most_of_flavor);
  }
}

void import_instances(Import& job) {
  const auto flavors = flavor_names(job);
  each_row(job, "instances", [&job, &flavors](ImportedRow& row) {
    const auto uuid = parse_uuid(row.text("uuid"));
    if (!uuid) return row.leave_out("has no uuid");
    fleet::Instance instance;
    instance.uuid = to_text(*uuid);
    instance.name = row.text("display_name");
    instance.project_id = row.text("project_id");
    instance.user_id = row.text("user_id");
    instance.host = row.text("host");
    instance.node = row.text("node");
    instance.availability_zone = row.text("availability_zone");
    instance.vm_state = row.text("vm_state");
    instance.task_state = row.text("task_state");
    instance.launch_index = row.integer("launch_index");
    if (const auto named = flavors.find(instance.uuid); named != flavors.end()) instance.flavor["name"] = named->second;
    read_flavor(row, instance);
    instance.created_at = time_of(job, row, "created_at");
    instance.updated_at = job.now;
    if (instance.vm_state == "active") instance.active_at = instance.created_at;
    if (const auto room = job.state.parts.fleet.check_room_for_instances(1); !room)
      return row.leave_out(room.error().message);
    const auto before = job.state.parts.fleet.put_instance(instance);
    if (before)
      job.undo.emplace_back([before](fleet::Fleet& fleet) { fleet.put_instance(*before); });
    else
      job.undo.emplace_back([uuid = instance.uuid](fleet::Fleet& fleet) { fleet.remove_instance(uuid); });
    job.outcome.batch.push_back(stored(store::Kind::instance, instance.uuid, instance));
    ++job.instances;
  });
}

void name_unknown_tables(Import& job) {
  for (const auto& [name, table] : job.tables) {
    if (std::find(known_tables.begin(), known_tables.end(), std::string_view(name)) == known_tables.end()) {
      job.skipped.push_back(json::value("table '" + std::string(name) + "': not one that is imported"));
    } else if (!table.is_array() && !table.is_null()) {
      job.skipped.push_back(json::value("table '" + std::string(name) + "': expected a list of rows, found " +
                                        std::string(json::type_name(table))));
    }
  }
}

Outcome import_tables(State& state, const MethodCall& call) {
  auto tables = required_object(call.args, "tables");
  if (!tables) return failed(std::move(tables).error());
  auto keep_times = optional_bool(call.args, "keep_times", false);
  if (!keep_times) return failed(std::move(keep_times).error());
  if (json::find(*tables, "services") == nullptr && json::find(*tables, "compute_nodes") == nullptr) {
    return failed(
        {ErrorCode::invalid_argument,
         "argument 'tables': expected Nova's tables by name (services, compute_nodes, aggregates, ...), found "
         "neither services nor compute_nodes",
         {}});
  }
  auto outcome = changing(state);
  Import job{state, *tables, *keep_times, now_nanoseconds(), outcome};
  import_services(job);
  import_compute_nodes(job);
  import_aggregates(job);
  import_instances(job);
  name_unknown_tables(job);
  const bool is_empty = outcome.batch.empty();
  outcome.undo = [&state, steps = std::move(job.undo)] {
    for (auto step = steps.rbegin(); step != steps.rend(); ++step) (*step)(state.parts.fleet);
  };
  if (!is_empty) {
    outcome.events.push_back({"fleet.imported",
                              {},
                              {},
                              {},
                              {{"services", job.services},
                               {"compute_nodes", job.compute_nodes},
                               {"aggregates", job.aggregates},
                               {"instances", job.instances}}});
  }
  outcome.reply = json::value(json::object{{"services", job.services},
                                           {"compute_nodes", job.compute_nodes},
                                           {"aggregates", job.aggregates},
                                           {"instances", job.instances},
                                           {"skipped", std::move(job.skipped)}});
  return outcome;
}

}  // namespace

std::vector<Method> nova_import_methods() {
  using enum ArgumentType;
  return {
      {.name = "import",
       .group = "reports",
       .effect = Effect::changes,
       .callers = admins,
       .summary = "Takes over rows of Nova's own tables.",
       .args =
           {required("tables", object, "Rows by table: services, compute_nodes, instances, aggregates and theirs.",
                     R"({"services":[{"topic":"compute","host":"imported","binary":"nova-compute","deleted":0}]})"),
            optional("keep_times", truth, "Keeps the rows' own times; else they are as of now.").otherwise("false")},
       .result = "Imported",
       .handle = import_tables,
       .audit = {"fleet.imported", "fleet"}}};
}

}  // namespace gantry::scheduling
