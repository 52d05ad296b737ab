// SPDX-License-Identifier: Apache-2.0
#include "nova/options.hpp"

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <charconv>
#include <cmath>
#include <nova_classes.hpp>
#include <optional>
#include <utility>

#include "nova/option_names.hpp"

namespace filter_driver {
namespace {

using rule_names = std::span<const std::string_view>;
using texts = std::vector<std::string>;

// The options that are checked only for their type, each with its group in Nova. An option of [metrics] is called
// metrics_<name> in the driver.
template <class Settings, class Visit>
void each_plain_option(Settings& s, Visit visit) {
  visit("filter_scheduler", "host_subset_size", s.host_subset_size);
  visit("filter_scheduler", "shuffle_best_same_weighed_hosts", s.shuffle_best_same_weighed_hosts);
  visit("filter_scheduler", "ram_weight_multiplier", s.ram_weight_multiplier);
  visit("filter_scheduler", "cpu_weight_multiplier", s.cpu_weight_multiplier);
  visit("filter_scheduler", "disk_weight_multiplier", s.disk_weight_multiplier);
  visit("filter_scheduler", "io_ops_weight_multiplier", s.io_ops_weight_multiplier);
  visit("filter_scheduler", "pci_weight_multiplier", s.pci_weight_multiplier);
  visit("filter_scheduler", "soft_affinity_weight_multiplier", s.soft_affinity_weight_multiplier);
  visit("filter_scheduler", "soft_anti_affinity_weight_multiplier", s.soft_anti_affinity_weight_multiplier);
  visit("filter_scheduler", "build_failure_weight_multiplier", s.build_failure_weight_multiplier);
  visit("filter_scheduler", "cross_cell_move_weight_multiplier", s.cross_cell_move_weight_multiplier);
  visit("filter_scheduler", "hypervisor_version_weight_multiplier", s.hypervisor_version_weight_multiplier);
  visit("filter_scheduler", "num_instances_weight_multiplier", s.num_instances_weight_multiplier);
  visit("filter_scheduler", "image_props_weight_multiplier", s.image_props_weight_multiplier);
  visit("metrics", "weight_multiplier", s.metrics_weight_multiplier);
  visit("metrics", "required", s.metrics_required);
  visit("metrics", "weight_of_unavailable", s.metrics_weight_of_unavailable);
  visit("filter_scheduler", "max_io_ops_per_host", s.max_io_ops_per_host);
  visit("filter_scheduler", "max_instances_per_host", s.max_instances_per_host);
  visit("filter_scheduler", "isolated_images", s.isolated_images);
  visit("filter_scheduler", "isolated_hosts", s.isolated_hosts);
  visit("filter_scheduler", "restrict_isolated_hosts_to_isolated_images", s.restrict_isolated_hosts_to_isolated_images);
  visit("filter_scheduler", "aggregate_image_properties_isolation_namespace",
        s.aggregate_image_properties_isolation_namespace);
  visit("filter_scheduler", "aggregate_image_properties_isolation_separator",
        s.aggregate_image_properties_isolation_separator);
  visit("filter_scheduler", "image_properties_default_architecture", s.image_properties_default_architecture);
  visit("compute", "packing_host_numa_cells_allocation_strategy", s.packing_host_numa_cells_allocation_strategy);
  visit("DEFAULT", "cpu_allocation_ratio", s.cpu_allocation_ratio);
  visit("DEFAULT", "ram_allocation_ratio", s.ram_allocation_ratio);
  visit("DEFAULT", "disk_allocation_ratio", s.disk_allocation_ratio);
}

[[noreturn]] void refuse_option(std::string_view option, const std::string& expected, const std::string& found) {
  throw gantry::failure(gantry::code::invalid_argument,
                        "option '" + std::string(option) + "': expected " + expected + ", found " + found);
}

void get(const gantry::options& options, std::string_view name, bool& place) {
  place = options.boolean(name);
}
void get(const gantry::options& options, std::string_view name, std::int64_t& place) {
  place = options.integer(name);
}
void get(const gantry::options& options, std::string_view name, double& place) {
  place = options.real(name);
}
void get(const gantry::options& options, std::string_view name, std::string& place) {
  place = options.string(name);
}
void get(const gantry::options& options, std::string_view name, texts& place) {
  place.clear();
  for (const gantry_string& item : gantry::each(options.strings(name))) place.emplace_back(gantry::text(item));
}

release read_release(const gantry::options& options) {
  const std::string_view text = options.string("compatibility");
  if (const auto named = release::named(text)) return *named;
  std::string known;
  for (const release each : release::all) known += (known.empty() ? "'" : ", '") + std::string(each->name) + "'";
  refuse_option("compatibility", "one of " + known, "'" + std::string(text) + "'");
}

void check_known(std::string_view option, std::string_view what, const texts& given, rule_names known) {
  for (const std::string& name : given) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    refuse_option(option, "names of " + std::string(what), "'" + name + "'; " + advice_for(name, known));
  }
}

// Removes module paths and expands all_weighers.
texts class_names(const texts& given, release compatibility) {
  texts classes;
  for (const std::string& name : given) {
    const std::string_view class_name = last_part(name);
    if (class_name != "all_weighers") {
      classes.emplace_back(class_name);
      continue;
    }
    const auto all = all_weighers(compatibility);
    classes.insert(classes.end(), all.begin(), all.end());
  }
  return classes;
}

std::string_view stripped(std::string_view text) {
  constexpr std::string_view blanks = " \t\n\r\f\v";
  const std::size_t begin = text.find_first_not_of(blanks);
  return begin == std::string_view::npos ? "" : text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

// Reads "name=1.5". Blanks belong to the name.
std::optional<named_ratio> parse_named_ratio(std::string_view item) {
  const std::size_t equals = item.find('=');
  if (equals == std::string_view::npos || equals == 0) return std::nullopt;
  std::string_view number = stripped(item.substr(equals + 1));
  if (number.starts_with('+') && !number.starts_with("+-")) number.remove_prefix(1);
  named_ratio parsed{std::string(item.substr(0, equals)), 0};
  const auto [end, problem] = std::from_chars(number.data(), number.data() + number.size(), parsed.ratio);
  if (problem != std::errc() || end != number.data() + number.size()) return std::nullopt;
  return parsed;
}

void get_ratios(const gantry::options& options, std::string_view name, std::string_view example,
                std::vector<named_ratio>& place) {
  texts items;
  get(options, name, items);
  for (const std::string& item : items) {
    auto ratio = parse_named_ratio(item);
    if (!ratio || !std::isfinite(ratio->ratio))
      refuse_option(name, "items such as '" + std::string(example) + "'", "'" + item + "'");
    place.push_back(*std::move(ratio));
  }
}

// Nova's own bound since Pike; Ocata warns and goes on.
void check_not_negative(std::string_view option, double multiplier) {
  if (multiplier >= 0) return;
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), multiplier).ptr;
  refuse_option(option, "at least 0", std::string(text.data(), end));
}

