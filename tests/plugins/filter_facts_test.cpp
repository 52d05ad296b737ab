// SPDX-License-Identifier: Apache-2.0
//
// What the filter driver reads of a request outlives the text's memory, which a decision gives back at once.
#include <gtest/gtest.h>

#include <array>
#include <boost/json.hpp>

#include "plugins/filter/request_reader.hpp"

namespace filter_driver {
namespace {

namespace json = boost::json;

constexpr const char* spec_text = R"({
  "flavor": {"vcpus": 1, "memory_mb": 1, "extra_specs": {"a": "b"}},
  "image": {"id": "i", "properties": {"hw_architecture": "an architecture that takes memory of its own"}},
  "instance_group": {"policy": "anti-affinity", "rules": {"max_server_per_host": "a text that takes memory of its own"}},
  "scheduler_hints": {"_nova_check_type": ["rebuild"], "query": ["a hint that takes memory of its own"]},
  "numa_topology": {"nova_object.data": {"cells": []}},
  "pci_requests": {"requests": []},
  "network_metadata": {"tunneled": false}
})";

TEST(RequestFacts, OutliveTheMemoryOfTheRequestsText) {
  std::array<unsigned char, 16384> room{};
  const auto facts = [&room] {
    json::monotonic_resource memory(room.data(), room.size());
    return read_request(json::parse(spec_text, &memory).as_object());
  }();
  const json::storage_ptr their_own;
  ASSERT_TRUE(facts.hints && facts.image && facts.group && facts.group->max_server_per_host);
  EXPECT_TRUE(*facts.hints->storage() == *their_own);
  EXPECT_TRUE(*facts.image->properties.storage() == *their_own);
  EXPECT_TRUE(*facts.group->max_server_per_host->storage() == *their_own);
  for (const auto* each : {&facts.numa_topology, &facts.pci_requests, &facts.network_metadata})
    EXPECT_TRUE(*each->storage() == *their_own);
  room.fill(0xff);
  EXPECT_TRUE(facts.is_rebuild());
  EXPECT_EQ(facts.hint("query"), "a hint that takes memory of its own");
}

}  // namespace
}  // namespace filter_driver
