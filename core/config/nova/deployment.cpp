// SPDX-License-Identifier: Apache-2.0
#include "core/config/nova/deployment.hpp"

#include <algorithm>
#include <type_traits>
#include <utility>

#include "core/config/nova/deployment_options.hpp"
#include "core/config/nova/misspelt.hpp"
#include "core/config/nova/named_databases.hpp"
#include "core/config/nova/option_value.hpp"
#include "core/config/nova/options.hpp"
#include "core/config/nova/value.hpp"
#include "core/config/nova/wanted_files.hpp"
#include "core/encoding/nearest.hpp"

namespace gantry::config::nova {

namespace {

using Texts = std::vector<std::string>;

constexpr std::string_view hidden = "\"****\"";

std::string shown_name(std::string_view section, std::string_view key) {
  return "[" + std::string(section) + "] " + std::string(key);
}

// Sets "driver.filter.enabled_filters" in the tree, with the tables on the way.
void put(Table& table, std::string_view key, Node node, const std::string& origin) {
  const std::size_t dot = key.find('.');
  const std::string_view first = key.substr(0, dot);
  auto at = std::ranges::lower_bound(table.members, first, {}, &Member::key);
  if (at == table.members.end() || at->key != first)
    at = table.members.insert(at, {std::string(first), Node{Table{}}, origin});
  if (dot == std::string_view::npos)
    at->node = std::move(node);
  else
    put(std::get<Table>(at->node.value), key.substr(dot + 1), std::move(node), origin);
}

class DeploymentReader {
 public:
  DeploymentReader(const Conf& conf, Release release, KeyFault fault_of_key)
      : conf_(conf), release_(release), fault_of_key_(fault_of_key) {}

  Deployment run() && {
    result_.was_read = true;
    result_.settings.release = name_of(release_);
    for (const OverriddenOption& option : overridden_options()) take(option);
    for (const DeploymentOption& option : deployment_options()) {
      const std::size_t sound = result_.problems.size();
      take(option, option.name.section, result_.settings);
      if (!is_read(option.name)) result_.problems.resize(sound);  // any value will do
    }
    take_service("placement", result_.settings.placement);
    take_service("neutron", result_.settings.neutron);
    warn_of_neutron();
    take_translation();
    warn_of_notifications();
    const auto misspelt = misspelt_options(conf_);
    result_.misspelt.insert(result_.misspelt.end(), misspelt.begin(), misspelt.end());
    return std::move(result_);
  }

 private:
  std::optional<Found> find(const std::vector<OptionName>& names, bool is_secret) {
    auto found = conf_.find(names);
    if (found) return *std::move(found);
    wrong(*conf_.place_of(names), is_secret ? "expected options that the files set behind each $, and $$ for a plain $"
                                            : found.error().message);
    return std::nullopt;
  }

  bool is_read(const OptionName& name) const {
    return name.key != query_availability_zone.key || release_ < Release::bobcat;
  }

  void wrong(const Place& place, const std::string& fault) {
    result_.problems.push_back(place.text() + ": key '" + place.name() + "': " + fault);
  }

  void take(const OverriddenOption& option) {
    auto found = find(option.names, option.key != "host");
    if (found && option.key.ends_with("_connection")) add_parameters(option, *found);
    if (found) put(result_.tree, "nova." + std::string(option.key), {found->values.back()}, found->place.text());
  }

  void add_parameters(const OverriddenOption& option, Found& found) {
    const auto more = find({{option.names.front().section, "connection_parameters"}}, true);
    if (more) found.values.back() = with_parameters(std::move(found.values.back()), more->values.back());
  }

  template <class Holder>
  void take(const Option<Holder>& option, std::string_view section, Holder& holder) {
    std::vector<OptionName> names;
    for (const OptionName& name : {option.name, option.older, option.oldest})
      if (!name.key.empty()) names.push_back({name.section.empty() ? section : name.section, name.key});
    std::visit([&](auto place) { take(option, names, place(holder)); }, option.field);
  }

  template <class Holder, class T>
  void take(const Option<Holder>& option, const std::vector<OptionName>& names, T& value) {
    const auto found = find(names, option.is_secret);
    if (found) read(option, *found, value);
    const bool is_hidden = option.is_secret && to_toml(node_of(value)) != R"("")";
    result_.options.push_back({shown_name(names.front().section, names.front().key),
                               is_hidden ? std::string(hidden) : to_toml(node_of(value)),
                               found ? found->place.text() : "default"});
  }

