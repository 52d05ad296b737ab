// SPDX-License-Identifier: Apache-2.0
#include "core/config/nova/level_defaults.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "core/config/nova/class_names.hpp"
#include "core/config/nova/options.hpp"
#include "core/config/nova/value.hpp"

namespace gantry::config::nova {

namespace {

// An option with its default as text of nova.conf. Empty for an option that is null or an empty list by default.
struct Default {
  OptionName name;
  Type type;
  std::string_view value;             // Zed's, or that of the release that brought the option
  Release since = Release::icehouse;  // this value, or the option
  std::string_view before{};          // the value before, if another; an option that is new has none
  Release until = Release::hibiscus;  // the last release that reads the option
};

constexpr std::array defaults{
    Default{{"DEFAULT", "initial_cpu_allocation_ratio"}, Type::real, "4.0", Release::antelope, "16.0"},
    Default{{"DEFAULT", "initial_ram_allocation_ratio"}, Type::real, "1.0", Release::antelope, "1.5"},
    Default{{"DEFAULT", "initial_disk_allocation_ratio"}, Type::real, "1.0"},
    Default{{"filter_scheduler", "hypervisor_version_weight_multiplier"}, Type::real, "1.0", Release::bobcat},
    Default{{"filter_scheduler", "num_instances_weight_multiplier"}, Type::real, "0.0", Release::bobcat, "0.0"},
    Default{{"filter_scheduler", "image_props_weight_multiplier"}, Type::real, "0.0", Release::epoxy, "0.0"},
    Default{{"filter_scheduler", "image_props_weight_setting"}, Type::list, "", Release::epoxy, ""},
    Default{{"filter_scheduler", "pci_in_placement"}, Type::boolean, "false", Release::antelope, "false"},
    Default{{"scheduler", "query_placement_for_availability_zone"},
            Type::boolean,
            "true",
            Release::icehouse,
            "",
            Release::antelope},
    Default{{"DEFAULT", "service_down_time"}, Type::integer, "60"},
    Default{{"DEFAULT", "default_availability_zone"}, Type::text, "nova"},
    Default{{"scheduler", "max_attempts"}, Type::integer, "3"},
    Default{{"scheduler", "max_placement_results"}, Type::integer, "1000"},
    Default{{"scheduler", "limit_tenants_to_placement_aggregate"}, Type::boolean, "false"},
    Default{{"scheduler", "placement_aggregate_required_for_tenants"}, Type::boolean, "false"},
    Default{{"scheduler", "query_placement_for_image_type_support"}, Type::boolean, "false"},
    Default{{"scheduler", "query_placement_for_routed_network_aggregates"}, Type::boolean, "false"},
    Default{{"scheduler", "enable_isolated_aggregate_filtering"}, Type::boolean, "false"},
    Default{{"scheduler", "image_metadata_prefilter"}, Type::boolean, "false"},
    Default{{"filter_scheduler", "host_subset_size"}, Type::integer, "1"},
    Default{{"filter_scheduler", "shuffle_best_same_weighed_hosts"}, Type::boolean, "false"},
    Default{{"filter_scheduler", "ram_weight_multiplier"}, Type::real, "1.0"},
    Default{{"filter_scheduler", "cpu_weight_multiplier"}, Type::real, "1.0"},
    Default{{"filter_scheduler", "disk_weight_multiplier"}, Type::real, "1.0"},
    Default{{"filter_scheduler", "io_ops_weight_multiplier"}, Type::real, "-1.0"},
    Default{{"filter_scheduler", "pci_weight_multiplier"}, Type::real, "1.0"},
    Default{{"filter_scheduler", "soft_affinity_weight_multiplier"}, Type::real, "1.0"},
    Default{{"filter_scheduler", "soft_anti_affinity_weight_multiplier"}, Type::real, "1.0"},
    Default{{"filter_scheduler", "build_failure_weight_multiplier"}, Type::real, "1000000.0"},
    Default{{"filter_scheduler", "cross_cell_move_weight_multiplier"}, Type::real, "1000000.0"},
    Default{{"filter_scheduler", "weight_classes"}, Type::list, "nova.scheduler.weights.all_weighers"},
    Default{{"filter_scheduler", "max_io_ops_per_host"}, Type::integer, "8"},
    Default{{"filter_scheduler", "max_instances_per_host"}, Type::integer, "50"},
    Default{{"filter_scheduler", "isolated_images"}, Type::list, ""},
    Default{{"filter_scheduler", "isolated_hosts"}, Type::list, ""},
    Default{{"filter_scheduler", "restrict_isolated_hosts_to_isolated_images"}, Type::boolean, "true"},
    Default{{"filter_scheduler", "aggregate_image_properties_isolation_namespace"}, Type::text, ""},
    Default{{"filter_scheduler", "aggregate_image_properties_isolation_separator"}, Type::text, "."},
    Default{{"filter_scheduler", "image_properties_default_architecture"}, Type::text, ""},
    Default{{"metrics", "weight_multiplier"}, Type::real, "1.0"},
    Default{{"metrics", "weight_setting"}, Type::list, ""},
    Default{{"metrics", "required"}, Type::boolean, "true"},
    Default{{"metrics", "weight_of_unavailable"}, Type::real, "-10000.0"},
    Default{{"compute", "packing_host_numa_cells_allocation_strategy"}, Type::boolean, "false"},
};

std::string toml_of(Type type, std::string_view text) {
  if (text.empty()) return type == Type::list ? "[]" : R"("")";
  const auto value = read_value(type, text);
  return value ? to_toml(*value) : "";
}

// The option's names that the release reads, the newest first.
std::vector<OptionName> names_of(OptionName name, std::string_view older_key, Release release) {
  if (older_key.empty() || release >= Release::zed) return {name};
  return {name, {"DEFAULT", older_key}};
}

std::string_view older_key_of(OptionName name) {
  for (const CarriedOption& option : carried_options())
    if (option.name.section == name.section && option.name.key == name.key) return option.older_key;
  if (name.key == weight_classes.key) return older_weight_classes.key;
  return "";
}

class Comparison {
 public:
  Comparison(const Conf& conf, Release release) : conf_(conf), release_(release) {}

