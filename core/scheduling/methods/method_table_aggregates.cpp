// SPDX-License-Identifier: Apache-2.0
//
// The methods for aggregates, availability zones and server groups.
#include "core/scheduling/methods/method_table.hpp"
#include "core/scheduling/methods/methods.hpp"

namespace gantry::scheduling {

using enum ArgumentType;

namespace {

constexpr auto aggregate = required("aggregate", id_or_name, "Its id or name.", R"("ssd")");
constexpr auto group = required("group", text, "Its uuid or name.", "web");

}  // namespace

std::vector<Method> aggregate_methods() {
  return {
      {"add_aggregate_host",
       Effect::changes,
       "Puts a host into an aggregate; a host is in one availability zone at most.",
       {aggregate, required("host", text, "The host, of topic compute.", "node1")},
       "Aggregate",
       add_aggregate_host},
      {"create_aggregate",
       Effect::changes,
       "Makes an aggregate without hosts.",
       {required("name", text, "A name that no aggregate has.", "ssd"),
        optional("availability_zone", text, "Kept as metadata too.", "nova"),
        optional("metadata", object, "Texts by key.", R"({"disk":"ssd"})")},
       "Aggregate",
       create_aggregate},
      {"create_group",
       Effect::changes,
       "Makes a server group without members, of the project and user in the context.",
       {required("name", text, "A name that no group has.", "web"),
        required("policy", text, "How members stand to each other.", "anti-affinity")
            .one_of("affinity|anti-affinity|soft-affinity|soft-anti-affinity"),
        optional("rules", object, "The policy's, such as max_server_per_host.", R"({"max_server_per_host":2})")},
       "Group",
       create_group},
      {"delete_aggregate", Effect::changes, "Deletes an aggregate.", {aggregate}, "Nothing", delete_aggregate},
      {"delete_group",
       Effect::changes,
       "Deletes a server group; its members stay where they are.",
       {group},
       "Nothing",
       delete_group},
      {"list_aggregates",
       Effect::reads,
       "The aggregates, by id.",
       {optional("host", text, "Only those that this host is in.", "node1"), page_limit, page_marker},
       "[Aggregate]",
       list_aggregates},
      {"list_groups",
       Effect::reads,
       "The server groups, by uuid.",
       {optional("policy", text, "Only those of this policy.", "anti-affinity")
            .one_of("affinity|anti-affinity|soft-affinity|soft-anti-affinity"),
        optional("project_id", text, "Only this project's."), page_limit, page_marker},
       "[Group]",
       list_groups},
      {"remove_aggregate_host",
       Effect::changes,
       "Takes a host out of an aggregate.",
       {aggregate, required("host", text, "The host.", "node1")},
       "Aggregate",
       remove_aggregate_host},
      {"show_aggregate", Effect::reads, "One aggregate.", {aggregate}, "Aggregate", show_aggregate},
      {"show_group", Effect::reads, "One server group.", {group}, "Group", show_group},
      {"update_aggregate",
       Effect::changes,
       "Changes an aggregate's metadata or name.",
       {aggregate,
        optional("metadata", object, "Texts by key, merged with those there are; null removes one.",
                 R"({"disk":null,"speed":"high"})"),
        optional("name", text, "Its new name.")},
       "Aggregate",
       update_aggregate},
  };
}

}  // namespace gantry::scheduling
