// SPDX-License-Identifier: Apache-2.0
//
// Resource providers as placement's database has them, as plain values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gantry::nova {

struct InventoryFact {
  std::int64_t resource_class = 0;  // id
  std::int64_t total = 0;
  std::int64_t reserved = 0;
  // The column is a 4-byte FLOAT. Placement's Python computes with the number whose text the database sends: 1.1. The
  // database itself computes with the FLOAT as it is: 1.10000002. Placement asks both whether an amount fits.
  double allocation_ratio = 1;
  double stored_ratio = 1;
  std::int64_t min_unit = 1;
  std::int64_t max_unit = 1;
  std::int64_t step_size = 1;
  std::int64_t used = 0;  // the sum of the allocations
};

struct ProviderFact {
  std::int64_t id = 0;
  std::string uuid;                    // in lower case
  std::optional<std::int64_t> parent;  // id
  std::int64_t root = 0;               // id; a root's own
  std::int64_t generation = 0;
  std::vector<InventoryFact> inventories;  // one a class
  std::vector<std::int64_t> traits;        // ids
  std::vector<std::int64_t> aggregates;    // ids
};

// Ids and names of one kind.
using NameFacts = std::vector<std::pair<std::int64_t, std::string>>;

// All facts, or those that have changed.
struct ProviderChanges {
  // All names of a kind. nullopt: they are as they were.
  std::optional<NameFacts> resource_classes;
  std::optional<NameFacts> traits;
  std::optional<NameFacts> aggregates;  // by uuid, in lower case
  std::vector<ProviderFact> providers;  // new ones, and those that differ in anything
  std::vector<std::int64_t> removed;    // ids of providers
};

}  // namespace gantry::nova
