// SPDX-License-Identifier: Apache-2.0
//
// The topics of a fleet by name, each with its hosts. Under the fleet's lock.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/fleet/topics/fleet_settings.hpp"
#include "core/fleet/topics/topic_hosts.hpp"

namespace gantry::fleet {

class Topics {
 public:
  using Map = std::map<std::string, std::unique_ptr<TopicHosts>, std::less<>>;

  // Creates the compute topic. The parts of the fleet that `surroundings` points to must outlive this object.
  explicit Topics(const Surroundings& surroundings);

  // Returns the topic. The first call for a name creates the topic, with every column declared so far.
  TopicHosts& topic(std::string_view name);
  // Returns the topic. nullptr if the topic was not created.
  TopicHosts* find(std::string_view name) const;
  // Returns the host. nullptr if the topic or the host is not known.
  HostEntry* find_host(std::string_view topic, std::string_view host) const;

  // Add a column to every topic, present and future.
  void add_claims_resource(std::string_view resource);
  void add_stats_column(const ColumnDeclaration& column);
  // Adds the column image_properties to the compute topic, whose instances are known.
  void add_image_properties_column();
  const std::vector<ColumnDeclaration>& stats_columns() const { return stats_columns_; }

  // Iterates over {name, hosts} in the order of names.
  Map::const_iterator begin() const { return topics_.begin(); }
  Map::const_iterator end() const { return topics_.end(); }
  std::size_t size() const { return topics_.size(); }

 private:
  Surroundings surroundings_;
  std::vector<ColumnDeclaration> stats_columns_;
  std::vector<std::string> claims_resources_;  // declared resources, beside those of core columns
  Map topics_;
};

}  // namespace gantry::fleet
