// SPDX-License-Identifier: Apache-2.0
//
// Hosts, services, aggregates, groups, instances and claims in memory. Methods of the service put and remove facts. A
// decision pins a Moment, reads the views in it, and claims the rows that it picks. Nothing here is durable: a caller
// that changes a fact must also write the fact to the store.
//
//   Fleet ── Topics ── TopicHosts, one per topic: hosts, services and reports of that topic
//     │                   └── Table ── TableCopy, a few per topic: columns of cells, read by pinned Moments
//     ├── Claims: resources that picks hold until a report shows them as used; states in claims/claims.hpp
//     └── aggregates, groups, instances
//
// core/fleet/tables/moment.hpp shows how topic, table, copy, moment and view belong together.
//
// [any thread] Each function takes the fleet's one lock briefly. The lock is never held while a driver runs.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/fleet/claims/claim_changes.hpp"
#include "core/fleet/claims/claim_ticket.hpp"
#include "core/fleet/documents/document.hpp"
#include "core/fleet/history/recalled_fleet.hpp"
#include "core/fleet/records/records.hpp"
#include "core/fleet/tables/moment.hpp"
#include "core/fleet/topics/fleet_settings.hpp"
#include "core/result.hpp"

namespace gantry::fleet {

// The part of a server group's policy that a claim must follow.
struct GroupBound {
  std::string_view group;                  // as Claim::group
  std::span<const gantry_uuid> members{};  // instances that the caller knows as members, sorted
  std::uint32_t most_on_a_host = 0;  // most live members on one host, the claiming instance included; 0: any number
  bool together = false;             // if the group has a live member, admits only hosts with one
};

// An availability zone that a host is in, and the aggregate that puts the host there.
struct HostZone {
  std::int64_t aggregate = 0;
  std::string aggregate_name;
  std::string zone;
};

// Selects instances. A member that is not set matches every instance.
struct InstanceQuery {
  std::optional<std::string> name = {};
  std::optional<std::string> host = {};
  std::optional<std::string> project_id = {};
  std::optional<std::string> vm_state = {};
};

// A service whose last heartbeat is of the future.
struct ClockAhead {
  std::string topic, host;
  Nanoseconds by = 0;
};

// A resource of a row that is booked beyond its limit: the claims and the reported use together exceed the limit.
struct OverLimit {
  std::string topic, host, node, resource;
  double limited = 0;                  // amount of the claims with a limit
  double unlimited = 0;                // amount of the claims without a limit
  double reported = 0;                 // use that the host reported
  double limit = 0;                    // the largest limit of these claims
  std::vector<std::string> consumers;  // whose claims have a limit
};

// A parameter `now` is in steady time (FleetSettings::clock_steps), the times in records are of the system clock.
class Fleet {
 public:
  explicit Fleet(FleetSettings settings);
  ~Fleet();
  Fleet(const Fleet&) = delete;
  Fleet& operator=(const Fleet&) = delete;

  // Adds a column that a driver declares. Call before the first fact is put. Fails with invalid_configuration if
  // another driver declares the column with another type, if the core has a column of that name, or if the name or the
  // type is not one that a driver may declare.
  Result<void> declare_column(const ColumnDeclaration& column);
  // From now on counts the images of each host's instances, and shows them in the column image_properties of the compute
  // topic's view: [[count, {name: value}], ...], a list of the different Instance::image_properties. All rows of a host
  // show the same. Null: no instance with an image is known. May be called at any time, and again.
  void keep_image_properties();
  bool keeps_image_properties() const;
  // Adds the column claims.RESOURCE to every view. The first claim of an undeclared resource adds its column to the
  // view of the claim's topic.
  void declare_claims_resource(std::string_view resource);
  // Gives the topic a view, even if it has no facts. "compute" always has a view.
  void declare_topic(std::string_view topic);
  // Returns whether the core has a column of that name. Every name claims.RESOURCE counts as the core's.
  static bool is_core_column(std::string_view name);

  // ---- limits. Each fails with invalid_argument, which names what grows, the limit and what was found, if the fact would
  // bring the fleet beyond FleetLimits. A fact that does not grow may be beyond. No put_ checks this.
  Result<void> check_room(std::string_view topic, std::string_view host) const;
  Result<void> check_room(const ComputeNode& report) const;
  Result<void> check_room(const Capabilities& capabilities) const;
  Result<void> check_room_for_aggregates(std::size_t more) const;
  Result<void> check_room_for_group() const;
  Result<void> check_room_for_instances(std::size_t more) const;
  Result<void> check_room_for_claims(std::size_t more) const;
  // Returns whether a driver, a setting or a fact has named the topic.
  bool has_topic(std::string_view topic) const;
  std::vector<std::string> topics() const;  // sorted
  const FleetLimits& limits() const;

