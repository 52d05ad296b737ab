// SPDX-License-Identifier: Apache-2.0
#include "core/config/changes.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "core/config/driver_options.hpp"
#include "core/config/keys.hpp"
#include "core/config/policy_services.hpp"
#include "core/config/profiles.hpp"
#include "core/config/reloadable.hpp"

namespace gantry::config {

namespace {

using Values = std::map<std::string, std::string>;

class Comparison {
 public:
  Comparison(const Loaded& before, const Loaded& after) : before_(before), after_(after) {
    for (const auto& each : after.shown) shown_after_.emplace(each.key, &each);
  }

  std::vector<Change> run() {
    compare_keys();
    compare_nova_options();
    compare_policy_services();
    compare_profiles();
    compare_drivers();
    return std::move(changes_);
  }

 private:
  // All secrets are shown alike, so the values themselves are compared.
  void compare_keys() {
    Settings before = before_.settings;
    Settings after = after_.settings;
    for (const auto& key : keys()) {
      const bool same = std::visit([&](auto place) { return place(before) == place(after); }, key.field);
      if (!same) add(full_name(key), value_text(key, before), value_text(key, after));
    }
  }

  // The options of a Nova deployment stand in no table of keys.
  void compare_nova_options() {
    const auto options_of = [](const Loaded& loaded) {
      Values values;
      for (const auto& each : loaded.shown)
        if (each.key.starts_with('[')) values[each.key] = each.value;
      return values;
    };
    compare("", options_of(before_), options_of(after_));
  }

  void compare_policy_services() {
    const auto services_of = [](const Loaded& loaded) {
      Values values;
      for (const auto& each : shown_policy_services(loaded.settings.policy_services)) values[each.key] = each.value;
      return values;
    };
    compare("", services_of(before_), services_of(after_));
  }

  void compare_profiles() {
    const auto profiles_of = [](const Loaded& loaded) {
      Values values;
      for (const auto& each : shown_profiles(loaded.settings.profiles, "")) values[each.key] = each.value;
      return values;
    };
    compare("", profiles_of(before_), profiles_of(after_));
  }

  void compare_drivers() {
    std::set<std::string> loaded;
    for (const auto* settings : {&before_.settings, &after_.settings}) {
      loaded.insert(settings->scheduler_driver.begin(), settings->scheduler_driver.end());
      for (const auto& id : settings->scheduler_driver) {
        const auto section = settings->drivers.find(id);
        if (section != settings->drivers.end() && !section->second.fallback.empty())
          loaded.insert(section->second.fallback);
      }
    }
    for (const auto& id : loaded)
      compare("driver." + id + ".", values_of(before_.settings, id), values_of(after_.settings, id));
  }

  // A driver without a section has the core's own keys all the same, with their defaults.
  static Values values_of(const Settings& settings, const std::string& id) {
    const auto found = settings.drivers.find(id);
    const auto values = driver_values(found == settings.drivers.end() ? DriverSettings() : found->second);
    return {values.begin(), values.end()};
  }

  void compare(const std::string& prefix, const Values& before, const Values& after) {
    const auto value_of = [](const Values& values, const std::string& key) {
      const auto found = values.find(key);
      return found == values.end() ? std::string() : found->second;
    };
    Values all = before;
    all.insert(after.begin(), after.end());
    for (const auto& [key, value] : all) {
      const auto was = value_of(before, key);
      const auto is = value_of(after, key);
      if (was != is) add(prefix + key, was, is);
    }
  }

  void add(const std::string& key, const std::string& was, const std::string& is) {
    const auto shown = shown_after_.find(key);
    const auto origin = shown == shown_after_.end() ? std::string() : shown->second->origin;
    changes_.push_back({key, was, is, origin, is_reloadable(key, was, is)});
  }

  const Loaded& before_;
  const Loaded& after_;
  std::map<std::string, const Shown*> shown_after_;
  std::vector<Change> changes_;
};

}  // namespace

std::vector<Change> changes_between(const Loaded& before, const Loaded& after) {
  return Comparison(before, after).run();
}

}  // namespace gantry::config
