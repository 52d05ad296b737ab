// SPDX-License-Identifier: Apache-2.0
#include "core/config/interpret.hpp"

#include <sys/un.h>

#include <algorithm>
#include <iterator>
#include <sstream>

#include "core/config/driver_options.hpp"
#include "core/config/keys.hpp"
#include "core/config/network_rules.hpp"
#include "core/config/nova/release.hpp"
#include "core/config/policy_services.hpp"
#include "core/config/profiles.hpp"
#include "core/encoding/nearest.hpp"

namespace gantry::config {

namespace {

std::vector<std::string> top_names() {
  std::vector<std::string> names{"ask", "driver", "profile"};
  for (const auto section : sections())
    if (!section.empty()) names.emplace_back(section);
  for (const auto& key : keys())
    if (key.section.empty()) names.emplace_back(key.name);
  return names;
}

std::vector<std::string> names_in(std::string_view section) {
  std::vector<std::string> names;
  for (const auto& key : keys())
    if (key.section == section) names.emplace_back(key.name);
  return names;
}

bool is_section(std::string_view name) {
  const auto known = sections();
  return !name.empty() && std::find(known.begin(), known.end(), name) != known.end();
}

// The right name, but in the wrong section.
const Key* namesake(std::string_view name) {
  const auto known = keys();
  const auto at = std::find_if(known.begin(), known.end(), [&](const Key& key) { return key.name == name; });
  return at == known.end() ? nullptr : &*at;
}

std::string joined(std::string_view section, std::string_view name) {
  return section.empty() ? std::string(name) : std::string(section) + "." + std::string(name);
}

std::string place_hint(const Key& key) {
  if (key.section.empty()) return "; '" + std::string(key.name) + "' stands in front of the first [section]";
  return "; '" + std::string(key.name) + "' belongs to [" + std::string(key.section) + "]";
}

}  // namespace

Interpreter::Interpreter() : settings_(default_settings()) {}

void Interpreter::report(const Member& member, const std::string& key, const std::string& fault) {
  std::istringstream faults(fault);
  for (std::string one; std::getline(faults, one);) problems_.push_back(member.origin + ": " + key + ": " + one);
}

void Interpreter::report_unknown(std::string_view section, const Member& member) {
  std::string line = member.origin + ": unknown key '" + joined(section, member.key) + "'";
  const std::string near = nearest(member.key, section.empty() ? top_names() : names_in(section));
  if (!near.empty()) {
    line += "; did you mean '" + joined(section, near) + "'?";
  } else if (const Key* other = namesake(member.key)) {
    line += place_hint(*other);
  } else if (section.empty()) {
    line += "; an option of a driver is driver.<driver>.<option>, and `gantry config sample` shows every other key";
  } else {
    line += "; `gantry config sample` shows every key";
  }
  problems_.push_back(std::move(line));
}

void Interpreter::take_nova(const nova::Deployment& deployment) {
  settings_.nova = deployment.settings;
  nova_options_ = deployment.options;
  has_nova_ = deployment.was_read;
  problems_.insert(problems_.end(), deployment.problems.begin(), deployment.problems.end());
  warnings_.insert(warnings_.end(), deployment.warnings.begin(), deployment.warnings.end());
  nova_misspelt_ = deployment.misspelt;
  for (const auto& option : deployment.options) origins_[option.name] = option.origin;
  take(deployment.tree);
}

void Interpreter::take(const Table& tree) {
  for (const auto& member : tree.members) {
    if (member.key == "driver") {
      take_drivers(member);
    } else if (member.key == "ask") {
      read_policy_services(member, settings_.policy_services, problems_);
    } else if (member.key == "profile") {
      settings_.profiles = read_profiles(member, problems_);
      origins_["profile"] = member.origin;
    } else if (is_section(member.key)) {
      take_section(member);
    } else {
      take_key("", member);
    }
  }
}

void Interpreter::take_section(const Member& member) {
  const auto* table = member.node.get<Table>();
  if (table == nullptr) {
    report(member, member.key, "expected the section [" + member.key + "], found " + describe(member.node));
    return;
  }
  for (const auto& inner : table->members) take_key(member.key, inner);
}

void Interpreter::take_key(std::string_view section, const Member& member) {
  const Key* key = find_key(section, member.key);
  if (key == nullptr) {
    report_unknown(section, member);
    return;
  }
  if (const auto stored = store(*key, member.node, settings_); !stored) {
    report(member, full_name(*key), stored.error().message);
    return;
  }
  origins_[full_name(*key)] = member.origin;
  if (full_name(*key) == "scheduler_driver") settings_.scheduler_driver_origin = member.origin;
}

void Interpreter::take_drivers(const Member& member) {
  const auto* table = member.node.get<Table>();
  if (table == nullptr) {
    report(member, "driver", "expected sections [driver.<id>], found " + describe(member.node));
    return;
  }
  for (const auto& inner : table->members) take_driver(inner);
}

void Interpreter::take_driver(const Member& member) {
  const std::string name = "driver." + key_to_toml(member.key);
  const auto* table = member.node.get<Table>();
  if (table == nullptr) {
    report(member, name, "expected a section [driver.<id>], found " + describe(member.node));
    return;
  }
  if (!is_driver_id(member.key)) {
    report(member, name, "expected the id of a driver (letters, digits, _ and -), found " + to_toml(member.key));
    return;
  }
  auto& driver = settings_.drivers[member.key];
  if (driver.origin.empty()) driver.origin = member.origin;
  // The file says how the options are read.
  if (const auto* file = table->find("file")) take_driver_key(member.key, driver, *file);
  for (const auto& inner : table->members)
    if (inner.key != "file") take_driver_key(member.key, driver, inner);
}

void Interpreter::take_driver_key(const std::string& id, DriverSettings& driver, const Member& member) {
  const std::string name = "driver." + id + "." + key_to_toml(member.key);
  if (member.key == "options") {
    take_offers(name, driver, member);
    return;
  }
  const bool is_filter = driver.file.empty() ? id == "filter" : driver.file == "filter.so";
  if (is_filter && member.key == "compatibility") return take_release(name, driver, member);
  const auto taken = put_driver_key(driver, member);
  if (!taken) {
    report(member, name, taken.error().message);
    return;
  }
  origins_[name] = member.origin;
}

// The driver knows releases by their code names.
void Interpreter::take_release(const std::string& name, DriverSettings& driver, const Member& member) {
  const auto* const text = member.node.get<std::string>();
  const bool is_year = member.node.get<double>() != nullptr;  // 2024.2 without quotes
  const std::string told = text != nullptr ? *text : is_year ? to_toml(member.node) : "";
  const auto release = nova::release_named(told);
  if (!told.empty() && !release) return report(member, name, nova::fault_of_release(told));
  Member named = member;
  if (release) named.node = {std::string(nova::name_of(*release))};
  if (const auto taken = put_driver_key(driver, named); !taken) return report(member, name, taken.error().message);
  origins_[name] = member.origin;
}

void Interpreter::take_offers(const std::string& name, DriverSettings& driver, const Member& member) {
  const auto* table = member.node.get<Table>();
  if (table == nullptr) {
    report(member, name, "expected sections [" + name + ".<offer>], found " + describe(member.node));
    return;
  }
  for (const auto& offer : table->members) {
    const std::string section = name + "." + key_to_toml(offer.key);
    if (const auto taken = put_offer_section(driver, offer); !taken) {
      report(offer, section, taken.error().message);
      continue;
    }
    for (const auto& option : offer.node.get<Table>()->members)
      origins_[section + "." + key_to_toml(option.key)] = option.origin;
  }
}

void Interpreter::finish() {
  check_policy_services(settings_, problems_);
  for (const auto& [id, driver] : settings_.drivers) {
    if (driver.path.empty() || driver.file.empty()) continue;
    const std::string name = "driver." + id + ".file";
    problems_.push_back(origins_[name] + ": " + name + ": expected one of path and file, found both; path is set at " +
                        origins_["driver." + id + ".path"]);
  }
  constexpr std::size_t longest_socket = sizeof(sockaddr_un::sun_path) - 1;
  if (const auto& socket = settings_.server.socket; socket.size() > longest_socket)
    problems_.push_back(origins_["server.socket"] + ": server.socket: expected at most " +
                        std::to_string(longest_socket) + " bytes, as unix sockets allow, found " +
                        std::to_string(socket.size()));
  if (has_nova_) {
    const auto judged = nova::settle(settings_.nova, origins_);
    problems_.insert(problems_.end(), judged.problems.begin(), judged.problems.end());
    warnings_.insert(warnings_.end(), judged.warnings.begin(), judged.warnings.end());
    // A misspelt name may be why something is missing. Warnings are not shown beside problems.
    auto& findings = judged.problems.empty() ? warnings_ : problems_;
    findings.insert(findings.end(), nova_misspelt_.begin(), nova_misspelt_.end());
  }
  if (!settings_.nova.is_configured()) warn_of_idle_nova_keys();
  const auto network = check_network(settings_.server);
  for (const auto& [key, fault] : network.problems) {
    const auto origin = origins_.find(key);
    problems_.push_back((origin == origins_.end() ? "default" : origin->second) + ": " + key + ": " + fault);
  }
  warnings_.insert(warnings_.end(), network.warnings.begin(), network.warnings.end());
  if (settings_.scheduling.call_timeout > settings_.server.request_timeout)
    warnings_.push_back("scheduling.call_timeout is longer than server.request_timeout: a driver never gets all of it");
  const auto& loaded = settings_.scheduler_driver;
  for (const auto& [id, driver] : settings_.drivers) {
    if (std::find(loaded.begin(), loaded.end(), id) != loaded.end()) continue;
    const std::string near = nearest(id, loaded);
    warnings_.push_back(driver.origin + ": [driver." + id + "] has no effect: scheduler_driver does not name '" + id +
                        "'" + (near.empty() ? "" : "; did you mean [driver." + near + "]?"));
  }
}

void Interpreter::warn_of_idle_nova_keys() {
  for (const auto& [name, origin] : origins_)
    if (name.starts_with("nova.") && name != "nova.config_files")
      warnings_.push_back(origin + ": " + name + " has no effect: nova.config_files names no file");
}

std::vector<Shown> Interpreter::shown() const {
  const auto origin_of = [this](const std::string& name) {
    const auto at = origins_.find(name);
    return at == origins_.end() ? std::string("default") : at->second;
  };
  std::vector<Shown> lines;
  for (const auto& key : keys()) {
    const std::string name = full_name(key);
    lines.push_back({name, value_text(key, settings_), origin_of(name)});
  }
  for (const auto& option : nova_options_) lines.push_back({option.name, option.value, option.origin});
  std::ranges::move(shown_policy_services(settings_.policy_services), std::back_inserter(lines));
  std::ranges::move(shown_profiles(settings_.profiles, origin_of("profile")), std::back_inserter(lines));
  for (const auto& [id, driver] : settings_.drivers) {
    for (const auto& [key, value] : driver_values(driver)) {
      const std::string name = "driver." + id + "." + key;
      lines.push_back({name, value, origin_of(name)});
    }
  }
  return lines;
}

}  // namespace gantry::config
