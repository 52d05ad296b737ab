// SPDX-License-Identifier: Apache-2.0
//
// The releases of Nova whose rules the driver follows, as one table: each release states what it changes. A rule asks
// for the property that it depends on, never for the name of a release.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace filter_driver {

// The attributes that a host state has.
enum class host_state : std::uint8_t { of_icehouse = 1, of_ocata = 2, of_zed = 4 };

// The rules of one release. All values start as Icehouse's (April 2014).
struct release_rules {
  std::string_view name = "icehouse";  // as the option compatibility has it

  // Metadata of aggregates: a value with commas is a list. Several numbers are compared as numbers. Before, the value
  // that sorts first as a text is read. Metadata may set the multiplier of a weigher.
  bool splits_aggregate_values = false;
  bool compares_aggregate_numbers = false;
  bool aggregates_set_multipliers = false;

  // Image properties have the names of Nova's objects, "hw_architecture", and are compared as texts.
  bool image_properties_are_objects = false;
  // The image is the one that Nova's objects carry. Before, it is the request's reference to an image.
  bool image_is_an_object = false;

  // Extra specs: the operator <all-in>. A name without scope that no host state has asks for nothing. Texts within a
  // capability are read as JSON.
  bool knows_all_in = false;
  bool ignores_unknown_capabilities = false;
  bool reads_json_in_capabilities = false;

  // Hints: a list of one item stands for the item. JsonFilter compares values of unlike types, as Python 2 does.
  bool hints_may_be_lists = false;
  bool orders_unlike_types = true;

  host_state attributes = host_state::of_icehouse;

  // Resources: the allocation ratio is the host's. Before, it is configured. An instance may not be larger than the
  // host, even where the ratio allows for more. The Exact... filters leave limits to the claim. Placement judges
  // processors, memory and disk.
  bool hosts_have_ratios = false;
  bool an_instance_fits_the_whole_host = false;
  bool exact_filters_leave_limits = false;
  bool placement_judges_resources = false;

  // An instance of unknown flavor counts as one of another flavor.
  bool unknown_flavors_differ = false;
  // A host whose metrics are null ends the request.
  bool null_metrics_end_the_request = false;

  // Server groups: a group without its list of policies ends the request. The instance's own host passes
  // anti-affinity. A group has one policy, and rules.
  bool affinity_needs_policies = false;
  bool own_host_passes_anti_affinity = false;
  bool groups_have_one_policy = false;

  // The choice of hosts: a request may name its destination. The names of forced and ignored hosts match in any case.
  // A destination may leave its node open, and a move may leave the cell.
  bool requests_have_destinations = false;
  bool folds_host_names = false;
  bool destination_may_leave_node_open = false;
  bool moves_may_leave_the_cell = false;
  // The hint _nova_check_type asks the filters about the hosts that the request forces.
  bool knows_the_hint_of_a_check = false;

  // A rebuild asks every filter. After that, it asks those that say so (rules/filter.hpp).
  bool a_rebuild_asks_every_filter = true;
  bool a_rebuild_asks_more_filters = false;

  // Weighers: a single host is not weighed. minval and maxval bound the weights.
  bool a_single_host_is_not_weighed = false;
  bool weights_have_bounds = false;
  // Multipliers that may not be negative are refused. Before, Nova warns and goes on.
  bool refuses_negative_multipliers = false;

  // NUMA: the fit, the usage and the filter are Ocata's, who counts an isolated thread as its whole core, knows no
  // networks and takes every host that reports a core for one with hyperthreads.
  bool fits_numa_as_ocata = false;

  // PCI: physical functions are kept for requests that ask for them. Texts match in any case and lists by their
  // items, the NUMA policies apply, and VDPA and remote-managed devices are kept for requests that ask for them. A
  // request that is not served ends the fit.
  bool keeps_physical_functions = false;
  bool pci_requests_have_policies = false;

  // NUMA: a cell of the policy mixed may pin no CPU. Before, Nova takes the empty pinning for a failed one, and raises
  // an error where it counts the cell. The memory of a cell with dedicated CPUs and without a page size is compared
  // with the smallest pages that are free. Before, with all of these pages, and also with the cell's free memory.
  bool an_empty_pinning_fits = false;
  bool pinned_memory_by_free_pages = false;

  // NUMA and PCI: the filters judge the allocation candidates of a host one by one, and the claim takes the first that
  // they leave. Before, the claim takes placement's first.
  bool filters_judge_candidates = false;

  // PCI: a request may name resource classes, traits and providers of placement, and the pools are not compared with
  // them. Only the providers that the request names in rp_uuids serve the request. A provider that has devices in
  // several pools serves no request. A request may ask for devices that can be migrated live, or for others.
  bool pci_requests_may_name_providers = false;
  bool refuses_split_providers = false;
  bool pci_devices_may_be_live_migratable = false;

  // The whole text of an aggregate's availability_zone is its zone. Before, each text between commas is one.
  bool zones_are_whole_texts = false;
  // All keys of metadata that begin with filter_tenant_id list projects.
  bool tenant_keys_have_suffixes = false;
  // A flavor and an image may ask for the width of physical addresses.
  bool knows_address_widths = false;
  // Versions of hypervisors are compared as PEP 440 has it. Before, as Python's distutils did.
  bool versions_are_of_pep_440 = false;
};

inline constexpr release_rules icehouse_rules{};

