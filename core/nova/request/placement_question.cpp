// SPDX-License-Identifier: Apache-2.0
#include "core/nova/request/placement_question.hpp"

#include <utility>

#include "core/nova/request/failure.hpp"
#include "core/nova/request/plain_object.hpp"
#include "core/nova/request/python_text.hpp"
#include "core/nova/request/request_filters.hpp"

namespace gantry::nova {

namespace {

struct Target {
  OptionalText host;
  OptionalText node;
  OptionalText cell_uuid;
};

bool is_given(const OptionalText& name) {
  return name && !name->empty();
}

// The destination's names come before the names of a forced host, which may be the ones of an earlier move.
Target target_of(const RequestSpec& spec) {
  Target target;
  if (const auto& destination = spec.requested_destination)
    target = {destination->host, destination->node, destination->cell_uuid};
  if (!is_given(target.host) && !spec.force_hosts.empty()) target.host = spec.force_hosts.front();
  if (!is_given(target.node) && !spec.force_nodes.empty()) target.node = spec.force_nodes.front();
  return target;
}

void add_aggregates(const Destination& destination, ResourceRequest& request) {
  if (!destination.aggregates.empty()) {
    auto& aggregates = request.group("").aggregates;
    aggregates.clear();
    for (const auto& any : destination.aggregates) {
      auto& uuids = aggregates.emplace_back();
      for (const auto uuid : python_split(any, ',')) uuids.emplace_back(uuid);
    }
  }
  if (!destination.forbidden_aggregates.empty())
    request.group("").forbidden_aggregates.insert(destination.forbidden_aggregates.begin(),
                                                  destination.forbidden_aggregates.end());
}

Result<void> add_target(RequestSpec& spec, const RequestLookups& lookups, ResourceRequest& request) {
  const auto target = target_of(spec);
  if (!is_given(target.host) && !is_given(target.node)) return {};
  const auto none_if_empty = [](const OptionalText& name) { return is_given(name) ? name : OptionalText(); };
  const auto nodes = lookups.compute_nodes(none_if_empty(target.host), none_if_empty(target.node), target.cell_uuid);
  if (!nodes) return nodes.error();
  if (nodes->empty())
    return raised("NoValidHost", "No valid host was found. No such host - host: " + target.host.value_or("None") +
                                     " node: " + target.node.value_or("None") + " ");
  if (nodes->size() > 1) {
    // Placement takes one provider in in_tree, and a limit could cut off the host's nodes.
    request.limit.reset();
    return {};
  }
  const auto& node = nodes->front();
  if (spec.requested_destination) {
    spec.requested_destination->host = node.host;
    spec.requested_destination->node = node.hypervisor_hostname;
  }
  request.group("").in_tree = node.uuid;
  return {};
}

Result<bool> names_other_instances(const RequestSpec& spec) {
  if (!spec.scheduler_hints) return false;
  const auto& hints = *spec.scheduler_hints;
  if (!hints) return raised("TypeError", "'NoneType' object is not iterable");
  return hints->contains("group") || hints->contains("same_host") || hints->contains("different_host");
}

// The destination's cell comes with the URLs of its database and broker, and these hold passwords.
void remove_cell_urls(json::object& spec) {
  auto* const destination = spec.if_contains("requested_destination");
  if (destination == nullptr || !destination->is_object()) return;
  auto* const cell = destination->get_object().if_contains("cell");
  if (cell == nullptr || !cell->is_object()) return;
  cell->get_object().erase("database_connection");
  cell->get_object().erase("transport_url");
}

}  // namespace

Result<ResourceRequest> resources_from_request_spec(RequestSpec& spec, const RequestOptions& options,
                                                    const RequestLookups& lookups, bool translate_pinning) {
  auto request = resource_request(spec, options, translate_pinning);
  if (!request) return request;
  if (spec.requested_destination) add_aggregates(*spec.requested_destination, *request);
  if (auto added = add_target(spec, lookups, *request); !added) return std::move(added).error();
  const auto is_about_others = names_other_instances(spec);
  if (!is_about_others) return is_about_others.error();
  if (*is_about_others) request->limit.reset();
  const bool lacks_policy = request->suffixed_groups() >= 2 && !request->group_policy;
  if (lacks_policy && request->suffixed_groups_from_flavor <= 1) request->group_policy = "none";
  return request;
}

Result<PlacementQuestion> placement_question(json::object spec, const RequestOptions& options,
                                             const RequestLookups& lookups) {
  auto plain = plain_object(std::move(spec), "RequestSpec");
  if (!plain) return std::move(plain).error();
  auto read = read_request_spec(*plain);
  if (!read) return std::move(read).error();
  if (auto applied = apply_request_filters(*read, options, lookups); !applied) return std::move(applied).error();
  const auto request = resources_from_request_spec(*read, options, lookups);
  if (!request) return request.error();
  PlacementQuestion question;
  if (const auto& destination = read->requested_destination; destination && !destination->allow_cross_cell_move)
    question.only_cell = destination->cell_uuid;
  question.query = query_string(*request);
  if (request->cpu_pinning_requested && !options.disable_fallback_pcpu_query) {
    const auto fallback = resources_from_request_spec(*read, options, lookups, false);
    if (!fallback) return fallback.error();
    question.fallback_query = query_string(*fallback);
  }
  write_changes(*read, *plain);
  remove_cell_urls(*plain);
  question.spec = *std::move(plain);
  return question;
}

}  // namespace gantry::nova