  template <class Holder, class T>
  void read(const Option<Holder>& option, const Found& found, T& value) {
    if (is_none(type_of<T>(), found.values.back())) return take_none(found.place, value);
    if (const auto stored = store_value(option, found.values.back(), value); !stored)
      wrong(found.place, stored.error().message);
  }

  // oslo.config reads an empty number as none. Most options need one.
  template <class T>
  void take_none(const Place& place, T& value) {
    if constexpr (std::is_same_v<T, std::optional<std::int64_t>>)
      value.reset();
    else
      result_.warnings.push_back(place.text() + ": key '" + place.name() + "': it is empty; " +
                                 to_toml(node_of(value)) + " holds, the default");
  }

  // The options of the login stand in the section that auth_section names, if it names one.
  void take_service(std::string_view section, NovaServiceSettings& service) {
    const auto other = find({{section, "auth_section"}}, false);
    const std::string login_section = other ? other->values.back() : std::string(section);
    for (const ServiceOption& option : login_options()) take(option, login_section, service);
    for (const ServiceOption& option : service_options()) take(option, section, service);
  }

  void take_translation() {
    const Translation translation = translate(conf_, release_, Purpose::deployment, fault_of_key_);
    for (const Carried& one : translation.carried)
      put(result_.tree, one.key, one.value, one.from ? one.from->text() : "default of Nova");
    result_.problems.insert(result_.problems.end(), translation.problems.begin(), translation.problems.end());
    for (const LeftOut& one : translation.no_counterpart) {
      const bool is_class =
          one.place.section == "scheduler" && (one.place.key == "driver" || one.place.key == "host_manager");
      if (is_class)
        wrong(one.place, "expected none, for Gantry takes the place of this class, found " +
                             to_toml(std::string_view(one.value)) +
                             "; a driver of Gantry's is named in scheduler_driver");
      if (one.is_unknown) result_.misspelt.push_back(one.place.text() + ": key '" + one.place.name() + "': " + one.why);
    }
    for (const Place& place : translation.older_names)
      result_.warnings.push_back(place.text() + ": key '" + place.name() +
                                 "': Nova does not read it since Pike, and Gantry neither");
  }

  void warn_of_neutron() {
    const std::string& type = result_.settings.neutron.auth_type;
    if (type.empty() || is_login(type)) return;
    const auto place = conf_.place_of({{"neutron", "auth_type"}, {"neutron", "auth_plugin"}});
    result_.warnings.push_back((place ? place->text() + ": " : "") +
                               "key '[neutron] auth_type': Gantry cannot log in by " + to_toml(std::string_view(type)) +
                               "; requests that name ports would fail");
  }

  void warn_of_notifications() {
    const auto found =
        conf_.find({{"oslo_messaging_notifications", "driver"}, {"DEFAULT", "notification_driver"}}, true);
    if (!found || !*found) return;
    const auto says_nothing = [](const std::string& driver) { return driver.empty() || driver == "noop"; };
    if (std::ranges::all_of((*found)->values, says_nothing)) return;
    result_.warnings.push_back(
        (*found)->place.text() + ": key '" + (*found)->place.name() +
        "': Gantry sends no notifications; whoever listens for those of nova-scheduler hears none");
  }

  const Conf& conf_;
  const Release release_;
  const KeyFault fault_of_key_;
  Deployment result_;
};

}  // namespace

Deployment deployment_from(const Conf& conf, Release release, KeyFault fault_of_key) {
  return DeploymentReader(conf, release, fault_of_key).run();
}

Deployment read_deployment(const std::vector<std::string>& paths, Release release, KeyFault fault_of_key) {
  WantedFiles wanted = read_wanted_files(paths);
  // Later files win: without one of the files, no option is certain.
  Deployment deployment;
  if (wanted.problems.empty()) deployment = deployment_from(Conf(std::move(wanted.files)), release, fault_of_key);
  deployment.problems.insert(deployment.problems.begin(), wanted.problems.begin(), wanted.problems.end());
  deployment.warnings.insert(deployment.warnings.begin(), wanted.warnings.begin(), wanted.warnings.end());
  return deployment;
}

}  // namespace gantry::config::nova
