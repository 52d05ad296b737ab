// SPDX-License-Identifier: Apache-2.0
//
// Hosts, services, aggregates, groups, instances and claims in memory. Methods of the service put and remove facts. A
// decision pins a Moment, reads the views in it, and claims the rows that it picks. Nothing here is durable: the caller
// that changes a fact stores it, too.
//
//   Fleet ── Topics ── TopicHosts, one per topic: hosts, services and reports of that topic
//     │                   └── Table ── TableCopy, a few per topic: columns of cells, read by pinned Moments
//     ├── Claims, what picks hold of hosts until reports show it: claims/claims.hpp has the states
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
#include "core/fleet/records/records.hpp"
#include "core/fleet/tables/moment.hpp"
#include "core/fleet/topics/fleet_settings.hpp"
#include "core/result.hpp"

namespace gantry::fleet {

// The part of a server group's policy that a claim must follow.
struct GroupBound {
  std::string_view group;                  // uuid
  std::span<const std::string> members{};  // uuids; used if the fleet does not know the group
  std::uint32_t most_on_a_host = 0;        // live members, the claiming instance included; 0: any number
  bool together = false;                   // admits only hosts with a live member of the group, if it has one
};

// Selects instances. A member that is not set matches every instance.
struct InstanceQuery {
  std::optional<std::string> name = {};
  std::optional<std::string> host = {};
  std::optional<std::string> project_id = {};
  std::optional<std::string> vm_state = {};
};

// A resource of a row whose claims and reported use together exceed the limits of the claims.
struct OverLimit {
  std::string topic, host, node, resource;
  double limited = 0;                  // sum of the claims with a limit
  double unlimited = 0;                // sum of the claims without a limit
  double reported = 0;                 // use by the host's own report
  double limit = 0;                    // the largest limit of a claim
  std::vector<std::string> consumers;  // of the claims with a limit
};

class Fleet {
 public:
  explicit Fleet(FleetSettings settings);
  ~Fleet();
  Fleet(const Fleet&) = delete;
  Fleet& operator=(const Fleet&) = delete;

  // Adds a column that a driver declares. Call before the first put. invalid_configuration if two drivers declare one
  // name with two types, or if the core has a column of that name.
  Result<void> declare_column(const ColumnDeclaration& column);
  // Adds the column claims.RESOURCE to every view. Undeclared resources get theirs with their first claim.
  void declare_claims_resource(std::string_view resource);
  // Gives the topic a view, even if no fact was put into it. "compute" always has a view.
  void declare_topic(std::string_view topic);
  // Returns whether the core has a column of that name. claims.R counts for any R.
  static bool is_core_column(std::string_view name);

  // ---- facts. put replaces the record with the same key. Each function returns the record before, so that the caller
  // can restore it.
  std::optional<Service> put_service(const Service& service);
  std::optional<Service> remove_service(std::string_view topic, std::string_view host);
  // Merges the report's stats into the row's record, key by key; null removes a key. Returns the row's new record
  // through `merged`. Ends the claims whose consumer stats.instances lists (a list of ids, if there is one), and those
  // whose instance became active before the report was sampled.
  std::optional<ComputeNode> put_compute_node(const ComputeNode& report, ComputeNode& merged, ClaimChanges& changes);
  std::optional<ComputeNode> remove_compute_node(std::string_view topic, std::string_view host, std::string_view node);
  // Sets a record as it is, without merging, for loading and undoing.
  void restore_compute_node(const ComputeNode& node);
  std::optional<Capabilities> put_capabilities(const Capabilities& capabilities);
  std::optional<Capabilities> remove_capabilities(std::string_view topic, std::string_view host);
  std::optional<Aggregate> put_aggregate(const Aggregate& aggregate);
  std::optional<Aggregate> remove_aggregate(std::int64_t id);
  std::optional<Group> put_group(const Group& group);
  std::optional<Group> remove_group(std::string_view uuid);
  // Ignores an instance whose uuid does not parse. An instance that has a host and is not deleted is in its row's
  // `instances`.
  std::optional<Instance> put_instance(const Instance& instance);
  std::optional<Instance> remove_instance(std::string_view uuid);

