// SPDX-License-Identifier: Apache-2.0
//
// The methods by which services, agents and instances say how things are.
#include "core/scheduling/methods/method_table.hpp"
#include "core/scheduling/methods/methods.hpp"

namespace gantry::scheduling {

using enum ArgumentType;

std::vector<Method> report_methods() {
  return {
      {"acknowledge_cast",
       Effect::idempotent,
       "The receiver has a cast, so that it is not sent again; also when it was acknowledged before.",
       {required("id", text, "The cast's id.", "6c8a2f5e-0d53-4f0e-8c43-6f6c1c2f0c01")},
       "Nothing",
       acknowledge_cast},
      {"import",
       Effect::changes,
       "Takes over rows of Nova's own tables.",
       {required("tables", object, "Rows by table: services, compute_nodes, instances, aggregates and theirs.",
                 R"({"services":[{"topic":"compute","host":"imported","binary":"nova-compute","deleted":0}]})"),
        optional("keep_times", truth, "Keeps the rows' own times; else they are as of now.").otherwise("false")},
       "Imported",
       import_tables},
      {"receive_casts",
       Effect::idempotent,
       "The casts that wait for a host, waiting for one to come; sent again until they are acknowledged.",
       {required("topic", text, "The topic.", "compute"),
        optional("host", text, "The host that receives; this or hosts.", "node1"),
        optional("hosts", texts, "The hosts that receive, where one program serves several."),
        optional("wait_ms", integer, "How long to wait for a cast, but no longer than a call may take.", "0")
            .between(0, 60'000)
            .otherwise("0"),
        optional("limit", integer, "The most casts at once.").between(1, 1000).otherwise("16")},
       "[ReceivedCast]",
       nullptr},
      {"report_state",
       Effect::idempotent,
       "The heartbeat of a service; not_found tells it to register again.",
       {required("topic", text, "The service's topic.", "compute"),
        required("host", text, "The service's host.", "node1")},
       "Nothing",
       report_state},
      {"service_register",
       Effect::idempotent,
       "Makes a service known, and counts as a heartbeat; what the operator had set stays.",
       {required("topic", text, "The service's topic.", "compute"),
        required("host", text, "The service's host.", "node1"),
        optional("binary", text, "The program.", "nova-compute")},
       "Service",
       service_register},
      {"update_instance",
       Effect::changes,
       "What a host says of an instance; what is not given stays.",
       {required("uuid", text, "The instance.", "6c8a2f5e-0d53-4f0e-8c43-6f6c1c2f0a01"),
        optional("vm_state", text, "An error gives back what the instance held.", "active")
            .one_of("building|active|error"),
        optional("task_state", text, "What is being done with it; emptied by active and error."),
        optional("fault", text, "Why it is in error."), optional("host", text, "Where it is."),
        optional("node", text, "The node of that host.")},
       "Instance",
       update_instance},
      {"update_resource_stats",
       Effect::idempotent,
       "A host's or node's resources, merged key by key with what it said before; null removes a key.",
       {required("name", host_name, "The host, or the pair of host and node.", R"("node1")"),
        required("stats", object, "Fields of compute_nodes and anything more; instances lists whose use it includes.",
                 R"({"vcpus":8,"vcpus_used":0,"memory_mb":16384,"memory_mb_used":512,"local_gb":100,)"
                 R"("local_gb_used":0,"host_ip":"192.0.2.11","rack":"r1"})"),
        optional("topic", text, "The topic.", "compute").otherwise(R"("compute")"),
        optional("sampled_at", time, "When it was so; now if not given.")},
       "Nothing",
       update_resource_stats},
      {"update_service_capabilities",
       Effect::idempotent,
       "What a service says it can do.",
       {required("service_name", text, "The service's topic.", "volume"),
        required("host", text, "The service's host.", "store1"),
        required("capabilities", object, "As its driver reads them.",
                 R"({"total_capacity_gb":1000,"free_capacity_gb":900})")},
       "Nothing",
       update_service_capabilities},
  };
}

}  // namespace gantry::scheduling
