// SPDX-License-Identifier: Apache-2.0
//
// Reads the options of a Nova deployment's files: those of NovaSettings and those of scheduling.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/config/nova/nova_settings.hpp"
#include "core/config/nova/translation.hpp"
#include "core/config/sources/tree.hpp"

namespace gantry::config::nova {

// An option that no key of Gantry replaces.
struct ShownOption {
  std::string name;    // "[placement] password"
  std::string value;   // as TOML; **** for a secret
  std::string origin;  // "/etc/nova/nova.conf:12", "default"
};

struct Deployment {
  NovaSettings settings;             // without the keys of [nova]
  Table tree;                        // values of Gantry's keys
  std::vector<ShownOption> options;  // the options of `settings`
  bool was_read = false;             // false: a file is missing, unreadable or malformed; `problems` says which
  std::vector<std::string> problems;
  std::vector<std::string> warnings;
  std::vector<std::string> misspelt;  // a sentence for each option that is probably misspelt
};

// Reads files of a Nova of that release, or directories in whose place their *.conf count, by name. Later files win.
Deployment read_deployment(const std::vector<std::string>& paths, Release release, KeyFault fault_of_key);
// Does the same for files that were read already.
Deployment deployment_from(const Conf& conf, Release release, KeyFault fault_of_key);

// True if Gantry can log in at an OpenStack service with this auth_type.
bool is_login(std::string_view auth_type);

// A sentence for each.
struct Judged {
  std::vector<std::string> problems;
  std::vector<std::string> warnings;
};
// Judges the settings together, when each source has had its say, and gives options of the transport's URL the place of
// those of [oslo_messaging_rabbit]. `origins` has the origins of options, and of keys such as nova.transport_url.
Judged settle(NovaSettings& settings, const std::map<std::string, std::string>& origins);

}  // namespace gantry::config::nova
