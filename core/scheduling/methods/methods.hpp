// SPDX-License-Identifier: Apache-2.0
//
// The functions behind the method table; sdk/methods.md says what each takes and answers.
#pragma once

#include "core/scheduling/state/state.hpp"

namespace gantry::scheduling {

// methods_scheduling: select_destinations.cpp, schedule_run_instance.cpp, schedule.cpp, hosts.cpp
Outcome select_destinations(State& state, MethodCall&& call);
Outcome schedule_run_instance(State& state, const MethodCall& call);
Outcome schedule(State& state, const MethodCall& call);
Outcome hosts_up(State& state, const MethodCall& call);
Outcome group_hosts(State& state, const MethodCall& call);
Outcome stats_wanted(State& state, const MethodCall& call);
Outcome release_claims(State& state, const MethodCall& call);

// reports.cpp
Outcome service_register(State& state, const MethodCall& call);
Outcome report_state(State& state, const MethodCall& call);
Outcome update_resource_stats(State& state, const MethodCall& call);
Outcome update_service_capabilities(State& state, const MethodCall& call);
Outcome acknowledge_cast(State& state, const MethodCall& call);

// nova_import.cpp
Outcome import_tables(State& state, const MethodCall& call);

// services.cpp
Outcome list_services(State& state, const MethodCall& call);
Outcome enable_service(State& state, const MethodCall& call);
Outcome disable_service(State& state, const MethodCall& call);
Outcome force_down_service(State& state, const MethodCall& call);
Outcome remove_service(State& state, const MethodCall& call);

// hosts.cpp
Outcome list_hosts(State& state, const MethodCall& call);
Outcome show_host(State& state, const MethodCall& call);
Outcome remove_host(State& state, const MethodCall& call);

// aggregates.cpp
Outcome list_aggregates(State& state, const MethodCall& call);
Outcome show_aggregate(State& state, const MethodCall& call);
Outcome create_aggregate(State& state, const MethodCall& call);
Outcome update_aggregate(State& state, const MethodCall& call);
Outcome delete_aggregate(State& state, const MethodCall& call);
Outcome add_aggregate_host(State& state, const MethodCall& call);
Outcome remove_aggregate_host(State& state, const MethodCall& call);

// groups.cpp
Outcome list_groups(State& state, const MethodCall& call);
Outcome show_group(State& state, const MethodCall& call);
Outcome create_group(State& state, const MethodCall& call);
Outcome delete_group(State& state, const MethodCall& call);

// instances.cpp
Outcome list_instances(State& state, const MethodCall& call);
Outcome show_instance(State& state, const MethodCall& call);
Outcome update_instance(State& state, const MethodCall& call);
Outcome delete_instance(State& state, const MethodCall& call);

// tokens.cpp
Outcome create_token(State& state, const MethodCall& call);
Outcome list_tokens(State& state, const MethodCall& call);
Outcome revoke_token(State& state, const MethodCall& call);

// fleet_export.cpp
Outcome export_fleet(State& state, const MethodCall& call);
// status.cpp
Outcome status(State& state, const MethodCall& call);
Outcome list_claims(State& state, const MethodCall& call);
Outcome list_casts(State& state, const MethodCall& call);
Outcome list_drivers(State& state, const MethodCall& call);

// Shown forms, shared by the methods above.
json::object shown(const fleet::Service& service, const fleet::Fleet& fleet, fleet::Nanoseconds now);
json::object shown(const fleet::Aggregate& aggregate);
json::object shown(const fleet::Group& group, const fleet::Fleet& fleet);
json::object shown(const fleet::Instance& instance, bool with_decision);
json::object shown(const fleet::Claim& claim);

}  // namespace gantry::scheduling
