// SPDX-License-Identifier: Apache-2.0
//
// What the filter driver reads of a request outlives its text.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "plugins/filter/request/request_reader.hpp"

namespace filter_driver {
namespace {

constexpr const char* spec_text = R"({
  "flavor": {"vcpus": 1, "memory_mb": 1, "extra_specs": {"a": "b"}},
  "image": {"id": "i", "properties": {"hw_architecture": "an architecture that takes memory of its own"}},
  "instance_group": {"policy": "anti-affinity", "rules": {"max_server_per_host": "a text that takes memory of its own"}},
  "scheduler_hints": {"_nova_check_type": ["rebuild"], "query": ["a hint that takes memory of its own"]},
  "numa_topology": {"nova_object.data": {"cells": []}},
  "pci_requests": {"requests": []},
  "network_metadata": {"tunneled": false}
})";

TEST(RequestFacts, OutlivesTheTextOfTheRequest) {
  std::string text = spec_text;
  const auto facts = read_request(text);
  ASSERT_TRUE(facts);
  std::fill(text.begin(), text.end(), '\xff');
  ASSERT_TRUE(facts->image && facts->group && facts->group->max_server_per_host);
  EXPECT_EQ(facts->image->properties.at("hw_architecture"), "an architecture that takes memory of its own");
  EXPECT_EQ(*facts->group->max_server_per_host, "a text that takes memory of its own");
  EXPECT_TRUE(facts->numa_topology.is_object());
  EXPECT_TRUE(facts->is_rebuild());
  EXPECT_EQ(facts->hint("query"), "a hint that takes memory of its own");
}

// Python's json.loads() takes the last of equal keys.
TEST(RequestFacts, TakesTheLastOfEqualKeys) {
  const auto facts = read_request(R"({"flavor": {"vcpus": 1, "vcpus": 2}, "flavor": {"memory_mb": 3, "memory_mb": 4},
    "availability_zone": "north", "availability_zone": null, "force_hosts": ["a"], "force_hosts": null})");
  ASSERT_TRUE(facts && facts->flavor);
  EXPECT_EQ(facts->flavor->vcpus, 0);
  EXPECT_EQ(facts->flavor->memory_mb, 4);
  EXPECT_FALSE(facts->availability_zone);
  EXPECT_TRUE(facts->force_hosts.empty());
}

TEST(RequestFacts, LeavesOutValuesOfAnotherTypeThanNovas) {
  const auto facts = read_request(R"({"flavor": [{"vcpus": 1}], "image": {"id": 5, "properties": "none"},
    "project_id": {"a": [1, {"b": 2}]}, "retry": "again", "ignore_hosts": 7, "numa_topology": null})");
  ASSERT_TRUE(facts && facts->image);
  EXPECT_FALSE(facts->flavor);
  EXPECT_FALSE(facts->image->id);
  EXPECT_TRUE(facts->image->properties.empty());
  EXPECT_FALSE(facts->project_id);
  EXPECT_FALSE(facts->retry_hosts);
  EXPECT_TRUE(facts->ignore_hosts.empty());
  EXPECT_TRUE(facts->numa_topology.is_null());
}

TEST(RequestFacts, HasNoFactsOfATextThatIsNotAnObject) {
  for (const auto* text : {"", "[]", "null", "{", R"({"a")", R"({"a": })", R"({"a": 1,})", R"({"a": 1} 2)",
                           R"({"a": "b})", R"({"skipped": [1, {"b" 2}]})", R"({"flavor": {"vcpus": 1 "swap": 2}})"}) {
    EXPECT_FALSE(read_request(text)) << text;
  }
  EXPECT_TRUE(read_request(" {} "));
}

}  // namespace
}  // namespace filter_driver
