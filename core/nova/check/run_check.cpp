// SPDX-License-Identifier: Apache-2.0
#include "core/nova/check/run_check.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "core/nova/check/broker_check.hpp"
#include "core/nova/check/database_check.hpp"
#include "core/nova/check/hosts_check.hpp"
#include "core/nova/check/parts.hpp"
#include "core/nova/check/services_check.hpp"

namespace gantry::nova {

namespace {

constexpr std::chrono::seconds whole_limit{55};

// The findings that later parts use. Each part writes a member of its own.
struct Gathered {
  config::NovaSettings settings;
  std::optional<ApiFound> api;
  std::optional<PlacementFound> placement;
  std::vector<std::optional<CellFound>> cells;
};

std::vector<Part> first_parts(const std::shared_ptr<Gathered>& gathered) {
  return {
      {"broker", [gathered](const Report& report) { check_brokers(gathered->settings, report); }},
      {"API database",
       [gathered](const Report& report) { gathered->api = check_api_database(gathered->settings, report); }},
      {"own database", [gathered](const Report& report) { check_own_database(gathered->settings, report); }},
      {"placement database",
       [gathered](const Report& report) { check_placement_database(gathered->settings, report); }},
      {"placement",
       [gathered](const Report& report) { gathered->placement = check_placement(gathered->settings, report); }},
      {"neutron", [gathered](const Report& report) { check_neutron(gathered->settings, report); }},
  };
}

std::vector<Part> cell_parts(const std::shared_ptr<Gathered>& gathered, const std::vector<Cell>& enabled) {
  std::vector<Part> parts;
  gathered->cells.resize(enabled.size());
  for (std::size_t i = 0; i < enabled.size(); ++i)
    parts.push_back({"cell " + enabled[i].name, [gathered, cell = enabled[i], i](const Report& report) {
                       gathered->cells[i] = check_cell(cell, gathered->settings, report);
                     }});
  return parts;
}

class Checking {
 public:
  Checking(const config::NovaSettings& settings, const SayFinding& say)
      : gathered_(std::make_shared<Gathered>()), deadline_(std::chrono::steady_clock::now() + whole_limit) {
    gathered_->settings = settings;
    say_ = [this, &say](Finding finding) {
      end_.worst = std::max(end_.worst, finding.level);
      say(std::move(finding));
    };
  }

  CheckEnd run() {
    end_.has_ended = run_parts(first_parts(gathered_), deadline_, say_);
    if (!end_.has_ended) return end_;
    const Report report(say_);
    if (!gathered_->api) {
      report.fail("cells", "expected the cells from the API database, found that it cannot be read; no cell was tried");
      return end_;
    }
    check_cells(*gathered_->api, report);
    return end_;
  }

 private:
  void check_cells(const ApiFound& api, const Report& report) {
    std::vector<Cell> enabled;
    for (const auto& cell : api.cells) {
      if (cell.is_disabled)
        report.ok("cell " + cell.name, "is disabled and not tried");
      else
        enabled.push_back(cell);
    }
    end_.has_ended = run_parts(cell_parts(gathered_, enabled), deadline_, say_);
    if (!end_.has_ended) return;
    std::vector<CellFound> found;
    for (const auto& cell : gathered_->cells)
      if (cell) found.push_back(*cell);
    const auto* providers = gathered_->placement ? &gathered_->placement->providers : nullptr;
    check_versions(found, gathered_->settings, report);
    check_hosts({api, found, found.size() == api.cells.size(), providers}, report);
    say_latency(api, found, report);
  }

  // Databases are read side by side. The decision takes less than a millisecond. A claim cannot be tried without a change.
  void say_latency(const ApiFound& api, const std::vector<CellFound>& cells, const Report& report) const {
    if (!gathered_->placement) return;
    auto facts = api.refresh_time;
    for (const auto& cell : cells) facts = std::max(facts, cell.refresh_time);
    const auto candidates = gathered_->placement->candidates_time;
    report.ok("latency", "expect about " + time_text(facts + candidates) + " and a claim for a request: " +
                             time_text(facts) + " for facts, " + time_text(candidates) + " for placement's candidates");
  }

  std::shared_ptr<Gathered> gathered_;
  std::chrono::steady_clock::time_point deadline_;
  SayFinding say_;
  CheckEnd end_;
};

}  // namespace

CheckEnd run_check(const config::NovaSettings& settings, const SayFinding& say) {
  return Checking(settings, say).run();
}

}  // namespace gantry::nova
