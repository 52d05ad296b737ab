// SPDX-License-Identifier: Apache-2.0
//
// Turns the trees of all sources into typed settings and collects all problems.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/config/load.hpp"
#include "core/config/nova/deployment.hpp"
#include "core/config/sources/tree.hpp"

namespace gantry::config {

// Call take for each source in turn, then finish once. After that the results are complete.
class Interpreter {
 public:
  Interpreter();

  // Takes the files of a Nova deployment. Call it before take.
  void take_nova(const nova::Deployment& deployment);
  // Takes the tree of one source. Each of its values replaces the value that an earlier tree gave the same key. An
  // option of a driver whose value is a table is replaced as a whole.
  void take(const Table& tree);
  // Checks what only all trees together show: keys that contradict each other, and sections without effect.
  void finish();

  const Settings& settings() const { return settings_; }
  const std::vector<std::string>& problems() const { return problems_; }
  const std::vector<std::string>& warnings() const { return warnings_; }
  // Returns each key with its value and origin.
  std::vector<Shown> shown() const;

 private:
  void take_key(std::string_view section, const Member& member);
  void take_section(const Member& member);
  void take_drivers(const Member& member);
  void take_driver(const Member& member);
  void take_driver_key(const std::string& id, DriverSettings& driver, const Member& member);
  // Takes the option compatibility of the filter driver: a release of Nova by its code name or its year.
  void take_release(const std::string& name, DriverSettings& driver, const Member& member);
  // Takes [driver.<id>.options]: the options of the filters and weighers that the driver's libraries offer.
  void take_offers(const std::string& name, DriverSettings& driver, const Member& member);
  void warn_of_idle_nova_keys();
  // `fault` may have several lines, each a problem of its own.
  void report(const Member& member, const std::string& key, const std::string& fault);
  void report_unknown(std::string_view section, const Member& member);

  Settings settings_;
  std::vector<nova::ShownOption> nova_options_;
  std::vector<std::string> nova_misspelt_;
  bool has_nova_ = false;                       // the files of a Nova deployment were read
  std::map<std::string, std::string> origins_;  // from a full key name, such as server.socket, to its origin
  std::vector<std::string> problems_;
  std::vector<std::string> warnings_;
};

}  // namespace gantry::config