  // ---- facts. put replaces the record with the same key. put and remove return the record as it was before, with
  // which the caller can undo the change. nullopt if there was none.
  std::optional<Service> put_service(const Service& service);
  std::optional<Service> remove_service(std::string_view topic, std::string_view host);
  // Merges the report's stats into the row's record, key by key. A null value removes its key. Stores the row's new
  // record in `merged`. Ends the row's claims whose consumer is in the list stats.instances, and those whose instance
  // became active on this host before the report was sampled.
  std::optional<ComputeNode> put_compute_node(const ComputeNode& report, ComputeNode& merged, ClaimChanges& changes);
  std::optional<ComputeNode> remove_compute_node(std::string_view topic, std::string_view host, std::string_view node);
  // Ends the held claims on the host's rows whose instance is on the host, where the row's record was updated after the
  // claim was made, or in the same second: Nova writes whole seconds. For records that list no instances.
  void end_shown_claims(std::string_view topic, std::string_view host, ClaimChanges& changes);
  // Sets a record as it is, without merging, for loading and undoing.
  void restore_compute_node(const ComputeNode& node);
  // Sets when the row's last report was sampled and came, for loading. Ignores a row without a report, or with a later
  // one.
  void restore_report_times(std::string_view topic, std::string_view host, std::string_view node,
                            Nanoseconds sampled_at, Nanoseconds updated_at);
  std::optional<Capabilities> put_capabilities(const Capabilities& capabilities);
  std::optional<Capabilities> remove_capabilities(std::string_view topic, std::string_view host);
  std::optional<Aggregate> put_aggregate(const Aggregate& aggregate);
  std::optional<Aggregate> remove_aggregate(std::int64_t id);
  std::optional<Group> put_group(const Group& group);
  std::optional<Group> remove_group(std::string_view uuid);
  // Makes instances members of a group. Returns the group as it was before. nullopt: there is no such group, or all are
  // members.
  std::optional<Group> join_group(std::string_view uuid, std::span<const std::string> instances);
  // Takes an instance out of all groups. Returns these groups as they were before.
  std::vector<Group> leave_groups(std::string_view instance);
  // Takes the members out of all groups that no instance record, claim or report knows, or that are deleted. Returns
  // these groups as they were before. Call after the facts of an earlier run were put.
  std::vector<Group> leave_unknown_members();
  // Ignores an instance whose uuid does not parse. The column `instances` shows an instance that has a host and is not
  // deleted, in the row of its host and node.
  std::optional<Instance> put_instance(const Instance& instance);
  std::optional<Instance> remove_instance(std::string_view uuid);

  // Call once, after the facts of an earlier run were put and before the first pin. Services that were up at
  // `stopped_at`, when that run ended, count as heard at `now`. Claims of a time after `now` count as of `now`. Returns
  // how many services are believed so.
  std::size_t begin(Nanoseconds stopped_at, Nanoseconds now);
  // Call before begin() if the facts come from a backup, and the hosts may have changed since: a host is down until it
  // was heard, and has reported again what it had reported before `since`, a time of the system clock.
  void distrust_reports_before(Nanoseconds since);
  // Returns how many services are up only because begin believed them.
  std::size_t unheard(Nanoseconds now) const;

  // ---- lookups. All return copies. Lists are sorted by key. nullopt if there is no such record.
  std::optional<Service> service(std::string_view topic, std::string_view host) const;
  std::vector<Service> services() const;
  // Returns whether the service is up at `now`: not forced down, and with a heartbeat that is neither too old nor too far in
  // the future.
  bool is_up(const Service& service, Nanoseconds now) const;
  // Returns the services whose last heartbeat is more than `tolerance` after `now`.
  std::vector<ClockAhead> clocks_ahead(Nanoseconds now, Nanoseconds tolerance) const;
  // Returns how long after its last heartbeat a service counts as up, and by how much a heartbeat may be ahead.
  Nanoseconds service_down_time() const;
  // Returns the zone of the hosts that no aggregate puts into a zone.
  std::string default_availability_zone() const;
  // Makes these times, ratios, default zone and columns hold from now on, for all hosts that are known. All else that
  // FleetSettings has stays as it is.
  void change_settings(const FleetSettings& settings);
  std::optional<ComputeNode> compute_node(std::string_view topic, std::string_view host, std::string_view node) const;
  // Returns when the row's last report was sampled. 0 if there is no report.
  Nanoseconds sampled_at(std::string_view topic, std::string_view host, std::string_view node) const;
  std::optional<Capabilities> capabilities(std::string_view topic, std::string_view host) const;
  std::optional<Aggregate> aggregate(std::int64_t id) const;
  std::vector<Aggregate> aggregates() const;
  // Returns the ids of the aggregates of that name or uuid, ascending.
  std::vector<std::int64_t> aggregate_ids(std::string_view name_or_uuid) const;
  // Returns the ids of the aggregates that a host of topic compute is in, ascending.
  std::vector<std::int64_t> aggregates_of(std::string_view host) const;
  // Returns the availability zones that aggregates put a host into. A host is in the zone of the first.
  std::vector<HostZone> zones_of(std::string_view host) const;
  // Returns how many instances are on a host and not deleted.
  std::size_t instances_on(std::string_view host) const;
  std::optional<Group> group(std::string_view uuid_or_name) const;
  // Returns the uuids of the groups of that name, sorted.
  std::vector<std::string> groups_named(std::string_view name) const;
  // Returns the members of a group that count: those of its record which are not deleted, and the instances of claims
  // that were made for the group (Claim::group). The fleet need not know the group.
  std::vector<std::string> members_of(std::string_view group) const;
  std::vector<Group> groups() const;
  std::optional<Instance> instance(std::string_view uuid) const;
  // Returns the hosts of the compute topic whose last reports list the instance.
  std::vector<std::string> listed_on(std::string_view uuid) const;
  // Returns whether an instance record, a claim or the last report of a host knows the instance, and its record does not
  // say that it is deleted.
  bool knows_instance(std::string_view uuid) const;
  std::vector<Instance> instances(const InstanceQuery& query = {}) const;
  // Returns at most `limit` instances (0: all) in the order of their creation, beginning behind the instance with uuid
  // `after`. nullopt if there is no such instance.
  std::optional<std::vector<Instance>> instance_page(const InstanceQuery& query,
                                                     const std::optional<std::string>& after, std::size_t limit) const;
  std::map<std::string, std::size_t> instance_counts() const;  // number of instances by vm_state
  std::vector<Claim> claims() const;
  std::size_t claim_count() const;

