// SPDX-License-Identifier: Apache-2.0
#include "core/config/nova/class_names.hpp"

#include <algorithm>
#include <nova_classes.hpp>

#include "core/encoding/nearest.hpp"

namespace gantry::config::nova {

namespace {

using Texts = std::vector<std::string>;

Texts filters() {
  Texts all;
  for (const auto& filter : nova_classes::filters) all.emplace_back(filter.name);
  return all;
}

Texts weighers() {
  const std::string package = "nova.scheduler.weights.";
  Texts all{package + "all_weighers"};
  for (const auto& weigher : nova_classes::weighers)
    all.push_back(package + std::string(weigher.module) + "." + std::string(weigher.name));
  return all;
}

KnownNames sorted_out(const Texts& names, const Texts& known, const char* abi) {
  KnownNames found;
  for (const std::string& name : names) {
    if (std::ranges::find(known, name) != known.end()) {
      found.names.push_back(name);
      continue;
    }
    const std::string near = nearest(name, known);
    found.unknown.push_back(to_toml(std::string_view(name)) +
                            " is none of Nova's; a class of the site's own comes as a library that offers " + abi +
                            ", named in [driver.filter] libraries" +
                            (near.empty() ? "" : "; or did you mean " + near + "?"));
  }
  return found;
}

bool has_any(const Texts& names, const Texts& wanted) {
  return std::ranges::any_of(wanted,
                             [&](const std::string& one) { return std::ranges::find(names, one) != names.end(); });
}

}  // namespace

KnownNames known_filters(const Texts& names) {
  return sorted_out(names, filters(), "gantry.filter/1");
}

KnownNames known_weighers(const Texts& names) {
  return sorted_out(names, weighers(), "gantry.weigher/1");
}

bool is_name_of_nova(std::string_view class_name) {
  const auto has_name = [class_name](const auto& one) { return one.name == class_name; };
  return std::ranges::any_of(nova_classes::filters, has_name) || std::ranges::any_of(nova_classes::weighers, has_name);
}

Texts as_offered(const Texts& names, const KnownNames& known) {
  Texts offered;
  for (const std::string& name : names) {
    // npos + 1 is 0: a name without a dot stays whole.
    const std::string class_name = name.substr(name.rfind('.') + 1);
    const bool is_known = std::ranges::find(known.names, name) != known.names.end();
    offered.push_back(is_known || is_name_of_nova(class_name) ? name : class_name);
  }
  return offered;
}

Texts default_filters(Release release) {
  if (release >= Release::zed)
    return {"ComputeFilter", "ComputeCapabilitiesFilter", "ImagePropertiesFilter", "ServerGroupAntiAffinityFilter",
            "ServerGroupAffinityFilter"};
  Texts names{"RetryFilter", "AvailabilityZoneFilter", "RamFilter"};
  if (release == Release::ocata) names.emplace_back("DiskFilter");
  for (const char* name : {"ComputeFilter", "ComputeCapabilitiesFilter", "ImagePropertiesFilter",
                           "ServerGroupAntiAffinityFilter", "ServerGroupAffinityFilter"})
    names.emplace_back(name);
  return names;
}

Texts filters_for_placement(const Texts& enabled, Release release, bool by_zone) {
  Texts added;
  if (release < Release::ocata) return added;
  if (release >= Release::zed && by_zone && !has_any(enabled, {"AvailabilityZoneFilter"}))
    added.emplace_back("AvailabilityZoneFilter");
  for (const std::string resource : {"Core", "Ram", "Disk"})
    if (!has_any(enabled, {resource + "Filter", "Aggregate" + resource + "Filter", "Exact" + resource + "Filter"}))
      added.push_back(resource + "Filter");
  return added;
}

std::string why_added(const Texts& added, Release release) {
  std::string why = "for Nova had its placement service see to that";
  const bool judges_disk = has_any(added, {"DiskFilter"});
  if (release >= Release::zed && has_any(added, {"CoreFilter", "RamFilter", "DiskFilter"}))
    why += "; room is judged as there, by total, use (reserved amounts included) and allocation ratio";
  if (judges_disk)
    why += std::string("; disk_available_least ") + (release >= Release::zed ? "does not count" : "counts");
  return why;
}

}  // namespace gantry::config::nova
