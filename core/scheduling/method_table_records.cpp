// SPDX-License-Identifier: Apache-2.0
//
// The methods that show what the service holds: instances, claims, casts, drivers, itself.
#include "core/scheduling/method_table.hpp"
#include "core/scheduling/methods.hpp"

namespace gantry::scheduling {

using enum ArgumentType;

namespace {

constexpr auto instance = required("instance", text, "Its uuid, or a name that no other has.", "web-1");

}  // namespace

std::vector<Method> record_methods() {
  return {
      {"delete_instance",
       Effect::changes,
       "Deletes an instance, casts terminate_instance to its host and releases its claims.",
       {instance},
       "Nothing",
       delete_instance},
      {"doctor",
       Effect::reads,
       "Whether what must hold does: limits, claims, instances, casts, and store and memory the same.",
       {},
       "Examination",
       nullptr},
      {"list_casts", Effect::reads, "The casts that wait for a host.", {}, "[Cast]", list_casts},
      {"list_claims", Effect::reads, "What picks hold until a host reports it.", {}, "[Claim]", list_claims},
      {"list_drivers", Effect::reads, "The drivers that are loaded.", {}, "[Driver]", list_drivers},
      {"list_instances",
       Effect::reads,
       "The instances, the oldest first.",
       {optional("host", text, "Only those on this host.", "node1"),
        optional("project_id", text, "Only this project's.", "demo"),
        optional("vm_state", text, "Only those in this state.", "active")},
       "[Instance]",
       list_instances},
      {"show_instance",
       Effect::reads,
       "One instance, with the decision that placed it.",
       {instance},
       "InstanceWithDecision",
       show_instance},
      {"status", Effect::reads, "The service itself: version, drivers, topics, counters.", {}, "Status", status},
  };
}

}  // namespace gantry::scheduling
