// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/examination/invariants.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_set>

#include "core/encoding/uuid.hpp"
#include "core/fleet/claims/claims.hpp"

namespace gantry::scheduling {

namespace {

std::string host_text(const std::string& host, const std::string& node) {
  return node.empty() || node == host ? "host " + host : "host " + host + ", node " + node;
}

std::string number(double value) {
  return json::write(json::value(value == static_cast<double>(static_cast<std::int64_t>(value))
                                     ? json::value(static_cast<std::int64_t>(value))
                                     : json::value(value)));
}

// Whether a claim is durable and was made by a pick. The claims of a driver's own methods may be for anything.
bool is_of_an_instance(const fleet::Claim& claim) {
  return claim.durable && claim.id.empty() && claim.topic == "compute" && parse_uuid(claim.consumer) &&
         std::any_of(claim.items.begin(), claim.items.end(),
                     [](const fleet::ClaimItem& item) { return item.resource == "instances"; });
}

bool is_placed(const fleet::Instance& instance) {
  return instance.vm_state == "active" || (instance.vm_state == "building" && instance.task_state != "scheduling");
}

double amount_of(const fleet::Instance& instance, std::string_view resource) {
  const auto get = [&](std::string_view key) { return json::find_number(instance.flavor, key).value_or(0); };
  if (resource == "vcpu") return get("vcpus");
  if (resource == "memory_mb") return get("memory_mb");
  if (resource == "disk_gb") return get("root_gb") + get("ephemeral_gb") + get("swap") / 1024;
  return 0;
}

std::string driver_of(const fleet::Instance& instance) {
  return std::string(json::find_string(instance.decision, "driver").value_or(""));
}

// The amount that instances without a claim use, at most what the host reports. Counts only instances that a driver of
// the claims placed: another driver may place without limits.
double placed_by_us(const fleet::Fleet& fleet, const fleet::OverLimit& over) {
  std::set<std::string> drivers;
  for (const auto& consumer : over.consumers) {
    if (const auto instance = fleet.instance(consumer)) drivers.insert(driver_of(*instance));
  }
  double placed = 0;
  for (const auto& instance : fleet.instances({.host = over.host})) {
    if (!is_placed(instance) || !drivers.contains(driver_of(instance)) || driver_of(instance).empty()) continue;
    if (!over.node.empty() && !instance.node.empty() && instance.node != over.node) continue;
    if (fleet.find_claim(instance.uuid, over.topic, over.host, over.node)) continue;
    placed += amount_of(instance, over.resource);
  }
  return std::min(placed, over.reported);
}

void check_limits(const State& state, InvariantReport& report) {
  const auto& fleet = state.parts.fleet;
  for (const auto& over : fleet.over_limits()) {
    const double placed = over.topic == "compute" ? placed_by_us(fleet, over) : 0;
    const bool ours = over.limited + placed > over.limit * (1 + 1e-9);
    Finding finding;
    finding.rule = "limits";
    finding.what = host_text(over.host, over.node) + " of topic " + over.topic + ", " + over.resource;
    finding.expected = "at most " + number(over.limit) + " claimed and in use";
    finding.found = number(over.limited + over.unlimited) + " claimed, " + number(over.reported) + " reported in use";
    if (ours && placed > 0) finding.found += ", " + number(placed) + " of that by instances that were placed here";
    if (!ours && over.unlimited > 0) finding.found += "; claims of a driver that sets no limits are among them";
    finding.more = {{"topic", over.topic},       {"host", over.host},   {"node", over.node},
                    {"resource", over.resource}, {"limit", over.limit}, {"claimed", over.limited + over.unlimited},
                    {"reported", over.reported}};
    (ours ? report.findings : report.remarks).push_back(std::move(finding));
  }
}

// Whether the claim still waits for a missing cast: `claim` is a copy and may be older than the queue.
bool still_waits(const State& state, const fleet::Claim& claim) {
  const auto now = state.parts.fleet.find_claim(claim.consumer, claim.topic, claim.host, claim.node, claim.id);
  return now && now->cast_waits && state.casts.ids_of(claim.consumer).empty();
}

void check_claims(const State& state, InvariantReport& report) {
  const auto claims = state.parts.fleet.claims();
  report.claims = claims.size();
  for (const auto& claim : claims) {
    const auto what =
        "claim of " + claim.consumer + " on " + host_text(claim.host, claim.node) + " of topic " + claim.topic;
    const json::object more{
        {"instance", claim.consumer}, {"topic", claim.topic}, {"host", claim.host}, {"node", claim.node}};
    if (is_of_an_instance(claim)) {
      const auto instance = state.parts.fleet.instance(claim.consumer);
      const bool is_alive = instance && instance->vm_state != "deleted";
      if (!is_alive && state.parts.fleet.find_claim(claim.consumer, claim.topic, claim.host, claim.node)) {
        report.findings.push_back({"claim_instance", what, "the instance that it was made for",
                                   instance ? "it is deleted" : "no such instance", more});
      }
    }
    if (claim.cast_waits && state.casts.ids_of(claim.consumer).empty() && still_waits(state, claim)) {
      report.findings.push_back(
          {"claim_cast", what, "the cast that it waits for", "no cast waits for " + claim.consumer, more});
    }
  }
}

bool is_listed(const fleet::Fleet& fleet, const fleet::Claim& claim, const std::string& uuid) {
  const auto node = fleet.compute_node(claim.topic, claim.host, claim.node);
  const auto* listed = node ? json::find_array(node->stats, "instances") : nullptr;
  return listed != nullptr && std::any_of(listed->begin(), listed->end(), [&uuid](const json::value& id) {
           return id.is_string() && fleet::consumer_key(std::string_view(id.get_string())) == uuid;
         });
}

// Whether the claim is the one of a pick and holds what the instance's flavor asks for. A flavor's disk is left out,
// since an instance that boots from a volume takes less.
bool holds_all(const fleet::Claim& claim, const fleet::Instance& instance) {
  const auto holds = [&claim](std::string_view resource, double amount) {
    return std::any_of(claim.items.begin(), claim.items.end(), [&](const fleet::ClaimItem& item) {
      return item.resource == resource && item.amount >= amount;
    });
  };
  return claim.id.empty() && holds("instances", 1) && holds("vcpu", amount_of(instance, "vcpu")) &&
         holds("memory_mb", amount_of(instance, "memory_mb"));
}

// Whether the claim is on the host and node of the instance, which no report of the host shows yet. An instance that
// holds nothing there is none: its claims were released by hand.
bool is_of_a_start(const State& state, const fleet::Claim& claim, const fleet::Instance& instance) {
  return claim.topic == "compute" && claim.host == instance.host &&
         (claim.node == instance.node || claim.node.empty() || instance.node.empty()) &&
         instance.vm_state == "building" && !state.casts.ids_of(instance.uuid, "run_instance").empty() &&
         !is_listed(state.parts.fleet, claim, instance.uuid);
}

// A claim that a driver makes beside a pick adds to the pick's claim and never takes it away.
void check_starts(const State& state, InvariantReport& report) {
  std::map<std::string, bool> is_whole;  // by instance
  for (const auto& claim : state.parts.fleet.claims()) {
    const auto instance = state.parts.fleet.instance(claim.consumer);
    if (!instance || !is_of_a_start(state, claim, *instance)) continue;
    auto& whole = is_whole[instance->uuid];
    whole = whole || holds_all(claim, *instance);
  }
  for (const auto& [uuid, whole] : is_whole) {
    const auto instance = whole ? std::nullopt : state.parts.fleet.instance(uuid);
    if (!instance) continue;
    report.findings.push_back(
        {"instance_claim",
         "instance " + uuid,
         "a claim of its pick on " + host_text(instance->host, instance->node) + ", until the host reports it",
         "claims without what its flavor asks for",
         {{"instance", uuid}, {"name", instance->name}, {"host", instance->host}, {"node", instance->node}}});
  }
}

void check_instance(const fleet::Moment& moment, const fleet::Instance& instance, InvariantReport& report) {
  if (!is_placed(instance)) return;
  const auto what = "instance " + instance.uuid;
  const json::object more{
      {"instance", instance.uuid}, {"name", instance.name}, {"host", instance.host}, {"node", instance.node}};
  if (instance.host.empty()) {
    report.findings.push_back({"instance_host", what, "a host, as it is " + instance.vm_state, "none", more});
  } else if (!moment.row_of("compute", instance.host, {})) {
    report.findings.push_back(
        {"instance_host", what, "a host that is known",
         host_text(instance.host, instance.node) + ", of which there is neither service nor report", more});
  } else if (!instance.node.empty() && !moment.row_of("compute", instance.host, instance.node)) {
    report.findings.push_back({"instance_host", what, "a node that is known",
                               "no report of " + host_text(instance.host, instance.node), more});
  }
}

void check_instances(State& state, InvariantReport& report) {
  const auto uuids = state.parts.fleet.instance_uuids();
  report.instances = uuids.size();
  const auto moment = state.parts.fleet.pin(steady_nanoseconds());
  for (const auto& topic : moment.topics()) report.hosts += moment.view(topic)->rows;
  for (const auto& uuid : uuids) {
    if (const auto instance = state.parts.fleet.instance(uuid)) check_instance(moment, *instance, report);
  }
}

void check_casts(const State& state, InvariantReport& report) {
  const auto ids = state.casts.ids();
  report.casts = ids.size();
  for (const auto& id : ids) {
    const auto cast = state.casts.find(id);
    if (!cast || cast->method != "run_instance" || cast->topic != "compute") continue;
    const auto uuid = std::string(json::find_string(cast->args, "instance_uuid").value_or(cast->consumer));
    if (uuid.empty() || state.parts.fleet.instance(uuid)) continue;
    report.findings.push_back({"cast_instance",
                               "cast " + id + " of run_instance to " + host_text(cast->host, cast->node),
                               "the instance that it launches",
                               "no instance " + uuid,
                               {{"cast", id}, {"instance", uuid}, {"host", cast->host}, {"node", cast->node}}});
  }
}

}  // namespace

InvariantReport check_invariants(State& state) {
  InvariantReport report;
  check_instances(state, report);
  check_claims(state, report);
  check_starts(state, report);
  check_limits(state, report);
  check_casts(state, report);
  return report;
}

json::object shown(const Finding& finding) {
  json::object result{
      {"rule", finding.rule}, {"what", finding.what}, {"expected", finding.expected}, {"found", finding.found}};
  for (const auto& [key, value] : finding.more) result[key] = value;
  return result;
}

}  // namespace gantry::scheduling
