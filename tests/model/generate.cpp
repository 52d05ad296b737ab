// SPDX-License-Identifier: Apache-2.0
#include "tests/model/generate.hpp"

#include <algorithm>
#include <array>

namespace gantry::model {

// How often each method is called, relative to the others.
const std::vector<Generator::Kind>& Generator::kinds() {
  using G = Generator;
  static const std::vector<Kind> all{
      {"service_register", 12, &G::register_service},
      {"report_state", 6, &G::topic_and_host},
      {"enable_service", 5, &G::topic_and_host},
      {"disable_service", 3, &G::disable},
      {"force_down_service", 4, &G::force_down},
      {"remove_service", 2, &G::topic_and_host},
      {"update_resource_stats", 16, &G::update_resource_stats},
      {"update_service_capabilities", 4, &G::capabilities},
      {"remove_host", 2, &G::name_and_topic},
      {"show_host", 3, &G::name_and_topic},
      {"list_hosts", 2, &G::list_of_host},
      {"list_services", 2, &G::list_of_host},
      {"hosts_up", 2, &G::topic_alone},
      {"stats_wanted", 1, &G::topic_alone},
      {"create_aggregate", 4, &G::create_aggregate},
      {"update_aggregate", 4, &G::update_aggregate},
      {"delete_aggregate", 1, &G::delete_aggregate},
      {"show_aggregate", 2, &G::aggregate},
      {"add_aggregate_host", 6, &G::aggregate_and_host},
      {"remove_aggregate_host", 3, &G::aggregate_and_host},
      {"list_aggregates", 1, &G::none},
      {"create_group", 3, &G::create_group},
      {"delete_group", 1, &G::group},
      {"show_group", 2, &G::group},
      {"group_hosts", 2, &G::group},
      {"list_groups", 1, &G::none},
      {"schedule_run_instance", 14, &G::run_instance},
      {"select_destinations", 12, &G::select},
      {"update_instance", 10, &G::update_instance},
      {"update_instance", 10, &G::fail_build},
      {"list_build_failures", 1, &G::none},
      {"clear_build_failures", 1, &G::host_alone},
      {"delete_instance", 8, &G::instance},
      {"show_instance", 2, &G::instance},
      {"list_instances", 2, &G::list_instances},
      {"release_claims", 5, &G::instance_uuid},
      {"list_claims", 2, &G::none},
      {"receive_casts", 6, &G::receive},
      {"acknowledge_cast", 12, &G::acknowledge},
      {"list_casts", 1, &G::none},
      {"import", 1, &G::import},
      {"schedule", 1, &G::schedule},
      {"status", 1, &G::none},
      {"list_drivers", 1, &G::none},
      {"no_such_method", 1, &G::none},
      {"restart", 1, &G::none},
      {"prepare_successor", 1, &G::none},
  };
  return all;
}

Step Generator::next() {
  std::size_t total = 0;
  for (const auto& kind : kinds()) total += kind.weight;
  auto at = below(total);
  for (const auto& kind : kinds()) {
    if (at >= kind.weight) {
      at -= kind.weight;
      continue;
    }
    Step step{kind.method, (this->*kind.make)(), {}};
    if (one_in(4)) step.key = numbered("k", 30);
    if (one_in(40) && !step.args.empty()) step.args.erase(step.args.begin());
    if (one_in(80)) step.args["no_such_argument"] = 1;
    return step;
  }
  return {};
}

std::vector<Step> Generator::sequence(std::size_t length) {
  std::vector<Step> steps;
  while (steps.size() < length) {
    // A retry of something that was asked not long ago.
    if (!steps.empty() && one_in(25)) {
      const auto back = 1 + below(std::min<std::size_t>(steps.size(), 10));
      steps.push_back(steps[steps.size() - back]);
    } else {
      steps.push_back(next());
    }
  }
  return steps;
}

std::string Generator::uuid() {
  return "00000000-0000-4000-8000-0000000000" + std::to_string(10 + below(14));
}

// h5 and h6 have nodes, the others none.
json::value Generator::node_name() {
  const auto name = host();
  if (name < "h5") return json::value(name);
  return json::array{json::value(name), json::value(numbered("n", 2))};
}

json::array Generator::uuids(std::size_t most) {
  json::array list;
  const auto first = below(14);
  const auto count = 1 + below(most);
  for (std::size_t i = 0; i < count; ++i) {
    list.emplace_back("00000000-0000-4000-8000-0000000000" + std::to_string(10 + (first + i) % 14));
  }
  return list;
}

json::object Generator::topic_and_host() {
  return {{"topic", topic()}, {"host", host()}};
}

json::object Generator::register_service() {
  auto args = topic_and_host();
  if (one_in(2)) args["binary"] = numbered("binary-", 2);
  return args;
}

json::object Generator::disable() {
  auto args = topic_and_host();
  if (one_in(2)) args["reason"] = numbered("reason ", 3);
  return args;
}

json::object Generator::force_down() {
  auto args = topic_and_host();
  if (!one_in(3)) args["forced_down"] = one_in(4);
  return args;
}

json::object Generator::report() {
  json::object stats;
  const auto set = [&](const char* key, std::int64_t value) {
    if (!one_in(8)) stats[key] = value;
  };
  set("vcpus", static_cast<std::int64_t>(2 + below(6)));
  set("memory_mb", 8192);
  set("local_gb", 100);
  set("vcpus_used", static_cast<std::int64_t>(below(3)));
  set("memory_mb_used", static_cast<std::int64_t>(below(2048)));
  set("local_gb_used", static_cast<std::int64_t>(below(20)));
  stats["cpu_allocation_ratio"] = 1;
  if (one_in(6)) stats["extra"] = numbered("x", 3);
  if (one_in(8)) stats["cpu_info"] = json::object{{"model", numbered("m", 2)}};
  if (one_in(8)) stats[one_in(2) ? "extra" : "vcpus_used"] = nullptr;
  if (one_in(12)) stats["cpu_info"] = nullptr;
  if (one_in(4)) stats["instances"] = uuids(3);
  if (one_in(10)) stats["instances"] = json::array();
  return stats;
}

json::object Generator::update_resource_stats() {
  json::object args{{"name", node_name()}, {"stats", report()}};
  if (one_in(5)) args["sampled_at"] = "2025-01-01T00:00:00Z";
  if (one_in(20)) args["topic"] = "storage";
  return args;
}

json::object Generator::capabilities() {
  return {{"service_name", topic()}, {"host", host()}, {"capabilities", json::object{{"can", numbered("c", 3)}}}};
}

json::object Generator::name_and_topic() {
  json::object args{{"name", one_in(4) ? json::value(host()) : node_name()}};
  if (one_in(6)) args["topic"] = topic();
  return args;
}

json::object Generator::topic_alone() {
  return {{"topic", one_in(12) ? "nothing" : topic()}};
}

json::object Generator::list_of_host() {
  json::object args;
  if (one_in(2)) args["topic"] = topic();
  if (one_in(2)) args["host"] = host();
  return args;
}

json::object Generator::create_aggregate() {
  json::object args{{"name", numbered("a", 4)}};
  if (one_in(2)) args["availability_zone"] = numbered("zone", 2);
  if (one_in(3)) args["metadata"] = json::object{{"ssd", one_in(5) ? json::value(true) : json::value("true")}};
  return args;
}

json::object Generator::update_aggregate() {
  auto args = aggregate();
  json::object metadata;
  if (one_in(2)) metadata["availability_zone"] = one_in(2) ? json::value(nullptr) : json::value(numbered("zone", 2));
  if (one_in(2)) metadata["ssd"] = one_in(2) ? json::value(nullptr) : json::value(numbered("v", 2));
  if (!one_in(4)) args["metadata"] = std::move(metadata);
  if (one_in(6)) args["name"] = numbered("a", 5);
  if (one_in(2)) args["force"] = true;
  return args;
}

json::object Generator::delete_aggregate() {
  auto args = aggregate();
  if (one_in(2)) args["force"] = true;
  return args;
}

json::object Generator::aggregate() {
  if (one_in(5)) return {{"aggregate", static_cast<std::int64_t>(1 + below(4))}};
  return {{"aggregate", numbered("a", 4)}};
}

json::object Generator::aggregate_and_host() {
  auto args = aggregate();
  args["host"] = host();
  if (one_in(2)) args["force"] = true;
  return args;
}

json::object Generator::create_group() {
  constexpr std::array<const char*, 5> policies{"affinity", "anti-affinity", "soft-affinity", "soft-anti-affinity",
                                                "nearby"};
  json::object args{{"name", numbered("g", 3)}, {"policy", policies[below(policies.size())]}};
  if (one_in(3)) args["rules"] = json::object{{"max_server_per_host", one_in(4) ? 0 : 2}};
  return args;
}

json::object Generator::group() {
  return {{"group", numbered("g", 3)}};
}

json::object Generator::spec(bool with_uuids) {
  json::object spec{{"instance_type",
                     {{"name", "flavor"},
                      {"vcpus", static_cast<std::int64_t>(1 + below(2))},
                      {"memory_mb", 512},
                      {"root_gb", static_cast<std::int64_t>(below(30))}}},
                    {"instance_properties", {{"project_id", numbered("p", 2)}, {"display_name", numbered("vm", 6)}}}};
  if (with_uuids) {
    spec["instance_uuids"] = uuids(3);
  } else {
    spec["num_instances"] = static_cast<std::int64_t>(1 + below(3));
  }
  json::object hints;
  if (one_in(4)) hints["group"] = numbered("g", 3);
  if (!hints.empty()) spec["scheduler_hints"] = std::move(hints);
  if (one_in(10)) spec["ignore_hosts"] = json::array{json::value(host())};
  return spec;
}

json::object Generator::run_instance() {
  json::object args{{"request_spec", spec(true)}};
  if (one_in(3)) args["admin_password"] = "secret";
  return args;
}

json::object Generator::select() {
  const bool with_uuids = !one_in(4);
  json::object args{{"request_spec", spec(with_uuids)}};
  if (one_in(6)) args["dry_run"] = true;
  return args;
}

json::object Generator::update_instance() {
  constexpr std::array<const char*, 4> states{"building", "active", "error", "deleted"};
  json::object args{{"uuid", uuid()}};
  if (!one_in(5)) args["vm_state"] = one_in(3) ? states[below(states.size())] : "active";
  if (one_in(4)) args["task_state"] = numbered("task", 2);
  if (one_in(5)) args["fault"] = numbered("fault ", 2);
  if (one_in(8)) args["host"] = numbered("h", 4);
  return args;
}

// Often enough for a host to fail several builds before it makes one.
json::object Generator::fail_build() {
  return {{"uuid", json::object{{"$building", static_cast<std::int64_t>(below(14))}}}, {"vm_state", "error"}};
}

json::object Generator::host_alone() {
  return {{"host", host()}};
}

json::object Generator::instance() {
  return {{"instance", one_in(4) ? numbered("vm", 6) : uuid()}};
}

json::object Generator::instance_uuid() {
  return {{"instance_uuid", uuid()}};
}

json::object Generator::list_instances() {
  json::object args;
  if (one_in(3)) args["host"] = host();
  if (one_in(3)) args["project_id"] = numbered("p", 2);
  if (one_in(3)) args["vm_state"] = one_in(2) ? "active" : "building";
  return args;
}

json::object Generator::receive() {
  json::object args{{"topic", "compute"}};
  if (one_in(2)) {
    args["hosts"] = json::array{json::value(host()), json::value("h7")};
  } else {
    args["host"] = host();
  }
  if (one_in(3)) args["limit"] = static_cast<std::int64_t>(1 + below(2));
  return args;
}

json::object Generator::acknowledge() {
  if (one_in(8)) return {{"id", "no-such-cast"}};
  return {{"id", json::object{{"$cast", static_cast<std::int64_t>(below(20))}}}};
}

json::object Generator::import() {
  json::object tables;
  json::array services;
  services.push_back(json::object{{"topic", topic()},
                                  {"host", host()},
                                  {"binary", "nova"},
                                  {"disabled", one_in(3) ? 1 : 0},
                                  {"report_count", 7},
                                  {"deleted", one_in(5) ? 3 : 0}});
  tables["services"] = std::move(services);
  if (one_in(2)) {
    auto row = report();
    row["host"] = numbered("h", 4);
    tables["compute_nodes"] = json::array{json::value(std::move(row))};
  }
  if (one_in(2)) {
    const auto id = static_cast<std::int64_t>(101 + below(2));
    tables["aggregates"] = json::array{json::object{{"id", id}, {"name", "imported" + std::to_string(id)}}};
    tables["aggregate_hosts"] = json::array{json::object{{"aggregate_id", id}, {"host", host()}}};
  }
  if (one_in(2)) {
    tables["instances"] = json::array{json::object{{"uuid", uuid()},
                                                   {"display_name", numbered("vm", 6)},
                                                   {"host", numbered("h", 4)},
                                                   {"vm_state", "active"},
                                                   {"project_id", "p1"},
                                                   {"vcpus", 1}}};
  }
  return {{"tables", std::move(tables)}};
}

json::object Generator::schedule() {
  return {{"topic", topic()}, {"schedule_method", "do_it"}, {"kwargs", json::object()}};
}

}  // namespace gantry::model
