// SPDX-License-Identifier: Apache-2.0
//
// Makes up sequences of calls: about few hosts, instances, groups and names, so that they meet.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "tests/model/step.hpp"

namespace gantry::model {

class Generator {
 public:
  explicit Generator(std::uint64_t seed) : random_(seed) {}

  std::vector<Step> sequence(std::size_t length);

 private:
  using Make = json::object (Generator::*)();
  struct Kind {
    const char* method;
    unsigned weight;
    Make make;
  };
  static const std::vector<Kind>& kinds();

  Step next();
  std::size_t below(std::size_t bound) { return std::uniform_int_distribution<std::size_t>(0, bound - 1)(random_); }
  bool one_in(std::size_t chances) { return below(chances) == 0; }
  std::string numbered(const std::string& prefix, std::size_t count) {
    return prefix + std::to_string(1 + below(count));
  }

  std::string host() { return numbered("h", 6); }
  std::string topic() { return one_in(6) ? "storage" : "compute"; }
  std::string uuid();
  json::value node_name();
  json::array uuids(std::size_t most);
  json::object spec(bool with_uuids);
  json::object report();

  json::object none() { return {}; }
  json::object topic_and_host();
  json::object register_service();
  json::object disable();
  json::object force_down();
  json::object update_resource_stats();
  json::object capabilities();
  json::object name_and_topic();
  json::object topic_alone();
  json::object list_of_host();
  json::object create_aggregate();
  json::object update_aggregate();
  json::object aggregate();
  json::object delete_aggregate();
  json::object aggregate_and_host();
  json::object create_group();
  json::object group();
  json::object run_instance();
  json::object select();
  json::object update_instance();
  json::object fail_build();
  json::object host_alone();
  json::object instance();
  json::object instance_uuid();
  json::object list_instances();
  json::object receive();
  json::object acknowledge();
  json::object import();
  json::object schedule();

  std::mt19937_64 random_;
};

}  // namespace gantry::model
