// SPDX-License-Identifier: Apache-2.0
#include "core/nova/facts/duties/host_discovery.hpp"

#include <optional>

namespace gantry::nova {

HostDiscovery::HostDiscovery(DatabaseUrl api, Timeouts timeouts, std::shared_ptr<telemetry::Logger> logger)
    : api_(std::move(api)), timeouts_(timeouts), logger_(std::move(logger)) {}

void HostDiscovery::warn_once(const std::string& key, std::string_view what, const std::string& about) {
  if (warned_.insert(key).second) logger_->write(telemetry::Level::warning, what, {{"about", about}});
}

void HostDiscovery::run(const std::vector<CellDatabase>& cells) {
  for (const auto& cell : cells) {
    const auto done = discover(cell);
    if (!done)
      warn_once(cell.name, "the hosts of a cell are not discovered", cell.name + ": " + done.error().message);
    else
      warned_.erase(cell.name);
  }
}

Result<void> HostDiscovery::discover(const CellDatabase& cell) {
  auto in_cell = Connection::open(cell.url, timeouts_, Access::writes);
  if (!in_cell) return std::move(in_cell).error();
  std::set<std::string> hosts;
  auto done =
      in_cell->query("SELECT host FROM compute_nodes WHERE deleted = 0 AND mapped < 1 AND host <> ''", [&](Row row) {
        if (const auto* host = std::get_if<std::string_view>(&row[0])) hosts.emplace(*host);
      });
  if (!done || hosts.empty()) return done;
  auto api = Connection::open(api_, timeouts_, Access::writes);
  if (!api) return std::move(api).error();
  for (const auto& host : hosts) {
    if (auto mapped = map(*api, *in_cell, cell, host); !mapped) return mapped;
  }
  return {};
}

Result<void> HostDiscovery::map(Connection& api, Connection& in_cell, const CellDatabase& cell,
                                const std::string& host) {
  const auto id = std::to_string(cell.id);
  std::optional<std::int64_t> known;
  auto done = api.query("SELECT cell_id FROM host_mappings WHERE host = " + api.quoted(host), [&known](Row row) {
    if (const auto* value = std::get_if<std::int64_t>(&row[0])) known = *value;
  });
  if (!done) return done;
  if (known && *known != cell.id) {
    warn_once("other cell of " + host, "a host is mapped to another cell than the one that it is in", host);
    return {};
  }
  if (!known) {
    done = api.query("INSERT INTO host_mappings (created_at, cell_id, host) VALUES (UTC_TIMESTAMP(), " + id + ", " +
                     api.quoted(host) + ")");
    if (!done && done.error().code == ErrorCode::already_exists) {
      warn_once("other scheduler",
                "another scheduler discovers hosts, too; discover_hosts_in_cells_interval is for one of them", host);
    } else if (!done) {
      return done;
    } else {
      logger_->write(telemetry::Level::info, "a host is mapped to its cell", {{"host", host}, {"cell", cell.name}});
    }
  }
  return in_cell.query("UPDATE compute_nodes SET mapped = 1, updated_at = UTC_TIMESTAMP() WHERE host = " +
                       in_cell.quoted(host) + " AND deleted = 0 AND mapped < 1");
}

}  // namespace gantry::nova
