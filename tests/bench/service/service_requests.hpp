// SPDX-License-Identifier: Apache-2.0
//
// The requests of the service's benchmark, as a conductor and agents send them, and a fleet that they are about.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace gantry::bench {

// Nova's RequestSpec object with its context, as a Zed conductor sends it for one server.
std::string select_body(bool with_uuid);
// The dictionaries of Nova's older interface, for one server.
std::string schedule_body();
// What the agent of each of the first `agents` hosts reports. with_news: each report says something new.
std::vector<std::string> report_bodies(std::size_t agents, bool with_news);
// The heartbeat of each of these agents.
std::vector<std::string> heartbeat_bodies(std::size_t agents);
// For the method import: services and compute nodes.
std::string fleet_body(std::size_t hosts);

}  // namespace gantry::bench
