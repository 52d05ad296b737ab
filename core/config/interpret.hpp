// SPDX-License-Identifier: Apache-2.0
//
// Turns trees of keys, one source after the other, into typed settings and gathers all problems.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/config/load.hpp"
#include "core/config/tree.hpp"

namespace gantry::config {

class Interpreter {
 public:
  Interpreter();

  // Takes one tree. Its values replace earlier ones key by key, a table of a driver as a whole.
  void take(const Table& tree);
  // Checks what needs all sources: keys that contradict each other, sections without effect.
  void finish();

  const Settings& settings() const { return settings_; }
  const std::vector<std::string>& problems() const { return problems_; }
  const std::vector<std::string>& warnings() const { return warnings_; }
  std::vector<Shown> shown() const;

 private:
  void take_key(std::string_view section, const Member& member);
  void take_section(const Member& member);
  void take_drivers(const Member& member);
  void take_driver(const Member& member);
  void take_driver_key(const std::string& id, DriverSettings& driver, const Member& member);
  // Takes the options of the offers of the driver's libraries.
  void take_offers(const std::string& name, DriverSettings& driver, const Member& member);
  void report(const Member& member, const std::string& key, const std::string& fault);
  void report_unknown(std::string_view section, const Member& member);

  Settings settings_;
  std::map<std::string, std::string> origins_;  // full key name -> origin
  std::vector<std::string> problems_;
  std::vector<std::string> warnings_;
};

}  // namespace gantry::config
