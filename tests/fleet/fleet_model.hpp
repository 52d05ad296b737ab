// SPDX-License-Identifier: Apache-2.0
//
// The fleet as plain maps, and every row computed from nothing each time it is asked for: what Fleet must agree with.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "snapshot.hpp"

namespace gantry::fleet::testing {

class FleetModel {
 public:
  explicit FleetModel(FleetSettings settings) : settings_(std::move(settings)) {}

  std::map<std::string, Service> services;
  std::map<std::string, json::object> capabilities;
  std::map<Place, ComputeNode> nodes;
  std::map<std::int64_t, Aggregate> aggregates;
  std::map<std::string, Instance> instances;
  std::vector<Claim> claims;  // in the order in which they were made
  std::set<std::string> claimed_resources{"vcpu", "memory_mb", "disk_gb", "instances"};

  void report(const ComputeNode& report);
  bool admits(const Place& place, const Claim& claim) const;
  void add_claim(Claim claim);
  void expire(Nanoseconds now);

  std::set<Place> places() const;
  std::optional<Place> resolve(const std::string& host, const std::string& node) const;
  std::optional<Place> locate(const std::string& uuid) const;
  std::map<Place, json::object> rows(Nanoseconds now) const;

 private:
  json::object row(const Place& place, Nanoseconds now) const;
  void show_service(const std::string& host, Nanoseconds now, json::object& row) const;
  void show_record(const ComputeNode& node, const Place& place, json::object& row) const;
  void show_aggregates(const std::string& host, json::object& row) const;
  static bool is_replaced(const Claim& claim, const Claim& by);
  double claimed(const Place& place, const std::string& resource, const Claim* replacing = nullptr) const;

  FleetSettings settings_;
};

}  // namespace gantry::fleet::testing
