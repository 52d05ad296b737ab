// SPDX-License-Identifier: Apache-2.0
//
// Reads placement's database: all of it, and then again and again what has changed. The reader remembers the generation
// of each provider, so it outlives a connection. It is used by one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/nova/facts/database/connection.hpp"
#include "core/nova/facts/facts.hpp"
#include "core/nova/facts/tables.hpp"
#include "core/nova/mirror/provider_facts.hpp"
#include "core/result.hpp"

namespace gantry::nova {

// The outcome of a refresh.
struct ProviderRead {
  // True: `changes` is all there is, and takes the place of everything that was known.
  bool is_whole = false;
  ProviderChanges changes;
};

class ProviderReader {
 public:
  // Reads everything. If it fails, the reader is as it was.
  Result<ProviderRead> load(Connection& connection);

  // Returns what differs from the answers before, as it was at one moment of this call. `dirty` has uuids of providers
  // whose trees are read in any case: the deletion of allocations leaves no trace in a provider.
  // Depth::whole also reads the next share of all providers. If it fails, the next refresh returns the differences of
  // both.
  Result<ProviderRead> refresh(Connection& connection, std::span<const std::string> dirty, Depth depth);

 private:
  // Tells by its numbers whether a table has other rows.
  struct Extent {
    std::int64_t count = 0;
    std::int64_t last = 0;
    bool operator==(const Extent&) const = default;
  };
  struct Sums {
    Extent providers;
    std::int64_t generations = 0;  // the sum over all providers
    std::string last_update;       // the latest time in the table
    Extent resource_classes, traits, aggregates;
    bool operator==(const Sums&) const = default;
  };
  struct Known {
    std::string uuid;
    std::int64_t generation = 0;
    std::int64_t parent = 0;  // 0: none
    std::int64_t root = 0;
    bool operator==(const Known&) const = default;
  };
  using Providers = std::map<std::int64_t, Known>;  // by id

  // The condition of rows that may have changed since the last refresh.
  std::string is_recent() const;
  // `recent` gets the ids of the rows, and may be cut off.
  Result<void> read_sums(Connection& connection, Sums& sums, std::string& recent) const;
  static Result<void> read_names(Connection& connection, const Table& table, std::optional<NameFacts>& into);
  static Result<void> read_providers(Connection& connection, const std::string& where, Providers& providers);
  static Result<void> read_details(Connection& connection, const Providers& providers, bool are_all,
                                   ProviderChanges& changes);
  // Returns the providers that may differ from the known ones.
  Result<void> find_changed(Connection& connection, const Sums& sums, const std::string& recent, Providers& changed,
                            std::vector<std::int64_t>& removed) const;
  Result<void> read_changes(Connection& connection, std::span<const std::int64_t> dirty, ProviderRead& read, Sums& sums,
                            Providers& changed) const;
  Result<ProviderRead> read_all(Connection& connection);
  std::vector<std::int64_t> ids_of(std::span<const std::string> uuids) const;
  std::vector<std::int64_t> next_share() const;

  Sums sums_;
  Providers providers_;
  std::unordered_map<std::string, std::int64_t> id_by_uuid_;
  std::set<std::pair<std::int64_t, std::int64_t>> trees_;  // (root, id) of all providers
  std::int64_t last_share_ = 0;                            // the last id of the share that was read last
  bool is_loaded_ = false;
};

}  // namespace gantry::nova
