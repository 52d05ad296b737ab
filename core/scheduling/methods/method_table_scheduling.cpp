// SPDX-License-Identifier: Apache-2.0
//
// The methods that decide, and those that drivers' answers rest on.
#include "core/scheduling/methods/method_table.hpp"
#include "core/scheduling/methods/methods.hpp"

namespace gantry::scheduling {

using enum ArgumentType;

namespace {

constexpr std::string_view example_spec =
    R"({"num_instances":1,"instance_uuids":["6c8a2f5e-0d53-4f0e-8c43-6f6c1c2f0a01"],)"
    R"("instance_properties":{"project_id":"demo","display_name":"web-1"},)"
    R"("flavor":{"name":"m1.small","vcpus":1,"memory_mb":2048,"root_gb":10,"ephemeral_gb":0}})";

}  // namespace

std::vector<Method> scheduling_methods() {
  return {
      {"group_hosts",
       Effect::reads,
       "The hosts that hold members of a server group, sorted.",
       {required("group", text, "The group's uuid or name.", "web")},
       "[text]",
       group_hosts},
      {"hosts_up",
       Effect::reads,
       "The hosts whose service on a topic is up, sorted.",
       {required("topic", text, "The topic, such as compute.", "compute")},
       "[text]",
       hosts_up},
      {"release_claims",
       Effect::changes,
       "Gives back what an instance's picks hold of hosts.",
       {required("instance_uuid", text, "The consumer of the claims.", "6c8a2f5e-0d53-4f0e-8c43-6f6c1c2f0a02")},
       "Released",
       release_claims},
      {"schedule",
       Effect::changes,
       "Calls a method that the driver of a topic offers.",
       {required("topic", text, "The topic, whose driver answers.", "volume"),
        required("schedule_method", text, "The driver's method.", "create_volume"),
        optional("kwargs", object, "Its arguments; passwords, tokens and injected files among them do not reach it.",
                 R"({"volume_id":"6c8a2f5e-0d53-4f0e-8c43-6f6c1c2f0b01","size":1})")},
       "any",
       schedule},
      {"schedule_run_instance",
       Effect::changes,
       "Decides for each instance, records it and casts run_instance to its host; one that fails is in ERROR.",
       {required("request_spec", object, "Nova's request_spec, with instance_uuids or num_instances.", example_spec),
        optional("admin_password", text, "Goes to the host, and to no driver, log or record."),
        optional("injected_files", any, "Goes to the host, and to no driver, log or record."),
        optional("requested_networks", any, "Goes to the host as it came."),
        optional("is_first_time", truth, "Goes to the host as it came.", "true"),
        optional("filter_properties", object, "Nova's filter_properties: scheduler_hints, retry and so on.", "{}"),
        optional("legacy_bdm_in_spec", truth, "Goes to the host as it came.", "false")},
       "Placed",
       schedule_run_instance},
      {"select_destinations",
       Effect::changes,
       "Destinations for the instances of a request, one each; with instance uuids, picks are claimed for a while.",
       {optional("request_spec", object, "Nova's request_spec or its RequestSpec object; this or spec_obj.",
                 R"({"num_instances":1,"flavor":{"name":"m1.small","vcpus":1,"memory_mb":2048,"root_gb":10}})"),
        optional("spec_obj", object, "Nova's RequestSpec object, by its other name."),
        optional("filter_properties", object, "Nova's filter_properties: scheduler_hints, retry and so on.", "{}"),
        optional("instance_uuids", texts, "One for each instance.", R"(["6c8a2f5e-0d53-4f0e-8c43-6f6c1c2f0a02"])"),
        optional("return_objects", truth, "Selection objects in place of dictionaries.").otherwise("false"),
        optional("return_alternates", truth, "A list for each instance, the chosen host first.").otherwise("false"),
        optional("alternates", integer, "How many alternates; with return_alternates max_attempts - 1, else none.")
            .between(0, 100),
        optional("explain", truth,
                 "The decision beside the destinations; hosts: what became of each host, too; all_filters: every "
                 "filter's verdict of it.")
            .one_of("hosts|all_filters")
            .otherwise("false"),
        optional("dry_run", truth, "Claims nothing, though uuids are given.").otherwise("false")},
       "[Destination|Selection|[Destination|Selection]]|Explained",
       select_destinations},
      {"stats_wanted",
       Effect::reads,
       "The columns that the loaded drivers need or use, so that agents send only those.",
       {optional("topic", text, "The topic.", "compute").otherwise(R"("compute")")},
       "StatsWanted",
       stats_wanted},
  };
}

}  // namespace gantry::scheduling
