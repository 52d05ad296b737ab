// SPDX-License-Identifier: Apache-2.0
//
// The methods by which operators see and set hosts and their services.
#include "core/scheduling/methods/method_table.hpp"
#include "core/scheduling/methods/methods.hpp"

namespace gantry::scheduling {

using enum ArgumentType;

namespace {

constexpr auto service_topic = required("topic", text, "The service's topic.", "compute");
constexpr auto service_host = required("host", text, "The service's host.", "node1");
constexpr auto host_topic = optional("topic", text, "The topic.", "compute").otherwise(R"("compute")");

}  // namespace

std::vector<Method> host_methods() {
  return {
      {"disable_service",
       Effect::changes,
       "Takes a service's host out of what drivers may choose.",
       {service_topic, service_host, optional("reason", text, "Shown with the service.", "new disks")},
       "Service",
       disable_service},
      {"enable_service",
       Effect::changes,
       "Undoes disable_service.",
       {service_topic, service_host},
       "Service",
       enable_service},
      {"force_down_service",
       Effect::changes,
       "Holds a service for down whatever it reports, or no longer.",
       {service_topic, service_host,
        optional("forced_down", truth, "False: it is as it reports again.", "false").otherwise("true")},
       "Service",
       force_down_service},
      {"list_hosts",
       Effect::reads,
       "The rows that drivers see: (host, node) pairs of a topic, sorted.",
       {host_topic, optional("host", text, "Only this host's rows.", "node1"),
        optional("state", text, "Only those in this state.").one_of("up|down|disabled|forced_down"),
        optional("aggregate", text, "Only those in this aggregate: its name or id."),
        optional("availability_zone", text, "Only those of this zone."), page_limit, page_marker},
       "[HostRow]",
       list_hosts},
      {"list_services",
       Effect::reads,
       "The services that have registered.",
       {optional("topic", text, "Only this topic's.", "compute"), optional("host", text, "Only this host's.", "node1"),
        optional("state", text, "Only those in this state.").one_of("up|down"),
        optional("status", text, "Only those of this status.").one_of("enabled|disabled"), page_limit, page_marker},
       "[Service]",
       list_services},
      {"remove_host",
       Effect::changes,
       "Forgets what a host or node has reported.",
       {required("name", host_name, "The host, or the pair of host and node.", R"("node1")"), host_topic},
       "Nothing",
       remove_host},
      {"remove_service",
       Effect::changes,
       "Forgets a service; it may register again.",
       {service_topic, service_host},
       "Nothing",
       remove_service},
      {"show_host",
       Effect::reads,
       "A host with its service, its report, its claims and its instances.",
       {required("name", host_name, "The host, or the pair of host and node.", R"("node1")"), host_topic},
       "Host",
       show_host},
  };
}

}  // namespace gantry::scheduling
