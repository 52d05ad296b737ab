// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/method_table.hpp"

#include <algorithm>

#include "core/scheduling/methods.hpp"

namespace gantry::scheduling {

std::span<const Method> method_table() {
  static const std::vector<Method> table{
      {"acknowledge_cast", Effect::idempotent, {"id"}, acknowledge_cast},
      {"add_aggregate_host", Effect::idempotent, {"aggregate", "host"}, add_aggregate_host},
      {"create_aggregate", Effect::changes, {"name", "availability_zone", "metadata"}, create_aggregate},
      {"create_group", Effect::changes, {"name", "policy", "rules"}, create_group},
      {"create_token", Effect::changes, {"name", "role", "host", "topics", "expires_in", "sha256"}, create_token},
      {"delete_aggregate", Effect::changes, {"aggregate"}, delete_aggregate},
      {"delete_group", Effect::changes, {"group"}, delete_group},
      {"delete_instance", Effect::changes, {"instance"}, delete_instance},
      {"disable_service", Effect::idempotent, {"topic", "host", "reason"}, disable_service},
      {"enable_service", Effect::idempotent, {"topic", "host"}, enable_service},
      {"force_down_service", Effect::idempotent, {"topic", "host", "forced_down"}, force_down_service},
      {"group_hosts", Effect::reads, {"group"}, group_hosts},
      {"hosts_up", Effect::reads, {"topic"}, hosts_up},
      {"import", Effect::idempotent, {"tables", "keep_times"}, import_tables},
      {"list_aggregates", Effect::reads, {}, list_aggregates},
      {"list_casts", Effect::reads, {}, list_casts},
      {"list_claims", Effect::reads, {}, list_claims},
      {"list_drivers", Effect::reads, {}, list_drivers},
      {"list_groups", Effect::reads, {}, list_groups},
      {"list_hosts", Effect::reads, {"topic", "host"}, list_hosts},
      {"list_instances", Effect::reads, {"host", "project_id", "vm_state"}, list_instances},
      {"list_services", Effect::reads, {"topic", "host"}, list_services},
      {"list_tokens", Effect::reads, {}, list_tokens},
      {"release_claims", Effect::idempotent, {"instance_uuid"}, release_claims},
      {"remove_aggregate_host", Effect::changes, {"aggregate", "host"}, remove_aggregate_host},
      {"remove_host", Effect::changes, {"name", "topic"}, remove_host},
      {"remove_service", Effect::changes, {"topic", "host"}, remove_service},
      {"report_state", Effect::idempotent, {"topic", "host"}, report_state},
      {"revoke_token", Effect::changes, {"token"}, revoke_token},
      {"schedule", Effect::changes, {"topic", "schedule_method", "kwargs"}, schedule},
      {"schedule_run_instance",
       Effect::changes,
       {"request_spec", "admin_password", "injected_files", "requested_networks", "is_first_time", "filter_properties",
        "legacy_bdm_in_spec"},
       schedule_run_instance},
      {"select_destinations",
       Effect::changes,
       {"request_spec", "spec_obj", "filter_properties", "instance_uuids", "return_objects", "return_alternates",
        "alternates", "explain", "dry_run"},
       select_destinations},
      {"service_register", Effect::idempotent, {"topic", "host", "binary"}, service_register},
      {"show_aggregate", Effect::reads, {"aggregate"}, show_aggregate},
      {"show_group", Effect::reads, {"group"}, show_group},
      {"show_host", Effect::reads, {"name", "topic"}, show_host},
      {"show_instance", Effect::reads, {"instance"}, show_instance},
      {"stats_wanted", Effect::reads, {"topic"}, stats_wanted},
      {"status", Effect::reads, {}, status},
      {"update_aggregate", Effect::idempotent, {"aggregate", "metadata", "name"}, update_aggregate},
      {"update_instance",
       Effect::idempotent,
       {"uuid", "vm_state", "task_state", "fault", "host", "node"},
       update_instance},
      {"update_resource_stats", Effect::idempotent, {"name", "stats", "topic", "sampled_at"}, update_resource_stats},
      {"update_service_capabilities",
       Effect::idempotent,
       {"service_name", "host", "capabilities"},
       update_service_capabilities},
  };
  return table;
}

const Method* find_method(std::string_view name) {
  const auto table = method_table();
  const auto found =
      std::lower_bound(table.begin(), table.end(), name,
                       [](const Method& method, std::string_view wanted) { return method.name < wanted; });
  return found != table.end() && found->name == name ? &*found : nullptr;
}

}  // namespace gantry::scheduling
