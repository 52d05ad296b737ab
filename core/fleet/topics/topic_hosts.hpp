// SPDX-License-Identifier: Apache-2.0
//
// The hosts of one topic: their rows, the instances and claims on each row, and how facts become cells. Under the
// fleet's lock.
//
// Each compute node record has a row. A host without a record has one row without a node if its service or capabilities
// are known. The host's first record with a node takes that row over.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/fleet/cells/instance_record.hpp"
#include "core/fleet/tables/row_state.hpp"
#include "core/fleet/tables/table.hpp"
#include "core/fleet/topics/fleet_settings.hpp"
#include "core/fleet/topics/listed_instances.hpp"

namespace gantry::fleet {

// Facts beyond the host itself that its cells depend on.
struct Surroundings {
  const FleetSettings* settings;
  TextPool* texts;
  const std::map<std::int64_t, Aggregate>* aggregates;
  const Nanoseconds* fresh_since;  // a heartbeat from then on is fresh
};

// A row's report in packed form.
struct PackedRecord {
  TextPointer rest;  // as in RowState
  std::array<TextPointer, 6> cells;
  Nanoseconds sampled_at = 0;
  Nanoseconds updated_at = 0;

  json::object stats() const;
};

class TopicHosts {
 public:
  TopicHosts(std::string topic, const Surroundings& surroundings, std::shared_ptr<const Schema> schema);

  const std::string& topic() const { return topic_; }
  Table& table() { return table_; }
  const Table& table() const { return table_; }
  HostEntry* find(std::string_view host) const;
  HostEntry& entry(std::string_view host);
  void forget_if_empty(HostEntry& host);
  template <class Visit>
  void each(const Visit& visit) const {
    for (const auto& [name, host] : hosts_) visit(*host);
  }

  // ---- facts about a host
  void set_service(HostEntry& host, std::unique_ptr<Service> service);
  void set_capabilities(HostEntry& host, TextPointer capabilities, Nanoseconds updated_at);
  RowState& row_for_record(HostEntry& host, std::string_view node);
  // Sets the row's record. nullptr for `stats` removes the record. `replaced` names the JSON columns that may have
  // changed; nullptr means any.
  void set_record(RowState& row, const json::object* stats, const json::object* replaced);
  void remove_record(RowState& row);
  RowState* find_record(std::string_view host, std::string_view node) const;
  ComputeNode record(const RowState& row) const;
  // The same, packed, so that the caller can unpack the texts without the lock.
  PackedRecord packed_record(const RowState& row) const;

  // ---- instances and claims on rows
  void add_resident(HostEntry& host, InstanceRecord& instance);
  void remove_resident(HostEntry& host, InstanceRecord& instance);
  void add_claim(HostEntry& host, ClaimRecord& claim);
  void remove_claim(ClaimRecord& claim);
  RowState* listed_on(const gantry_uuid& instance) const { return listed_.find(instance); }

  // ---- cells
  void show_up(const HostEntry& host);
  void show_zone(const HostEntry& host);
  void show_claims(const RowState& row);
  bool is_up(const Service& service) const;
  // Returns the sum of a resource over the row's claims, without those of the consumer `except`.
  static double claimed(const RowState& row, std::string_view resource, std::string_view except = {});
  void add_claims_column(std::string_view resource);
  void add_stats_column(const ColumnDeclaration& column);

 private:
  struct StatsColumn {
    std::string key;
    std::uint32_t position;
    std::int32_t type;
    bool top_level;  // false: only the report's nested `stats` is read, because the key is one of the core's
  };

  RowState& add_row(HostEntry& host, std::string_view node);
  void remove_row(RowState& row);
  void rename_row(RowState& row, std::string_view node);
  // Call after the host's own facts came or went.
  void settle(HostEntry& host);
  // Attaches the host's instances and claims to its rows (one row per node). Call after a row was added or removed.
  void place_all(HostEntry& host);
  bool stands_on(const RowState& row, const gantry_uuid& instance) const;
  void update_instance(RowState& row, const gantry_uuid& instance);
  void attach(ClaimRecord& claim, RowState* row);

  void show_row(const RowState& row);
  void show_service(const HostEntry& host);
  void show_service_on(const RowState& row);
  void show_capabilities(const HostEntry& host);
  void show_zone_on(const RowState& row, std::string_view zone);
  std::string_view zone_of(const HostEntry& host) const;
  void show_use(const RowState& row);
  void show_listed(RowState& row, const json::object& stats);
  void show_scalars(RowState& row, const json::object& stats);
  void show_ratios(const RowState& row, const json::object& stats);
  json::object take_json_cells(RowState& row, const json::object& stats, const json::object* replaced);
  void show_stats(const RowState& row, const json::object& stats);
  void show_stats_column(const RowState& row, const StatsColumn& column, const json::value* value);

  std::string topic_;
  Surroundings surroundings_;
  Table table_;
  std::unordered_map<std::string_view, std::unique_ptr<HostEntry>> hosts_;  // keys point into the entries
  ListedInstances listed_;
  std::vector<std::pair<std::string, std::uint32_t>> claims_columns_;  // resource, position
  std::vector<StatsColumn> stats_columns_;
};

}  // namespace gantry::fleet