  // ---- lookups. All return copies. Lists are sorted by their key.
  std::optional<Service> service(std::string_view topic, std::string_view host) const;
  std::vector<Service> services() const;
  bool is_up(const Service& service, Nanoseconds now) const;
  std::optional<ComputeNode> compute_node(std::string_view topic, std::string_view host, std::string_view node) const;
  // Returns when the row's last report was sampled. 0 if there is no report.
  Nanoseconds sampled_at(std::string_view topic, std::string_view host, std::string_view node) const;
  std::optional<Capabilities> capabilities(std::string_view topic, std::string_view host) const;
  std::optional<Aggregate> aggregate(std::int64_t id) const;
  std::vector<Aggregate> aggregates() const;
  std::optional<Group> group(std::string_view uuid_or_name) const;
  std::vector<Group> groups() const;
  std::optional<Instance> instance(std::string_view uuid) const;
  std::vector<Instance> instances(const InstanceQuery& query = {}) const;
  // Returns at most `limit` instances (0: all) in the order of their creation, from the one after `after` (a uuid) on.
  // nullopt if there is no instance `after`.
  std::optional<std::vector<Instance>> instance_page(const InstanceQuery& query,
                                                     const std::optional<std::string>& after, std::size_t limit) const;
  std::map<std::string, std::size_t> instance_counts() const;  // by vm_state
  std::vector<Claim> claims() const;

  // Returns the whole fleet at `now`, in the order of the rows, without claims older than claim_max_age. The document
  // is of one instant. The lock is held for copying the packed records, not for unpacking them.
  Document document(Nanoseconds now);

  // ---- decisions
  // Returns every topic as it is at `now`: services whose heartbeat is too old by then are down, and claims older than
  // claim_max_age are gone.
  Moment pin(Nanoseconds now);

  // Claims the row of `view` (a view of `moment`), judged by what is true now and not by the view. The claim is held if
  // for each item with a limit the claims of the resource, the row's reported use (vcpu: vcpus_used, memory_mb:
  // memory_mb_used, disk_gb: local_gb_used, others: none) and the amount together stay within the limit. For a limit on
  // one of the others, the row's numa_topology and pci_stats must also be those of the view. With a bound, the group's
  // members as they are now must allow the host, too. A claim of the same consumer on the same row is replaced, and its
  // durable and cast_waits carry over.
  ClaimTicket claim(const Moment& moment, const gantry_view& view, std::uint32_t row, Claim claim,
                    const GroupBound& bound = {});
  // Releases all claims of a consumer but `kept`. Their room is free once the changes are committed. Returns how many.
  std::size_t release_claims(std::string_view consumer, ClaimChanges& changes, const Claim* kept = nullptr);
  // The last cast that the consumer's claims wait for has been acknowledged: from now on they age.
  void acknowledge_cast(std::string_view consumer, Nanoseconds now, ClaimChanges& changes);
  // Ends claims that are older than claim_max_age. pin ends them for the views, and this hands them to the store. Adds
  // the claims that a failed transaction behind an answer left unstored.
  void sweep_claims(Nanoseconds now, ClaimChanges& changes);
  // Adds a claim that the store has, without a question.
  void load_claim(const Claim& claim);

  // ---- examination: names first, each record then looked up by itself, so that no lookup holds the lock for long
  struct NodeName {
    std::string topic, host, node;
  };
  std::vector<NodeName> compute_node_names() const;
  std::vector<NodeName> capabilities_names() const;  // without node
  std::vector<std::string> instance_uuids() const;
  std::optional<Claim> find_claim(std::string_view consumer, std::string_view topic, std::string_view host,
                                  std::string_view node) const;
  bool has_claim(std::string_view consumer, std::string_view topic, std::string_view host, std::string_view node) const;
  std::vector<OverLimit> over_limits() const;
  // Returns the services whose heartbeat was fresh at `before` and is too old at `now`. 0 for `before`: those that have
  // ever sent one.
  std::vector<Service> services_gone_down(Nanoseconds before, Nanoseconds now) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace gantry::fleet
