// SPDX-License-Identifier: Apache-2.0
//
// The hosts of one topic: their rows, the instances and claims on each row, and the cells that show the facts. Under
// the fleet's lock.
//
// Each compute node record, the merged reports of a host or node, has a row. A host without a record has one row
// without a node if its service or capabilities are known. The host's first record takes that row over.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
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

// Their lists of hosts are long: who wants them all takes pointers, and copies without the fleet's lock.
using AggregatesById = std::map<std::int64_t, std::shared_ptr<const Aggregate>>;
// A heartbeat is fresh from `since` to `until`. One of the future, from a clock that runs ahead, is as little a sign of
// life as an old one: Nova compares both sides too.
struct FreshTimes {
  Nanoseconds since;
  Nanoseconds until;
  bool holds(Nanoseconds heard_at) const { return heard_at >= since && heard_at <= until; }
};

// The facts of the fleet that the cells of a host depend on, beside the facts of the host itself.
struct Surroundings {
  const FleetSettings* settings;
  TextPool* texts;
  const AggregatesById* aggregates;
  const FreshTimes* fresh;
  const Nanoseconds* facts_since;  // an older report is out of date; time of the system clock
};

// A row's compute node record in packed form.
struct PackedRecord {
  TextPointer rest;                  // RowState::rest
  std::array<TextPointer, 6> cells;  // the row's JSON cells, in the order of reported_json
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
  // Returns the host. Adds an empty one if the topic has none of that name.
  HostEntry& entry(std::string_view host);
  void forget_if_empty(HostEntry& host);
  template <class Visit>
  void each(const Visit& visit) const {
    for (const auto& [name, host] : hosts_) visit(*host);
  }

  // ---- facts about a host
  void set_service(HostEntry& host, std::unique_ptr<Service> service);
  void set_capabilities(HostEntry& host, TextPointer capabilities, Nanoseconds updated_at);
  // Returns the row of a compute node record. Adds or renames a row if there is none.
  RowState& row_for_record(HostEntry& host, std::string_view node);
  // Sets the values of the row's record. nullptr for `stats` clears them. The keys of `replaced` name the JSON values
  // and the list of instances that may have changed. nullptr for `replaced` means that any may have.
  void set_record(RowState& row, const json::object* stats, const json::object* replaced);
  void remove_record(RowState& row);
  // Sets when the row's last report was sampled and came.
  void set_report_times(RowState& row, Nanoseconds sampled_at, Nanoseconds updated_at);
  // Returns the row of a record. nullptr if there is no record of this host and node.
  RowState* find_record(std::string_view host, std::string_view node) const;
  ComputeNode record(const RowState& row) const;
  // Returns the record in packed form. The caller can unpack its texts after it has released the lock.
  PackedRecord packed_record(const RowState& row) const;

  // ---- instances and claims on rows. A resident is an instance whose record names the host.
  void add_resident(HostEntry& host, InstanceRecord& instance);
  void remove_resident(HostEntry& host, InstanceRecord& instance);
  void add_claim(HostEntry& host, ClaimRecord& claim);
  void remove_claim(ClaimRecord& claim);
  // Returns the row whose report lists the instance. nullptr if there is none.
  RowState* listed_on(const gantry_uuid& instance) const { return listed_.find(instance); }
  // Returns all of them.
  std::vector<const RowState*> rows_listing(const gantry_uuid& instance) const { return listed_.all(instance); }

  // ---- cells. A show_ function writes the cells that show one kind of fact.
  void show_up(const HostEntry& host);
  void show_zone(const HostEntry& host);
  // Call after the host came into an aggregate or left one.
  void show_aggregates(const HostEntry& host);
  void show_claims(const RowState& row);
  // Returns whether the host has a service that was heard lately, and no report that is out of date.
  bool is_up(const HostEntry& host) const;
  // Returns whether the last heartbeat or a report of the host is from before Surroundings::facts_since.
  bool is_outdated(const HostEntry& host) const;
  // Shows the ratios and the default zone of the settings, after these have changed.
  void show_settings();
  void add_claims_column(std::string_view resource);
  void add_stats_column(const ColumnDeclaration& column);
  // Adds the column image_properties, and counts from now on the images of each host's residents. Does nothing if there
  // is the column.
  void add_image_properties_column();
  bool has_image_properties_column() const { return images_at_.has_value(); }

 private:
  // A column stats.KEY, with its position in the schema.
  struct StatsColumn {
    std::string key;
    std::uint32_t position;
    std::int32_t type;
    // The value may stand at the top of the report. If false, KEY is the name of a core's column, and only the report's
    // nested object `stats` is read.
    bool top_level;
  };

  RowState& add_row(HostEntry& host, std::string_view node);
  void remove_row(RowState& row);
  void rename_row(RowState& row, std::string_view node);
  // Adds or removes the row without a node. Call after the host's service or capabilities were set or removed.
  void settle(HostEntry& host);
  // Attaches the host's instances and claims to its rows anew. Call after a row was added, removed or renamed.
  void place_all(HostEntry& host);
  // Returns whether the instance is listed, claimed or recorded on the row.
  bool stands_on(const RowState& row, const gantry_uuid& instance) const;
  // Call after the instance may have come to the row or left it.
  void update_instance(RowState& row, const gantry_uuid& instance);
  void attach(ClaimRecord& claim, RowState* row);

  // Call when a resident has come, or has left.
  void update_images(HostEntry& host, const InstanceRecord& instance, bool has_come);
  void show_images(HostEntry& host);

  void show_row(const RowState& row);
  void show_service(const HostEntry& host);
  void show_service_on(const RowState& row);
  void show_capabilities(const HostEntry& host);
  void show_zone_on(const RowState& row, std::string_view zone);
  std::string_view zone_of(const HostEntry& host) const;
  void show_use(const RowState& row);
  void show_listed(RowState& row, const json::object& stats);
  void show_scalars(RowState& row, const json::object& stats);
  void show_updated_at(const RowState& row);
  void show_ratios(const RowState& row, const json::object& stats);
  void note_size(RowState& row, const json::object& stats);
  json::object take_json_cells(RowState& row, const json::object& stats, const json::object* replaced);
  void show_stats(const RowState& row, const json::object& stats);
  void show_stats_column(const RowState& row, const StatsColumn& column, const json::value* value);

  std::string topic_;
  Surroundings surroundings_;
  Table table_;
  std::unordered_map<std::string_view, std::unique_ptr<HostEntry>> hosts_;  // by name; keys point into the entries
  ListedInstances listed_;
  std::vector<std::pair<std::string, std::uint32_t>> claims_columns_;  // resource, position of its column
  std::vector<StatsColumn> stats_columns_;
  std::optional<std::uint32_t> images_at_;  // the position of the column image_properties
};

}  // namespace gantry::fleet
