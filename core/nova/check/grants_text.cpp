// SPDX-License-Identifier: Apache-2.0
#include "core/nova/check/grants_text.hpp"

#include <algorithm>

#include "core/nova/check/finding.hpp"
#include "core/nova/check/privileges.hpp"
#include "core/nova/facts/api_reader.hpp"
#include "core/nova/mirror/database/placement_tables.hpp"

namespace gantry::nova {

namespace {

class GrantList {
 public:
  explicit GrantList(std::string grantee) : grantee_(std::move(grantee)) {}

  void add(const DatabaseUrl& url, const std::vector<Privilege>& privileges) {
    const auto place = place_of(url);
    const auto server = place.substr(std::min(place.find(" at "), place.size() - 4) + 4);
    auto found =
        std::find_if(servers_.begin(), servers_.end(), [&](const auto& known) { return known.place == server; });
    if (found == servers_.end()) found = servers_.insert(servers_.end(), {server, {}});
    for (const auto& privilege : privileges) {
      auto statement = grant_of(privilege, grantee_);
      if (std::find(found->statements.begin(), found->statements.end(), statement) == found->statements.end())
        found->statements.push_back(std::move(statement));
    }
  }
  std::vector<ServerGrants> take() { return std::move(servers_); }

 private:
  std::string grantee_;
  std::vector<ServerGrants> servers_;
};

Result<std::vector<Cell>> read_cells(DatabaseUrl url) {
  url.connect_timeout = std::min(url.connect_timeout.value_or(step_limit), step_limit);
  auto connection = Connection::open(url);
  if (!connection) return std::move(connection).error();
  ApiReader reader;
  auto facts = reader.load(*connection);
  if (!facts) return std::move(facts).error();
  return std::move(facts->cells);
}

Result<DatabaseUrl> configured_url(const std::string& text, const char* option) {
  auto url = parse_database_url(text);
  if (!url) return std::move(url).error().within(option);
  return url;
}

}  // namespace

Result<std::vector<ServerGrants>> grants_for(const config::NovaSettings& settings, const std::string& grantee) {
  const auto api = configured_url(settings.api_database_connection, "[api_database] connection");
  if (!api) return api.error();
  const auto own = configured_url(settings.database_connection, "[database] connection");
  if (!own) return own.error();
  const auto cells = read_cells(*api);
  if (!cells) return cells.error();
  const bool discovers = settings.discovers_hosts();
  GrantList list(grantee);
  list.add(*api, reads_of(api->database, api_tables));
  if (discovers) list.add(*api, writes_of_discovery_in_api(api->database));
  constexpr std::array<Table, 1> own_tables{services};
  list.add(*own, reads_of(own->database, own_tables));
  if (settings.is_shadow())
    list.add(*api, reads_of(api->database, shadow_tables));
  else
    list.add(*own, writes_of_own_row(own->database));
  for (const auto& cell : *cells) {
    const auto url = url_of(cell, settings.database_connection);
    if (!url && cell.is_disabled) continue;
    if (!url) return url.error();
    list.add(*url, reads_of(url->database, cell_tables));
    if (discovers) list.add(*url, writes_of_discovery_in_cell(url->database));
  }
  if (!settings.placement_database_connection.empty()) {
    const auto placement = configured_url(settings.placement_database_connection, "[placement_database] connection");
    if (!placement) return placement.error();
    list.add(*placement, reads_of(placement->database, placement_tables::all));
  }
  return list.take();
}

}  // namespace gantry::nova
