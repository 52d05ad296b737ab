// SPDX-License-Identifier: Apache-2.0
#include "tests/parity/recorded_lookups.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "core/nova/request/failure.hpp"

namespace filter_driver::parity {

namespace {

namespace json = boost::json;
namespace nova = gantry::nova;

std::string text_at(const json::object& object, std::string_view key) {
  return std::string(std::string_view(object.at(key).as_string()));
}

nova::AggregateFacts recorded_aggregate(const json::object& recorded) {
  nova::AggregateFacts aggregate{text_at(recorded, "uuid"), {}};
  for (const auto& [key, value] : recorded.at("metadata").as_object())
    aggregate.metadata[key] = std::string_view(value.as_string());
  return aggregate;
}

void add_new(std::vector<nova::AggregateFacts>& all, const json::array& recorded) {
  for (const auto& each : recorded) {
    auto aggregate = recorded_aggregate(each.as_object());
    const auto is_same = [&](const auto& other) { return other.uuid == aggregate.uuid; };
    if (std::none_of(all.begin(), all.end(), is_same)) all.push_back(std::move(aggregate));
  }
}

// A list of texts. null stands for what Neutron does not have.
gantry::Result<std::vector<std::string>> texts_or_invalid(const json::object& all, const std::string& id) {
  const auto* const found = all.if_contains(id);
  if (found == nullptr || found->is_null()) return nova::raised("InvalidRoutedNetworkConfiguration", id + " not found");
  std::vector<std::string> texts;
  for (const auto& each : found->as_array()) texts.emplace_back(std::string_view(each.as_string()));
  return texts;
}

void set_flag(const json::object& config, std::string_view name, bool& flag) {
  if (const auto* const value = config.if_contains(name)) flag = value->as_bool();
}

}  // namespace

nova::RequestOptions recorded_request_options(const json::object& record) {
  nova::RequestOptions options;
  if (const auto* const release = record.if_contains("release")) {
    if (const auto* const rules = nova::questions_of(release->as_string())) options.rules = *rules;
  }
  const auto& config = record.at("config").as_object();
  if (const auto* const limit = config.if_contains("scheduler.max_placement_results"))
    options.max_placement_results = limit->as_int64();
  set_flag(config, "scheduler.limit_tenants_to_placement_aggregate", options.limit_tenants_to_placement_aggregate);
  set_flag(config, "scheduler.placement_aggregate_required_for_tenants",
           options.placement_aggregate_required_for_tenants);
  set_flag(config, "scheduler.query_placement_for_availability_zone", options.query_placement_for_availability_zone);
  set_flag(config, "scheduler.query_placement_for_image_type_support", options.query_placement_for_image_type_support);
  set_flag(config, "scheduler.enable_isolated_aggregate_filtering", options.enable_isolated_aggregate_filtering);
  set_flag(config, "scheduler.image_metadata_prefilter", options.image_metadata_prefilter);
  set_flag(config, "scheduler.query_placement_for_routed_network_aggregates",
           options.query_placement_for_routed_network_aggregates);
  return options;
}

recorded_lookups::recorded_lookups(const json::object& record) {
  if (const auto* const version = record.if_contains("lowest_compute_version"))
    lowest_compute_version_ = version->as_int64();
  if (const auto* const queries = record.if_contains("aggregate_queries")) {
    for (const auto& query : queries->as_array()) add_new(aggregates_, query.as_object().at("returns").as_array());
  }
  if (const auto* const all = record.if_contains("aggregates")) add_new(aggregates_, all->as_array());
  if (const auto* const nodes = record.if_contains("compute_nodes")) {
    for (const auto& each : nodes->as_array()) {
      const auto& node = each.as_object();
      nodes_.push_back({text_at(node, "host"), text_at(node, "hypervisor_hostname"), text_at(node, "uuid")});
    }
  }
  if (const auto* const neutron = record.if_contains("neutron")) neutron_.emplace(neutron->as_object());
}

gantry::Result<std::vector<nova::ComputeNodeFacts>> recorded_lookups::compute_nodes(
    const std::optional<std::string>& host, const std::optional<std::string>& node,
    const std::optional<std::string>&) const {
  std::vector<nova::ComputeNodeFacts> found;
  for (const auto& each : nodes_) {
    if ((!host || each.host == *host) && (!node || each.hypervisor_hostname == *node)) found.push_back(each);
  }
  return found;
}

gantry::Result<nova::PortFacts> recorded_lookups::recorded_networks::port(const std::string& id) const {
  const auto& port = neutron_.at("ports").as_object().at(id).as_object();
  nova::PortFacts facts{text_at(port, "network_id"), std::nullopt, false};
  if (const auto& subnet = port.at("subnet_id"); !subnet.is_null())
    facts.subnet_id = std::string_view(subnet.as_string());
  facts.is_remote_managed = port.at("vnic_type").as_string() == "remote-managed";
  return facts;
}

gantry::Result<std::vector<std::string>> recorded_lookups::recorded_networks::segments_of_network(
    const std::string& id) const {
  return texts_or_invalid(neutron_.at("networks").as_object(), id);
}

gantry::Result<std::optional<std::string>> recorded_lookups::recorded_networks::segment_of_subnet(
    const std::string& id) const {
  auto segments = texts_or_invalid(neutron_.at("subnets").as_object(), id);
  if (!segments) return std::move(segments).error();
  return segments->empty() ? std::optional<std::string>() : segments->front();
}

gantry::Result<std::vector<std::string>> recorded_lookups::recorded_networks::aggregates_of_segment(
    const std::string& id) const {
  auto aggregates = texts_or_invalid(neutron_.at("segments").as_object(), id);
  return aggregates ? aggregates : std::vector<std::string>();
}

}  // namespace filter_driver::parity
