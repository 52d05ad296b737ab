// SPDX-License-Identifier: Apache-2.0
//
// Imports rows of Nova's own tables (nova and nova_api) from a JSON dump: table name -> rows.
#include <algorithm>
#include <array>
#include <limits>
#include <map>

#include "core/encoding/uuid.hpp"
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
  store::Batch batch;
  fleet::ClaimChanges claims;
  json::array skipped;
  std::int64_t services = 0, compute_nodes = 0, aggregates = 0, instances = 0;
  std::vector<std::function<void(fleet::Fleet&)>> undo = {};  // called in reverse order

  void skip(std::string_view table, std::size_t row, std::string_view why) {
    skipped.push_back(json::value(std::string(table) + "[" + std::to_string(row) + "]: " + std::string(why)));
  }
};

std::string text(const json::object& row, std::string_view key) {
  return std::string(json::find_string(row, key).value_or(""));
}

// MySQL's booleans are numbers.
bool truth(const json::object& row, std::string_view key) {
  return json::find_bool(row, key).value_or(json::find_integer(row, key).value_or(0) != 0);
}

std::int64_t time_of(const Import& import, const json::object& row, std::string_view key) {
  if (!import.keep_times) return import.now;
  return parse_time(text(row, key)).value_or(0);
}

// Calls `take` with each live row of a table. A soft-deleted row has its id in `deleted`.
template <class Take>
void each_row(Import& import, std::string_view table, Take take) {
  const auto* rows = json::find_array(import.tables, table);
  if (rows == nullptr) return;
  for (std::size_t i = 0; i < rows->size(); ++i) {
    if (!(*rows)[i].is_object()) {
      import.skip(table, i, "expected an object, found " + std::string(json::type_name((*rows)[i])));
    } else if (!truth((*rows)[i].get_object(), "deleted")) {
      take((*rows)[i].get_object(), i);
    }
  }
}

void import_services(Import& import) {
  each_row(import, "services", [&import](const json::object& row, std::size_t index) {
    fleet::Service service;
    service.topic = text(row, "topic");
    service.host = text(row, "host");
    service.binary = text(row, "binary");
    if (service.topic.empty() || service.host.empty()) {
      import.skip("services", index, service.binary + " has no topic or no host");
      return;
    }
    service.disabled = truth(row, "disabled");
    service.disabled_reason = text(row, "disabled_reason");
    service.forced_down = truth(row, "forced_down");
    service.last_seen_up = time_of(import, row, "last_seen_up");
    service.report_count = static_cast<std::uint64_t>(std::clamp<std::int64_t>(
        json::find_integer(row, "report_count").value_or(0), 0, std::numeric_limits<std::int64_t>::max() / 2));
    const auto before = import.state.parts.fleet.put_service(service);
    import.undo.emplace_back([before, topic = service.topic, host = service.host](fleet::Fleet& fleet) {
      before ? (void)fleet.put_service(*before) : (void)fleet.remove_service(topic, host);
  });
  import.batch.push_back(stored(store::Kind::service, service_key(service.topic, service.host), service));
  ++import.services;
});
}

void import_compute_nodes(Import& import) {
  each_row(import, "compute_nodes", [&import](const json::object& row, std::size_t index) {
    fleet::ComputeNode node;
    node.topic = "compute";
    node.host = text(row, "host");
    node.node = text(row, "hypervisor_hostname");
    if (node.host.empty()) {
      import.skip("compute_nodes", index, "has no host");
      return;
    }
    node.stats = row;
    node.updated_at = time_of(import, row, "updated_at");
    node.sampled_at = node.updated_at;
    fleet::ComputeNode merged;
    const auto before = import.state.parts.fleet.put_compute_node(node, merged, import.claims);
    import.undo.emplace_back([before, host = node.host, name = node.node](fleet::Fleet& fleet) {
      before ? fleet.restore_compute_node(*before) : (void)fleet.remove_compute_node("compute", host, name);
  });
  import.batch.push_back(
      stored(store::Kind::compute_node, compute_node_key(merged.topic, merged.host, merged.node), merged));
  ++import.compute_nodes;
});
}