// Values of the recorded configuration.

void assign(std::string_view name, const boost::json::value& value, bool& place) {
  if (!value.is_bool()) refuse_option(name, "true or false", boost::json::serialize(value));
  place = value.get_bool();
}
void assign(std::string_view name, const boost::json::value& value, std::int64_t& place) {
  if (!value.is_int64()) refuse_option(name, "an integer", boost::json::serialize(value));
  place = value.get_int64();
}
void assign(std::string_view name, const boost::json::value& value, double& place) {
  if (!value.is_number()) refuse_option(name, "a number", boost::json::serialize(value));
  place = value.to_number<double>();
}
void assign(std::string_view name, const boost::json::value& value, std::string& place) {
  if (!value.is_string()) refuse_option(name, "a text", boost::json::serialize(value));
  place = std::string(value.get_string());
}
void assign(std::string_view name, const boost::json::value& value, texts& place) {
  if (!value.is_array()) refuse_option(name, "a list", boost::json::serialize(value));
  place.clear();
  for (const boost::json::value& item : value.get_array()) assign(name, item, place.emplace_back());
}
// Nova drops unreadable items with a warning.
void assign_ratios(std::string_view name, const boost::json::value& value, std::vector<named_ratio>& place) {
  if (value.is_null()) return;
  texts given;
  assign(name, value, given);
  place.clear();
  for (const std::string& item : given) {
    if (auto ratio = parse_named_ratio(item)) place.push_back(*std::move(ratio));
  }
}

}  // namespace

