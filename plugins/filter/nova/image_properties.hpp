// SPDX-License-Identifier: Apache-2.0
//
// What ImagePropertiesFilter asks of a host: that it runs the image's architecture, kind of hypervisor, virtual machine
// mode and hypervisor version (nova/scheduler/filters/image_props_filter.py).
#pragma once

#include <boost/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "nova/release.hpp"
#include "nova/version_predicate.hpp"
#include "python/outcome.hpp"

namespace filter_driver {

// An image's needs, read once, to be asked of many hosts. Nothing that is wrong with them shows before they are asked.
class image_requirements {
 public:
  // `properties`: hw_architecture, img_hv_type, hw_vm_mode and img_hv_requested_version; in Icehouse architecture,
  // hypervisor_type, vm_mode and hypervisor_version_requires, of which vm_mode alone may be an alias. The default
  // architecture (an empty text: none) stands for one that is missing or None.
  image_requirements(const boost::json::object& properties, const std::string& default_architecture, release release);

  // Whether every host runs it.
  bool empty() const { return wanted_.empty() && !error_; }

  // Whether the host runs it: one of its lists [architecture, hypervisor, mode] holds every wanted name, at any place,
  // and its version (None, 0: any) is one that is wanted. Raises Nova's classes for names that it does not know and
  // ValueError for versions.
  outcome<bool> met_by(const boost::json::value& supported_instances,
                       const boost::json::value& hypervisor_version) const;

 private:
  using reading = outcome<std::string> (*)(std::string_view);

  void want(const boost::json::value& name, reading read);
  outcome<bool> names_in(const boost::json::value& supported) const;
  outcome<bool> version_met_by(const boost::json::value& hypervisor_version) const;

  std::vector<boost::json::value> wanted_;  // texts, none empty
  std::optional<outcome<version_predicate>> version_;
  std::optional<raised> error_;
};

}  // namespace filter_driver