void import_aggregates(Import& import) {
  each_row(import, "aggregates", [&import](const json::object& row, std::size_t index) {
    fleet::Aggregate aggregate;
    aggregate.id = json::find_integer(row, "id").value_or(0);
    aggregate.uuid = text(row, "uuid");
    aggregate.name = text(row, "name");
    if (aggregate.id <= 0 || aggregate.name.empty()) {
      import.skip("aggregates", index, "has no id or no name");
      return;
    }
    each_row(import, "aggregate_hosts", [&aggregate](const json::object& member, std::size_t) {
      if (json::find_integer(member, "aggregate_id") == aggregate.id) aggregate.hosts.push_back(text(member, "host"));
    });
    each_row(import, "aggregate_metadata", [&aggregate](const json::object& item, std::size_t) {
      if (json::find_integer(item, "aggregate_id") == aggregate.id)
        aggregate.metadata[text(item, "key")] = text(item, "value");
    });
    if (import.state.next_aggregate_id <= aggregate.id) import.state.next_aggregate_id = aggregate.id + 1;
    const auto before = import.state.parts.fleet.put_aggregate(aggregate);
    import.undo.emplace_back([before, id = aggregate.id](fleet::Fleet& fleet) {
      before ? (void)fleet.put_aggregate(*before) : (void)fleet.remove_aggregate(id);
  });
  import.batch.push_back(stored(store::Kind::aggregate, std::to_string(aggregate.id), aggregate));
  ++import.aggregates;
});
}

// Maps an instance to the name of its flavor, from its last request: Nova's instances table has only a number.
std::map<std::string, std::string> flavor_names(Import& import) {
  std::map<std::string, std::string> names;
  each_row(import, "request_specs", [&names](const json::object& row, std::size_t /*index*/) {
    auto spec = json::parse(text(row, "spec"));
    if (!spec) return;
    open_envelopes(*spec);
    const auto* fields = spec->if_object();
    const auto* flavor = fields == nullptr ? nullptr : json::find_object(*fields, "flavor");
    if (flavor != nullptr) names[text(row, "instance_uuid")] = text(*flavor, "name");
  });
  return names;
}

void import_instances(Import& import) {
  const auto flavors = flavor_names(import);
  each_row(import, "instances", [&import, &flavors](const json::object& row, std::size_t index) {
    const auto uuid = parse_uuid(text(row, "uuid"));
    if (!uuid) {
      import.skip("instances", index, "has no uuid");
      return;
    }
    fleet::Instance instance;
    instance.uuid = to_text(*uuid);
    instance.name = text(row, "display_name");
    instance.project_id = text(row, "project_id");
    instance.user_id = text(row, "user_id");
    instance.host = text(row, "host");
    instance.node = text(row, "node");
    instance.availability_zone = text(row, "availability_zone");
    instance.vm_state = text(row, "vm_state");
    instance.task_state = text(row, "task_state");
    instance.launch_index = json::find_integer(row, "launch_index").value_or(0);
    if (const auto named = flavors.find(instance.uuid); named != flavors.end()) instance.flavor["name"] = named->second;
    for (const auto* key : {"vcpus", "memory_mb", "root_gb", "ephemeral_gb"}) {
      if (const auto* value = json::find(row, key)) instance.flavor[key] = *value;
    }
    instance.created_at = time_of(import, row, "created_at");
    instance.updated_at = import.now;
    if (instance.vm_state == "active") instance.active_at = instance.created_at;
    const auto before = import.state.parts.fleet.put_instance(instance);
    import.undo.emplace_back([before, uuid = instance.uuid](fleet::Fleet& fleet) {
      before ? (void)fleet.put_instance(*before) : (void)fleet.remove_instance(uuid);
  });
  import.batch.push_back(stored(store::Kind::instance, instance.uuid, instance));
  ++import.instances;
});
}

void name_unknown_tables(Import& import) {
  constexpr std::array<std::string_view, 7> known{"services",        "compute_nodes",      "instances",    "aggregates",
                                                  "aggregate_hosts", "aggregate_metadata", "request_specs"};
  for (const auto& table : import.tables) {
    if (std::find(known.begin(), known.end(), std::string_view(table.key())) == known.end()) {
      import.skipped.push_back(json::value("table '" + std::string(table.key()) + "': not one that is imported"));
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
  Import import{state, *tables, *keep_times, now_nanoseconds(), {}, {}, {}};
  import_services(import);
  import_compute_nodes(import);
  import_aggregates(import);
  import_instances(import);
  name_unknown_tables(import);
  outcome.batch = std::move(import.batch);
  outcome.claims = std::move(import.claims);
  outcome.undo = [&state, steps = std::move(import.undo)] {
    for (auto step = steps.rbegin(); step != steps.rend(); ++step) (*step)(state.parts.fleet);
  };
  outcome.events.push_back({"fleet.imported",
                            {},
                            {},
                            {},
                            {{"services", import.services},
                             {"compute_nodes", import.compute_nodes},
                             {"aggregates", import.aggregates},
                             {"instances", import.instances}}});
  outcome.reply = json::value(json::object{{"services", import.services},
                                           {"compute_nodes", import.compute_nodes},
                                           {"aggregates", import.aggregates},
                                           {"instances", import.instances},
                                           {"skipped", std::move(import.skipped)}});
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
