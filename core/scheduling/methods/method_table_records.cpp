// SPDX-License-Identifier: Apache-2.0
//
// The methods that show what the service holds: instances, claims, casts, drivers, itself.
#include "core/scheduling/methods/method_table.hpp"
#include "core/scheduling/methods/methods.hpp"

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
      {"events",
       Effect::reads,
       "What has happened, each told after its commit; waits for something to happen where it is asked to.",
       {optional("after", text, "The cursor of the answer before, an event's id, or first; not given: from now on.",
                 "first"),
        optional("wait_ms", integer, "How long to wait for one, but no longer than a call may take.", "0")
            .between(0, 60'000)
            .otherwise("0"),
        optional("limit", integer, "The most at once.", "100").between(1, 1000).otherwise("100"),
        optional("types", any, "Only these: a list, or text with commas; whole types or the part before the dot."),
        optional("host", text, "Only those of this host."), optional("instance", text, "Only those of this instance.")},
       "Events",
       nullptr},
      {"export_fleet",
       Effect::reads,
       "All that decisions rest on, of one instant, in the format of gantry whatif: gantry-fleet(5).",
       {},
       "FleetFile",
       export_fleet},
      {"list_casts",
       Effect::reads,
       "The casts that wait for a host, the oldest first.",
       {optional("topic", text, "Only this topic's.", "compute"), optional("host", text, "Only this host's.", "node1"),
        optional("method", text, "Only those of this method.", "run_instance"),
        optional("instance", text, "Only those about this instance."), page_limit, page_marker},
       "[Cast]",
       list_casts},
      {"list_claims",
       Effect::reads,
       "What picks hold until a host reports it.",
       {optional("topic", text, "Only this topic's.", "compute"), optional("host", text, "Only this host's.", "node1"),
        optional("instance", text, "Only this consumer's."), page_limit, page_marker},
       "[Claim]",
       list_claims},
      {"list_drivers",
       Effect::reads,
       "The drivers that are loaded.",
       {page_limit, page_marker},
       "[Driver]",
       list_drivers},
      {"list_instances",
       Effect::reads,
       "The instances, the oldest first.",
       {optional("host", text, "Only those on this host.", "node1"),
        optional("project_id", text, "Only this project's.", "demo"),
        optional("vm_state", text, "Only those in this state.", "active"),
        optional("name", text, "Only those of this name."), page_limit, page_marker},
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