// February 2017.
inline constexpr release_rules ocata_rules = [] {
  auto rules = icehouse_rules;
  rules.name = "ocata";
  rules.splits_aggregate_values = true;
  rules.compares_aggregate_numbers = true;
  rules.image_properties_are_objects = true;
  rules.image_is_an_object = true;
  rules.knows_all_in = true;
  rules.ignores_unknown_capabilities = true;
  rules.reads_json_in_capabilities = true;
  rules.hints_may_be_lists = true;
  rules.attributes = host_state::of_ocata;
  rules.hosts_have_ratios = true;
  rules.an_instance_fits_the_whole_host = true;
  rules.exact_filters_leave_limits = true;
  rules.unknown_flavors_differ = true;
  rules.null_metrics_end_the_request = true;
  rules.affinity_needs_policies = true;
  rules.own_host_passes_anti_affinity = true;
  rules.requests_have_destinations = true;
  rules.folds_host_names = true;
  rules.knows_the_hint_of_a_check = true;
  rules.a_rebuild_asks_every_filter = false;
  rules.a_rebuild_asks_more_filters = true;
  rules.a_single_host_is_not_weighed = true;
  rules.fits_numa_as_ocata = true;
  rules.keeps_physical_functions = true;
  return rules;
}();

// October 2022.
inline constexpr release_rules zed_rules = [] {
  auto rules = ocata_rules;
  rules.name = "zed";
  rules.aggregates_set_multipliers = true;
  rules.orders_unlike_types = false;
  rules.attributes = host_state::of_zed;
  rules.placement_judges_resources = true;
  rules.groups_have_one_policy = true;
  rules.destination_may_leave_node_open = true;
  rules.moves_may_leave_the_cell = true;
  rules.a_rebuild_asks_more_filters = false;
  rules.weights_have_bounds = true;
  rules.refuses_negative_multipliers = true;
  rules.fits_numa_as_ocata = false;
  rules.pci_requests_have_policies = true;
  return rules;
}();

// March 2023. Each of the following is the last that its series published: 27.5.1 here.
inline constexpr release_rules antelope_rules = [] {
  auto rules = zed_rules;
  rules.name = "antelope";
  rules.an_empty_pinning_fits = true;
  rules.filters_judge_candidates = true;
  rules.pci_requests_may_name_providers = true;
  return rules;
}();

// October 2023: 28.3.1.
inline constexpr release_rules bobcat_rules = [] {
  auto rules = antelope_rules;
  rules.name = "bobcat";
  rules.zones_are_whole_texts = true;
  return rules;
}();

// April 2024: 29.4.0.
inline constexpr release_rules caracal_rules = [] {
  auto rules = bobcat_rules;
  rules.name = "caracal";
  rules.refuses_split_providers = true;
  rules.knows_address_widths = true;
  return rules;
}();

// October 2024: 30.3.0.
inline constexpr release_rules dalmatian_rules = [] {
  auto rules = caracal_rules;
  rules.name = "dalmatian";
  rules.pinned_memory_by_free_pages = true;
  rules.tenant_keys_have_suffixes = true;
  return rules;
}();

// April 2025: 31.3.1.
inline constexpr release_rules epoxy_rules = [] {
  auto rules = dalmatian_rules;
  rules.name = "epoxy";
  rules.pci_devices_may_be_live_migratable = true;
  rules.versions_are_of_pep_440 = true;
  return rules;
}();

// October 2025: 32.2.1. The release changes only questions for placement.
inline constexpr release_rules flamingo_rules = [] {
  auto rules = epoxy_rules;
  rules.name = "flamingo";
  return rules;
}();

// April 2026: 33.0.2. The release changes only questions for placement.
inline constexpr release_rules gazpacho_rules = [] {
  auto rules = flamingo_rules;
  rules.name = "gazpacho";
  return rules;
}();

// October 2026: 34.0.0. The release changes only questions for placement.
inline constexpr release_rules hibiscus_rules = [] {
  auto rules = gazpacho_rules;
  rules.name = "hibiscus";
  return rules;
}();

// One release of the table: release::zed->splits_aggregate_values.
class release {
 public:
  static const release icehouse, ocata, zed, antelope, bobcat, caracal, dalmatian, epoxy, flamingo, gazpacho, hibiscus;
  static const std::array<release, 11> all;  // the newest first

  // Returns the release of this name. Empty if the table has none.
  static constexpr std::optional<release> named(std::string_view name);

  constexpr const release_rules* operator->() const { return rules_; }

 private:
  constexpr explicit release(const release_rules& rules) : rules_(&rules) {}

  const release_rules* rules_;
};

inline constexpr release release::icehouse{icehouse_rules};
inline constexpr release release::ocata{ocata_rules};
inline constexpr release release::zed{zed_rules};
inline constexpr release release::antelope{antelope_rules};
inline constexpr release release::bobcat{bobcat_rules};
inline constexpr release release::caracal{caracal_rules};
inline constexpr release release::dalmatian{dalmatian_rules};
inline constexpr release release::epoxy{epoxy_rules};
inline constexpr release release::flamingo{flamingo_rules};
inline constexpr release release::gazpacho{gazpacho_rules};
inline constexpr release release::hibiscus{hibiscus_rules};
inline constexpr std::array<release, 11> release::all{
    release::hibiscus, release::gazpacho, release::flamingo, release::epoxy, release::dalmatian, release::caracal,
    release::bobcat,   release::antelope, release::zed,      release::ocata, release::icehouse};

constexpr std::optional<release> release::named(std::string_view name) {
  for (const release each : all) {
    if (each->name == name) return each;
  }
  return std::nullopt;
}

}  // namespace filter_driver
