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

enum class ClaimOutcome { held, lost, no_such_row };

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
  std::optional<ComputeNode> put_compute_node(const ComputeNode& report, ComputeNode& merged,
                                              std::vector<Claim>& ended);
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

  // Admits a claim on the row that `row` of `view` (a view of `moment`) stands for, judged by what is true now, not by
  // the view: for each item, claims of the resource plus the row's reported use (vcpu: vcpus_used, memory_mb:
  // memory_mb_used, disk_gb: local_gb_used, others: none) plus the amount may not exceed the limit; where one of the
  // others has a limit, the row's numa_topology and pci_stats are to be those of the view as well. A claim of the same
  // consumer on the same row is replaced; what was promised of it holds on: `claim` is durable, and waits for a cast, if
  // it did. topic, host, node and serial of `claim` are filled in.
  // With a bound, what it says must hold too of the group's members as they are now.
  ClaimOutcome claim(const Moment& moment, const gantry_view& view, std::uint32_t row, Claim& claim,
                     const GroupBound& bound = {});
  // Before a held claim is stored: what others have done to it since is overruled, and its serial changes. False: it has
  // ended or been replaced since, or there is no room for it any more; it must not be stored. Adds to `replaced` what it
  // replaced under another key, from before the host had reported its node: to be erased with the storing of this one.
  bool confirm_claim(Claim& claim, std::vector<Claim>& replaced);
  // Undoes a claim that was held: it is released, and what it replaced is there again. A claim that has ended since
  // stays ended, with the one before it.
  void give_back(const Claim& claim);
  // Without a question; for loading, and for undoing what ended or changed the claim.
  void restore_claim(const Claim& claim);
  // What it removed, if there was one.
  std::optional<Claim> release(std::string_view consumer, std::string_view topic, std::string_view host,
                               std::string_view node);
  // All claims of a consumer, wherever.
  std::vector<Claim> release_all(std::string_view consumer);
  // What release_all would release, but not `kept`.
  std::vector<Claim> claims_of(std::string_view consumer, const Claim* kept = nullptr) const;
  // The same, and from now on nobody stores them again, until they are released, made anew or kept.
  std::vector<Claim> begin_release(std::string_view consumer, const Claim* kept = nullptr);
  // What begin_release began is not to be: the store could not follow.
  void keep(const std::vector<Claim>& claims);
  // These, and what they replaced; claims that were made or confirmed since stay.
  void release(const std::vector<Claim>& claims);
  // The cast that the consumer's claims wait for has been acknowledged: from now on they age. Returns them; through
  // `before` as they were, for undoing with restore_claim.
  std::vector<Claim> cast_acknowledged(std::string_view consumer, Nanoseconds now,
                                       std::vector<Claim>* before = nullptr);
  // Ends claims that are too old; for the store to follow. pin does the same for the views.
  std::vector<Claim> expire_claims(Nanoseconds now);
  // The store could not follow: expire_claims hands them out again, unless they have been made anew.
  void still_stored(const std::vector<Claim>& ended);

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