  std::vector<OtherDefault> run() && {
    take_filters();
    for (const Default& one : defaults) take(one);
    return std::move(found_);
  }

 private:
  struct OfSite {
    std::string value;
    Place place;
  };

  // nullopt: the files say nothing, or nothing that makes sense.
  std::optional<OfSite> of_site(const std::vector<OptionName>& names, Type type) const {
    const auto found = conf_.find(names);
    if (!found || !*found) return std::nullopt;
    const auto value = read_value(type, (*found)->values.back());
    if (!value) return std::nullopt;
    return OfSite{to_toml(*value), (*found)->place};
  }

  // The ratio for all hosts holds in the place of the initial one.
  std::optional<OfSite> of_site(const Default& one) const {
    constexpr std::string_view initial = "initial_";
    if (one.name.key.starts_with(initial)) {
      auto ratio = of_site({{one.name.section, one.name.key.substr(initial.size())}}, one.type);
      if (ratio && ratio->value != "0.0") return ratio;
    }
    return of_site(names_of(one.name, older_key_of(one.name), release_), one.type);
  }

  void take(const Default& one) {
    const auto site = of_site(one);
    const bool is_changed = one.since > Release::zed;
    const std::string since = is_changed && release_ >= one.since ? std::string(name_of(one.since)) : "";
    if (release_ > one.until) {
      const auto first_without = static_cast<Release>(static_cast<int>(one.until) + 1);
      if (site) put(one.name, "", site, "", std::string(name_of(first_without)));
      return;
    }
    const bool is_older = is_changed && release_ < one.since;
    // The release has no such option: the translation says so where a file sets it.
    if (is_older && is_new(one)) return;
    const std::string of_zed = is_changed ? before(one) : toml_of(one.type, one.value);
    const std::string of_release = is_older ? of_zed : toml_of(one.type, one.value);
    put(one.name, of_release, site, of_zed, since);
  }

  // An option that came after Zed, and does nothing by default unless `before` is empty.
  static bool is_new(const Default& one) { return one.before.empty() || one.before == one.value; }
  static std::string before(const Default& one) {
    return one.before.empty() && one.type != Type::list ? "" : toml_of(one.type, one.before);
  }

  void take_filters() {
    const auto given = of_site(
        names_of(enabled_filters, release_ >= Release::zed ? "" : older_enabled_filters.key, release_), Type::list);
    put(enabled_filters, to_toml(to_node(default_filters(release_))), given,
        to_toml(to_node(default_filters(Release::zed))), "");
  }

  void put(OptionName name, const std::string& of_release, const std::optional<OfSite>& site, const std::string& of_zed,
           std::string since) {
    const std::string& value = site ? site->value : of_zed;
    if (value == of_release) return;
    found_.push_back({"[" + std::string(name.section) + "] " + std::string(name.key), of_release, value,
                      site ? std::optional(site->place) : std::nullopt, std::move(since)});
  }

  const Conf& conf_;
  const Release release_;
  std::vector<OtherDefault> found_;
};

}  // namespace

std::vector<OtherDefault> other_defaults(const Conf& conf, Release release) {
  return Comparison(conf, release).run();
}

std::optional<std::string> scheduling_default(std::string_view section, std::string_view key) {
  const auto* const found = std::ranges::find_if(
      defaults, [&](const Default& one) { return one.name.section == section && one.name.key == key; });
  if (found == defaults.end() || found->type == Type::list) return std::nullopt;
  return std::string(found->before.empty() ? found->value : found->before);
}

std::string line_of(const OtherDefault& one) {
  const std::string since = one.since.empty() ? "" : " since " + one.since;
  const std::string here = one.of_release.empty() ? "not read" + since : one.of_release + " by default" + since;
  if (one.place) {
    const bool is_same = one.place->name() == one.name;
    return one.name + ": " + here + ", the files say " + (is_same ? "" : one.place->key + " = ") + one.of_site + " (" +
           one.place->text() + ")";
  }
  return one.name + ": " + here + ", " + (one.of_site.empty() ? "no such option in zed" : one.of_site + " in zed") +
         "; the files say nothing";
}

}  // namespace gantry::config::nova
