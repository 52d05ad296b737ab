// SPDX-License-Identifier: Apache-2.0
#include "nova/image_properties.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "nova/image_names.hpp"
#include "python/python_text.hpp"
#include "python/python_value.hpp"

namespace filter_driver {
namespace {

outcome<std::string> name_as_it_is(std::string_view name) {
  return std::string(name);
}

boost::json::value property(const boost::json::object& properties, std::string_view name) {
  const boost::json::value* const value = properties.if_contains(name);
  return value != nullptr ? *value : boost::json::value(nullptr);
}

}  // namespace

image_requirements::image_requirements(const boost::json::object& properties, const std::string& default_architecture,
                                       release release, bool is_strict)
    : is_strict_(is_strict) {
  boost::json::value version;
  if (!release->image_properties_are_objects) {
    want(property(properties, "architecture"), name_as_it_is);
    want(property(properties, "hypervisor_type"), name_as_it_is);
    want(property(properties, "vm_mode"), vm_mode_named);
    version = property(properties, "hypervisor_version_requires");
  } else {
    const boost::json::value architecture = property(properties, "hw_architecture");
    const bool defaulted = architecture.is_null() && !default_architecture.empty();
    want(defaulted ? boost::json::value(default_architecture) : architecture, architecture_named);
    want(property(properties, "img_hv_type"), hypervisor_type_named);
    want(property(properties, "hw_vm_mode"), vm_mode_named);
    version = property(properties, "img_hv_requested_version");
  }
  if (release->knows_address_widths) {
    const boost::json::value bits = property(properties, "hw_maxphysaddr_bits");
    if (bits.is_number()) address_bits_ = bits.to_number<double>();
  }
  if (!is_true(version)) return;
  version_text_ = str_of(version);
  if (release->versions_are_of_pep_440)
    pep440_version_ = pep440_predicate::read(str_of(version));
  else
    version_ = version_predicate::read(str_of(version));
}

void image_requirements::want(const boost::json::value& name, reading read) {
  if (name.is_null() || error_) return;
  if (!name.is_string()) {
    if (read == name_as_it_is) {
      if (is_true(name)) wanted_.push_back(name);
    } else {
      error_ = raised{"AttributeError", std::string("'").append(type_name(name)) + "' object has no attribute 'lower'"};
    }
    return;
  }
  const outcome<std::string> meant = read(name.get_string());
  if (!meant.ok()) {
    error_ = meant.error();
  } else if (!meant.value().empty()) {
    wanted_.emplace_back(meant.value());
  }
}

std::string image_requirements::in_words() const {
  std::string words;
  for (const auto& name : wanted_) words += (words.empty() ? "" : ", ") + str_of(name);
  if (!version_text_.empty()) words += ", hypervisor version " + version_text_;
  if (address_bits_ != 0)
    words += ", " + std::to_string(static_cast<std::int64_t>(address_bits_)) + " bits of physical addresses";
  return words;
}

outcome<bool> image_requirements::names_in(const boost::json::value& supported) const {
  for (const boost::json::value& name : wanted_) {
    bool within = false;
    if (supported.is_array()) {
      const boost::json::array& list = supported.get_array();
      within = std::any_of(list.begin(), list.end(), [&](const auto& item) { return equal_values(name, item); });
    } else if (supported.is_object()) {
      within = name.is_string() && supported.get_object().contains(name.get_string());
    } else if (supported.is_string()) {
      within = std::string_view(supported.get_string()).find(str_of(name)) != std::string_view::npos;
    } else {
      return raised{"TypeError", "argument of type '" + std::string(type_name(supported)) + "' is not iterable"};
    }
    if (!within) return false;
  }
  return true;
}

outcome<bool> image_requirements::version_met_by(const boost::json::value& hypervisor_version) const {
  if ((!version_ && !pep440_version_) || !is_true(hypervisor_version)) return true;
  if (version_ && !version_->ok()) return version_->error();
  if (pep440_version_ && !pep440_version_->ok()) return pep440_version_->error();
  const outcome<std::string> text = dotted_version(hypervisor_version);
  if (!text.ok()) return text.error();
  return version_ ? version_->value().satisfied_by(text.value()) : pep440_version_->value().satisfied_by(text.value());
}

outcome<bool> image_requirements::width_met_by(const boost::json::value& cpu_info) const {
  if (address_bits_ == 0) return true;
  if (is_strict_) {
    return raised{"AttributeError", "'" + std::string(type_name(cpu_info)) + "' object has no attribute 'get'"};
  }
  boost::json::value read = cpu_info;
  if (cpu_info.is_string()) {
    boost::system::error_code error;
    read = boost::json::parse(cpu_info.get_string(), error);
    if (error) return true;
  }
  boost::system::error_code missing;
  const boost::json::value* const bits = read.find_pointer("/maxphysaddr/bits", missing);
  if (bits == nullptr || !bits->is_number() || !is_true(*bits)) return true;
  return bits->to_number<double>() >= address_bits_;
}

outcome<bool> image_requirements::met_by(const boost::json::value& supported_instances,
                                         const boost::json::value& hypervisor_version,
                                         const boost::json::value& cpu_info) const {
  if (error_) return *error_;
  if (wanted_.empty()) return true;
  if (!is_true(supported_instances)) return false;
  if (!supported_instances.is_array()) {
    return raised{"TypeError", "supported_instances is a '" + std::string(type_name(supported_instances)) +
                                   "', not a list of [architecture, hypervisor, mode]"};
  }
  for (const boost::json::value& supported : supported_instances.get_array()) {
    outcome<bool> met = names_in(supported);
    if (met.ok() && met.value()) met = version_met_by(hypervisor_version);
    if (met.ok() && met.value()) met = width_met_by(cpu_info);
    if (!met.ok() || met.value()) return met;
  }
  return false;
}

}  // namespace filter_driver
