// SPDX-License-Identifier: Apache-2.0
//
// Hosts, services, aggregates, groups, instances and claims in memory. Facts go in through put and remove, decisions
// read through pin, and claim admits a pick. Nothing here is durable: whoever changes a fact stores it as well.
//
// Everything is [any thread]; each function holds the fleet's one lock briefly and never while a driver runs.
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

// What a claim's instance keeps to of its server group.
struct GroupBound {
  std::string_view group;                  // uuid; of one that the fleet does not know, `members` are the members
  std::span<const std::string> members{};  // uuids
  std::uint32_t most_on_a_host = 0;        // live members, the instance itself included; 0: any number
  bool together = false;                   // on a host that has a live member, unless there is none
};

// Which instances; what is not set does not matter.
struct InstanceQuery {
  std::optional<std::string> name = {};
  std::optional<std::string> host = {};
  std::optional<std::string> project_id = {};
  std::optional<std::string> vm_state = {};
};

// A row's resource that is claimed and reported over the limits of its claims.
struct OverLimit {
  std::string topic, host, node, resource;
  double limited = 0;                  // sum of the claims that came with a limit
  double unlimited = 0;                // of those that came without
  double reported = 0;                 // use by the host's own report
  double limit = 0;                    // the largest that a claim came with
  std::vector<std::string> consumers;  // of the claims with a limit
};

class Fleet {
 public:
  explicit Fleet(FleetSettings settings);
  ~Fleet();
  Fleet(const Fleet&) = delete;
  Fleet& operator=(const Fleet&) = delete;

  // Before the first put. invalid_configuration: two drivers declare one name with two types, or a core column's name.
  Result<void> declare_column(const ColumnDeclaration& column);
  // claims.RESOURCE is in every view from now on; others come with the first claim of the resource.
  void declare_claims_resource(std::string_view resource);
  // The topic has a view from now on, though nothing was put into it; "compute" always has.
  void declare_topic(std::string_view topic);
  // Names of the core's columns, and those declared.
  static bool is_core_column(std::string_view name);  // claims.R counts

  // ---- facts. put replaces what has the same key. Each returns what was there before, for undoing.
  std::optional<Service> put_service(const Service& service);
  std::optional<Service> remove_service(std::string_view topic, std::string_view host);
  // stats are merged over what the row had, key by key; null removes a key. `ended`: claims that this report ends: its
  // stats.instances (a list of ids, if there is one) names their consumer, or it was sampled after their instance
  // became active. Returns the row's whole new record through `merged`.
  std::optional<ComputeNode> put_compute_node(const ComputeNode& report, ComputeNode& merged, ClaimChanges& changes);
  std::optional<ComputeNode> remove_compute_node(std::string_view topic, std::string_view host, std::string_view node);
  // Sets a record as it is, without merging; for loading and undoing.
  void restore_compute_node(const ComputeNode& node);
  std::optional<Capabilities> put_capabilities(const Capabilities& capabilities);
  std::optional<Capabilities> remove_capabilities(std::string_view topic, std::string_view host);
  std::optional<Aggregate> put_aggregate(const Aggregate& aggregate);
  std::optional<Aggregate> remove_aggregate(std::int64_t id);
  std::optional<Group> put_group(const Group& group);
  std::optional<Group> remove_group(std::string_view uuid);
  // uuid must parse as one. An instance with a host that is not deleted stands in its row's `instances`.
  std::optional<Instance> put_instance(const Instance& instance);
  std::optional<Instance> remove_instance(std::string_view uuid);

  // ---- lookups, copies. Lists are sorted by their key.
  std::optional<Service> service(std::string_view topic, std::string_view host) const;
  std::vector<Service> services() const;
  bool is_up(const Service& service, Nanoseconds now) const;
  std::optional<ComputeNode> compute_node(std::string_view topic, std::string_view host, std::string_view node) const;
  Nanoseconds sampled_at(std::string_view topic, std::string_view host, std::string_view node) const;  // of its report
  std::optional<Capabilities> capabilities(std::string_view topic, std::string_view host) const;
  std::optional<Aggregate> aggregate(std::int64_t id) const;
  std::vector<Aggregate> aggregates() const;
  std::optional<Group> group(std::string_view uuid_or_name) const;
  std::vector<Group> groups() const;
  std::optional<Instance> instance(std::string_view uuid) const;
  std::vector<Instance> instances(const InstanceQuery& query = {}) const;
  // In the order in which they were made, from the one after `after` (a uuid) on, at most `limit` (0: all). nullopt:
  // there is none of that uuid.
  std::optional<std::vector<Instance>> instance_page(const InstanceQuery& query,
                                                     const std::optional<std::string>& after, std::size_t limit) const;
  std::map<std::string, std::size_t> instance_counts() const;  // by vm_state
  std::vector<Claim> claims() const;

  // All of it as it is at `now`, in the order of the rows, with claims older than claim_max_age left out. Everything is of
  // one instant; the lock is held for a copy of what is kept packed, not for unpacking it.
  Document document(Nanoseconds now);

  // ---- decisions
  // Every topic as it is at `now`: services whose heartbeat has grown too old by then are down in it, and claims older
  // than claim_max_age are gone.
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

  // ---- examination: what there is by name, each to be looked up by itself, so that nobody waits for the whole
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
  // Whose heartbeat was fresh at `before` (0: ever, as far as there was one) and is too old at `now`.
  std::vector<Service> services_gone_down(Nanoseconds before, Nanoseconds now) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace gantry::fleet
