// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/topics/topics.hpp"

#include <algorithm>

namespace gantry::fleet {

Topics::Topics(const Surroundings& surroundings) : surroundings_(surroundings) {
  topic(compute_topic);
}

TopicHosts* Topics::find(std::string_view name) const {
  const auto found = topics_.find(name);
  return found == topics_.end() ? nullptr : found->second.get();
}

TopicHosts& Topics::topic(std::string_view name) {
  if (auto* found = find(name)) return *found;
  auto made = std::make_unique<TopicHosts>(std::string(name), surroundings_, std::make_shared<const Schema>());
  for (const auto& column : stats_columns_) made->add_stats_column(column);
  for (const auto& resource : claims_resources_) made->add_claims_column(resource);
  return *topics_.emplace(name, std::move(made)).first->second;
}

HostEntry* Topics::find_host(std::string_view topic_name, std::string_view host) const {
  const auto* found = find(topic_name);
  return found ? found->find(host) : nullptr;
}

void Topics::add_claims_resource(std::string_view resource) {
  if (std::find(claims_resources_.begin(), claims_resources_.end(), resource) != claims_resources_.end()) return;
  claims_resources_.emplace_back(resource);
  for (const auto& [name, hosts] : topics_) hosts->add_claims_column(resource);
}

void Topics::add_stats_column(const ColumnDeclaration& column) {
  stats_columns_.push_back(column);
  for (const auto& [name, hosts] : topics_) hosts->add_stats_column(column);
}

void Topics::add_image_properties_column() {
  topic(compute_topic).add_image_properties_column();
}

}  // namespace gantry::fleet