  // Returns the whole fleet as it is at `now`, all of one instant and in times of the system clock, in which the age of
  // a heartbeat or claim is what the fleet judges it to be: hosts in the order of the rows, without claims older than
  // claim_max_age. Holds the lock only while packed records are copied, not while they are unpacked.
  Document document(Nanoseconds now);

  // ---- decisions
  // Returns every topic as it is at `now`. Services whose heartbeat is too old at `now` are down, and claims older than
  // claim_max_age are gone.
  Moment pin(Nanoseconds now);

  // From now on keeps the history of the facts. Call before the first pin. If more than `most_bytes` are left
  // untaken, the history is lost and starts again.
  void keep_history(std::size_t most_bytes);
  // Returns the history since the call before. Empty if no history is kept.
  FactChunk take_history();

  // Claims row `row` of `view`, a view of `moment`. Judges by the fleet's present state and not by the view. The claim
  // is held if, for each item with a limit, the amount, the row's claims of the resource and the row's reported use
  // together stay within the limit. The reported use is vcpus_used for vcpu, memory_mb_used for memory_mb and
  // local_gb_used for disk_gb. For any other resource no use is reported: a limit on one also requires that the row's
  // numa_topology and pci_stats are still those of the view. `bound` must allow the host, too. The claim of a
  // pick replaces the one of an earlier pick of the same consumer on the same row: the new claim is then durable, or
  // waits for a cast, if the replaced one does. A claim with an id adds to what the consumer holds.
  ClaimTicket claim(const Moment& moment, const gantry_view& view, std::uint32_t row, Claim claim,
                    const GroupBound& bound = {});
  // Returns the topic of the consumer's first claim. nullopt if it has none.
  std::optional<std::string> topic_of_claims(std::string_view consumer) const;
  // Releases the consumer's claims. The room of the claims is free once `changes` is committed. Returns how many claims
  // were released.
  std::size_t release_claims(std::string_view consumer, ClaimChanges& changes);
  // Releases the claims of the consumer's picks, except the one on the row that `kept` names. nullptr for `kept`
  // releases all of them. Claims of drivers' methods stay.
  void release_picks(std::string_view consumer, ClaimChanges& changes, const Claim* kept);
  // Call when the last cast that the consumer's claims wait for was acknowledged. The claims age from `now` on, here a
  // time of the system clock.
  void acknowledge_cast(std::string_view consumer, Nanoseconds now, ClaimChanges& changes);
  // Ends claims that are older than claim_max_age, and adds to `changes` the steps that erase them from the store, also
  // for those that pin has ended. Adds steps that store the claims whose transaction failed after the answer was given.
  void sweep_claims(Nanoseconds now, ClaimChanges& changes);
  // Adds a claim that the store has, without checking for room.
  void load_claim(const Claim& claim);
  // Removes the claim with the consumer, topic, host, node and id of `named`, which the store does not have any more.
  void unload_claim(const Claim& named);

  // ---- examination. A caller asks for the names, then looks each record up by itself. No call holds the lock for
  // long.
  struct NodeName {
    std::string topic, host, node;
  };
  std::vector<NodeName> compute_node_names() const;
  std::vector<NodeName> capabilities_names() const;  // node is empty
  std::vector<std::string> instance_uuids() const;
  // `id` is Claim::id.
  std::optional<Claim> find_claim(std::string_view consumer, std::string_view topic, std::string_view host,
                                  std::string_view node, std::string_view id = {}) const;
  // Returns every resource of a row that is booked beyond its limit.
  std::vector<OverLimit> over_limits() const;
  // Returns the services whose heartbeat was fresh at `before` and is too old at `now`. 0 for `before` means all
  // services whose heartbeat is too old at `now`.
  std::vector<Service> services_gone_down(Nanoseconds before, Nanoseconds now) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace gantry::fleet
