// SPDX-License-Identifier: Apache-2.0
#include "core/nova/shadow/shadow_decision.hpp"

namespace gantry::nova {

namespace {

std::string text_of(const json::object& object, std::string_view name) {
  return std::string(json::find_string(object, name).value_or(""));
}

HostStandings standings_of(const json::object& instance) {
  HostStandings standings;
  const auto* hosts = json::find_array(instance, "hosts");
  if (hosts == nullptr) return standings;
  standings.reserve(hosts->size());
  for (const auto& each : *hosts) {
    const auto* host = each.if_object();
    // A host without a candidate was not seen by any filter, though a driver may name it.
    if (host == nullptr || json::find_string(*host, "rejected_by") == "placement") continue;
    standings[shown_host(text_of(*host, "host"), text_of(*host, "node"))] = {text_of(*host, "rejected_by"),
                                                                             json::find_number(*host, "weight")};
  }
  return standings;
}

void read_standings(const json::object& decision, ShadowDecision& read) {
  const auto* instances = json::find_array(decision, "instances");
  if (instances == nullptr) return;
  for (const auto& instance : *instances)
    read.standings.push_back(instance.is_object() ? standings_of(instance.get_object()) : HostStandings());
}

Result<ShadowDecision> read_refusal(const Error& error) {
  if (error.code != ErrorCode::no_valid_host) return Error(error);
  ShadowDecision read;
  read.refusal = error.message;
  const auto details = error.details.empty() ? json::object() : json::parse_object(error.details, json::stored_depth);
  if (!details) return read;
  if (const auto reason = json::find_string(*details, "reason")) read.refusal = *reason;
  read_standings(*details, read);
  return read;
}

}  // namespace

std::string shown_host(std::string_view host, std::string_view node) {
  std::string shown(host);
  if (!node.empty() && node != host) shown.append("/").append(node);
  return shown;
}

Result<ShadowDecision> read_shadow_decision(const Result<json::value>& answer) {
  if (!answer) return read_refusal(answer.error());
  const auto* object = answer->if_object();
  const auto* decision = object == nullptr ? nullptr : json::find_object(*object, "decision");
  const auto* destinations = decision == nullptr ? nullptr : json::find_array(*decision, "destinations");
  if (destinations == nullptr)
    return Error{ErrorCode::internal, "a decision in the shadow: expected its destinations, found none", {}};
  ShadowDecision read;
  for (const auto& each : *destinations)
    if (const auto* destination = each.if_object())
      read.picks.push_back(shown_host(text_of(*destination, "host"), text_of(*destination, "node")));
  read_standings(*decision, read);
  return read;
}

}  // namespace gantry::nova
