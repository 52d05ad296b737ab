// SPDX-License-Identifier: Apache-2.0
#include "core/config/nova/deployment.hpp"

#include <algorithm>
#include <type_traits>
#include <utility>

#include "core/config/nova/deployment_options.hpp"
#include "core/config/nova/misspelt.hpp"
#include "core/config/nova/value.hpp"
#include "core/config/nova/wanted_files.hpp"
#include "core/encoding/nearest.hpp"

namespace gantry::config::nova {

namespace {

using std::chrono::seconds;
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

Node node_of(const std::optional<std::int64_t>& value) {
  return {value.value_or(0)};
}
Node node_of(seconds value) {
  return {std::int64_t{value.count()}};
}
Node node_of(const Texts& value) {
  return to_node(value);
}
template <class T>
Node node_of(const T& value) {
  return {value};
}

template <class T>
constexpr Type type_of() {
  if constexpr (std::is_same_v<T, bool>) return Type::boolean;
  if constexpr (std::is_same_v<T, std::string>) return Type::text;
  if constexpr (std::is_same_v<T, Texts>) return Type::list;
  return Type::integer;
}

template <class T>
T value_in(const Node& node) {
  if constexpr (std::is_same_v<T, Texts>) {
    Texts texts;
    for (const Node& item : std::get<Array>(node.value)) texts.push_back(std::get<std::string>(item.value));
    return texts;
  } else if constexpr (std::is_same_v<T, bool> || std::is_same_v<T, std::string>) {
    return std::get<T>(node.value);
  } else {
    return T(std::get<std::int64_t>(node.value));
  }
}

// Returns "expected ..., found ..." if the value does not suit the option.
template <class Holder>
std::string fault_of_value(const Option<Holder>& option, const Node& node) {
  if (const auto* number = node.get<std::int64_t>(); number != nullptr && *number < option.minimum)
    return "expected at least " + std::to_string(option.minimum) + ", found " + std::to_string(*number);
  const auto* text = node.get<std::string>();
  if (text == nullptr || option.choices.empty() || std::ranges::find(option.choices, *text) != option.choices.end())
    return "";
  std::string all;
  for (const std::string_view choice : option.choices) all.append(all.empty() ? "one of " : ", ").append(choice);
  const std::string near = nearest(*text, {option.choices.begin(), option.choices.end()});
  return "expected " + all + ", found " + describe(node) + (near.empty() ? "" : "; did you mean " + near + "?");
}

class DeploymentReader {
 public:
  DeploymentReader(const Conf& conf, Release release, KeyFault fault_of_key)
      : conf_(conf), release_(release), fault_of_key_(fault_of_key) {}

  Deployment run() && {
    result_.was_read = true;
    result_.settings.release = name_of(release_);
    for (const OverriddenOption& option : overridden_options()) take(option);
    for (const DeploymentOption& option : deployment_options()) take(option, option.name.section, result_.settings);
    take_service("placement", result_.settings.placement);
    take_service("neutron", result_.settings.neutron);
    warn_of_neutron();
    take_translation();
    warn_of_notifications();
    result_.misspelt = misspelt_options(conf_);
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

  void wrong(const Place& place, const std::string& fault) {
    result_.problems.push_back(place.text() + ": key '" + place.name() + "': " + fault);
  }

  void take(const OverriddenOption& option) {
    const auto found = find(option.names, option.key != "host");
    if (found) put(result_.tree, "nova." + std::string(option.key), {found->values.back()}, found->place.text());
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
    const auto node = read_value(type_of<T>(), found.values.back());
    if (!node) return wrong(found.place, node.error().message);
    const std::string fault = fault_of_value(option, *node);
    if (!fault.empty()) return wrong(found.place, fault);
    value = value_in<T>(*node);
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
