// SPDX-License-Identifier: Apache-2.0
//
// The requirements that ImagePropertiesFilter checks: a host must run the image's architecture, hypervisor type,
// virtual machine mode and hypervisor version, and have physical addresses of the width that the image asks for
// (nova/scheduler/filters/image_props_filter.py).
#pragma once

#include <boost/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "nova/pep440_version.hpp"
#include "nova/release.hpp"
#include "nova/version_predicate.hpp"
#include "python/outcome.hpp"

namespace filter_driver {

// An image's requirements, read once and checked against many hosts. The first met_by() reports errors in the
// requirements.
class image_requirements {
 public:
  // Reads the image properties hw_architecture, img_hv_type, hw_vm_mode and img_hv_requested_version. In Icehouse they
  // are architecture, hypervisor_type, vm_mode and hypervisor_version_requires, where only vm_mode may be an alias.
  // From Ocata on, the default architecture replaces an architecture that is missing or None. An empty default means no
  // default.
  //
  // From Caracal on, hw_maxphysaddr_bits is read too. Nova itself fails each request that gets as far as to ask a host
  // for the width. `is_strict`: met_by() raises the same error there.
  image_requirements(const boost::json::object& properties, const std::string& default_architecture, release release,
                     bool is_strict = false);

  // Returns true if the image names no architecture, hypervisor type or mode. Every host passes then, even if the image
  // requires a version, as in Nova.
  bool empty() const { return wanted_.empty() && !error_; }
  // Returns true if met_by() reads the host's cpu_info.
  bool asks_for_width() const { return address_bits_ != 0; }

  // Returns what the image asks for, in words: "x86_64, kvm, hypervisor version '>=2.0'".
  std::string in_words() const;

  // Returns whether the host runs the image. `supported_instances` is a list of lists [architecture, hypervisor, mode].
  // One of these lists must hold every wanted name, at any position. The host's version must meet the image's
  // requirement, unless the host's version is None or 0. `cpu_info` is a JSON text. A host whose cpu_info tells no
  // width of physical addresses has every width. Raises Nova's exceptions for unknown names and ValueError for
  // versions.
  outcome<bool> met_by(const boost::json::value& supported_instances, const boost::json::value& hypervisor_version,
                       const boost::json::value& cpu_info = nullptr) const;

 private:
  using reading = outcome<std::string> (*)(std::string_view);

  void want(const boost::json::value& name, reading read);
  outcome<bool> names_in(const boost::json::value& supported) const;
  outcome<bool> version_met_by(const boost::json::value& hypervisor_version) const;
  outcome<bool> width_met_by(const boost::json::value& cpu_info) const;

  std::vector<boost::json::value> wanted_;  // texts, none empty
  std::optional<outcome<version_predicate>> version_;
  std::optional<outcome<pep440_predicate>> pep440_version_;
  std::string version_text_;  // empty: any
  double address_bits_ = 0;   // 0: any
  bool is_strict_;
  std::optional<raised> error_;
};

}  // namespace filter_driver
