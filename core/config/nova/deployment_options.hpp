// SPDX-License-Identifier: Apache-2.0
//
// The tables of the options that a Nova deployment's files have for NovaSettings, beside those of scheduling.
#pragma once

#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/config/nova/conf.hpp"
#include "core/config/nova/nova_settings.hpp"

namespace gantry::config::nova {

// A function that returns the member that holds an option's value. The member's type is the option's type.
template <class Holder, class T>
using OptionPlace = T& (*)(Holder&);
template <class Holder>
using OptionField =
    std::variant<OptionPlace<Holder, bool>, OptionPlace<Holder, std::int64_t>,
                 OptionPlace<Holder, std::optional<std::int64_t>>, OptionPlace<Holder, std::chrono::seconds>,
                 OptionPlace<Holder, std::string>, OptionPlace<Holder, std::vector<std::string>>>;

template <class Holder>
struct Option {
  OptionName name;  // its name in Zed; in a table for several sections, the section is empty
  OptionField<Holder> field;
  OptionName older{};   // a name that Zed still reads; an empty key: it has none
  OptionName oldest{};  // the same
  std::int64_t minimum = std::numeric_limits<std::int64_t>::min();
  std::span<const std::string_view> choices{};  // the allowed texts; empty: any text
  bool is_secret = false;
};
using DeploymentOption = Option<NovaSettings>;
using ServiceOption = Option<NovaServiceSettings>;

std::span<const DeploymentOption> deployment_options();
// Options of [placement] and [neutron]: those of the login, which may stand in another section, and those of the service.
std::span<const ServiceOption> login_options();
std::span<const ServiceOption> service_options();

// Returns true for an option of [oslo_messaging_rabbit] that oslo.messaging reads and Gantry does not.
bool is_other_rabbit_option(std::string_view key);

// An option that [nova] has a key for, which holds in its place.
struct OverriddenOption {
  std::vector<OptionName> names;  // the newest first
  std::string_view key;           // the key in [nova]
};
std::span<const OverriddenOption> overridden_options();

}  // namespace gantry::config::nova
