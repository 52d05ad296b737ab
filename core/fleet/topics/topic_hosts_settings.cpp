// SPDX-License-Identifier: Apache-2.0
//
// The cells that show the fleet's settings where a host has no value of its own.
#include <string_view>

#include "core/fleet/cells/cell_values.hpp"
#include "core/fleet/topics/topic_hosts.hpp"

namespace gantry::fleet {

namespace {

// Parsing each report would hold up every decision for long. Most hosts report no ratio.
bool may_have_ratios(std::string_view report) {
  return report.find("_allocation_ratio") != std::string_view::npos;
}

}  // namespace

void TopicHosts::show_settings() {
  each([this](const HostEntry& host) { show_zone(host); });
  for (const auto* row : table_.rows()) {
    const auto report = view_of(row->rest);
    show_ratios(*row, may_have_ratios(report) ? parsed_object(report) : json::object());
  }
}

}  // namespace gantry::fleet