std::vector<std::string_view> all_weighers(release compatibility) {
  std::vector<std::string_view> names;
  for (const auto& weigher : nova_classes::weighers) {
    if (weigher.is_in(compatibility->name)) names.push_back(weigher.name);
  }
  return names;
}

texts settings::default_filters() {
  return {"ComputeFilter",
          "ComputeCapabilitiesFilter",
          "ImagePropertiesFilter",
          "ServerGroupAntiAffinityFilter",
          "ServerGroupAffinityFilter",
          "AvailabilityZoneFilter",
          "CoreFilter",
          "RamFilter",
          "DiskFilter"};
}

texts settings::default_weighers() {
  const auto all = all_weighers(release::all.front());
  return {all.begin(), all.end()};
}

settings settings::read(const gantry::options& options, rule_names filters, rule_names weighers) {
  settings self;
  self.compatibility = read_release(options);
  get(options, "strict_parity", self.strict_parity);
  get(options, "ignore_placement_requirements", self.ignore_placement_requirements);
  get(options, "request_cache_mib", self.request_cache_mib);
  each_plain_option(self, [&](std::string_view group, std::string_view name, auto& place) {
    get(options, group == "metrics" ? "metrics_" + std::string(name) : std::string(name), place);
  });

  get(options, "enabled_filters", self.enabled_filters);
  check_known("enabled_filters", "filters", self.enabled_filters, filters);
  texts given;
  get(options, "weight_classes", given);
  self.weight_classes = class_names(given, self.compatibility);
  check_known("weight_classes", "weighers", self.weight_classes, weighers);

  get_ratios(options, "metrics_weight_setting", "cpu.frequency=1.5", self.metrics_weight_setting);
  get_ratios(options, "image_props_weight_setting", "os_distro=1.5", self.image_props_weight_setting);

  if (!self.compatibility->refuses_negative_multipliers) return self;
  check_not_negative("pci_weight_multiplier", self.pci_weight_multiplier);
  check_not_negative("soft_affinity_weight_multiplier", self.soft_affinity_weight_multiplier);
  check_not_negative("soft_anti_affinity_weight_multiplier", self.soft_anti_affinity_weight_multiplier);
  return self;
}

bool settings::set(std::string_view nova_name, const boost::json::value& value) {
  const std::size_t dot = nova_name.find('.');
  if (dot == std::string_view::npos) return false;
  const std::string_view group = nova_name.substr(0, dot);
  const std::string_view name = nova_name.substr(dot + 1);
  const auto assign_to = [&](auto& place) {
    if (!value.is_null()) assign(nova_name, value, place);
  };

  if (nova_name == "filter_scheduler.enabled_filters") {
    assign_to(enabled_filters);
    return true;
  }
  if (nova_name == "filter_scheduler.weight_classes") {
    if (value.is_null()) return true;
    texts given;
    assign(nova_name, value, given);
    weight_classes = class_names(given, compatibility);
    return true;
  }
  if (nova_name == "metrics.weight_setting") {
    assign_ratios(nova_name, value, metrics_weight_setting);
    return true;
  }
  if (nova_name == "filter_scheduler.image_props_weight_setting") {
    assign_ratios(nova_name, value, image_props_weight_setting);
    return true;
  }
  if (nova_name == "DEFAULT.default_availability_zone") {
    assign_to(default_availability_zone);
    return true;
  }
  bool found = false;
  each_plain_option(*this, [&](std::string_view its_group, std::string_view its_name, auto& place) {
    // Before Newton all but those of [metrics] were in [DEFAULT].
    if (its_name != name || (its_group != group && (group != "DEFAULT" || its_group == "metrics"))) return;
    found = true;
    assign_to(place);
  });
  return found;
}

}  // namespace filter_driver
