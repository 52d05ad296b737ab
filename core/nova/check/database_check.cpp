// SPDX-License-Identifier: Apache-2.0
#include "core/nova/check/database_check.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "core/nova/check/privileges.hpp"
#include "core/nova/check/server_variables.hpp"
#include "core/nova/facts/api_reader.hpp"
#include "core/nova/facts/cell_reader.hpp"
#include "core/nova/facts/start_check.hpp"
#include "core/nova/mirror/database/placement_tables.hpp"
#include "core/nova/mirror/database/provider_reader.hpp"
#include "core/nova/rpc/configured.hpp"

namespace gantry::nova {

namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr std::size_t most_complaints = 10;
constexpr std::string_view lacking = "; lacking: ";

void say_failure(const Report& report, const std::string& subject, const std::string& sentence) {
  const auto cut = sentence.find(lacking);
  if (cut == std::string::npos) return report.fail(subject, sentence);
  report.lacks(subject, sentence.substr(0, cut), sentence.substr(cut + lacking.size()));
}

// One database under examination.
class Visit {
 public:
  Visit(std::string subject, const Report& report) : subject_(std::move(subject)), report_(report) {}

  // Connects, and says how the server is. False: there is nothing to examine.
  bool open(Result<DatabaseUrl> url) {
    if (!url) return fail(url.error());
    const auto limited = [](const auto& wanted) { return std::min(wanted.value_or(step_limit), step_limit); };
    url->connect_timeout = limited(url->connect_timeout);
    url->read_timeout = limited(url->read_timeout);
    url->write_timeout = limited(url->write_timeout);
    const auto began = SteadyClock::now();
    auto opened = Connection::open(*url);
    if (!opened) return fail(opened.error());
    const auto took = took_since(began);
    connection_ = *std::move(opened);
    database_ = url->database;
    return say_server(took);
  }

  // Says what the user may not read, what is missing, and whether the clocks agree. False: the facts cannot be read.
  bool check_tables(std::span<const Table> tables, std::string_view schema) {
    const auto checked = check_database(*connection_, tables, schema);
    if (!checked) return fail(checked.error());
    for (const auto& failure : checked->failures) say_failure(report_, subject_, failure);
    for (const auto& warning : checked->warnings) report_.warn(subject_, warning);
    if (checked->failures.empty())
      report_.ok(subject_, count_of(tables.size(), "table") + " can be read, with every column that is needed" +
                               (checked->warnings.empty() ? "; the clocks agree" : ""));
    return checked->failures.empty();
  }

  void check_writes(const std::vector<Privilege>& needed, const std::string& purpose) {
    const auto grants = Grants::read(*connection_);
    if (!grants) return static_cast<void>(fail(grants.error()));
    bool allows_all = true;
    for (const auto& privilege : needed) {
      if (grants->allow(privilege)) continue;
      allows_all = false;
      report_.lacks(subject_,
                    "expected the privilege " + privilege.verb + " on " + privilege.database + "." + privilege.table +
                        " for " + purpose + ", found none for " + grants->grantee(),
                    grant_of(privilege, grants->grantee()));
    }
    if (allows_all) report_.ok(subject_, "the user has the privileges for " + purpose);
  }

  void say_complaints(const std::vector<Complaint>& complaints) {
    for (std::size_t i = 0; i < std::min(complaints.size(), most_complaints); ++i)
      report_.warn(subject_, text_of(complaints[i]));
    if (complaints.size() > most_complaints)
      report_.warn(subject_, "and " + count_of(complaints.size() - most_complaints, "further value") + " of rows");
  }

  bool fail(const Error& error) {
    say_failure(report_, subject_, error.message);
    return false;
  }

  Connection& connection() { return *connection_; }
  const std::string& database() const { return database_; }
  const std::string& subject() const { return subject_; }
  const Report& report() const { return report_; }

 private:
  bool say_server(const std::string& took) {
    std::string version;
    std::string collation;
    auto asked = connection_->query("SELECT VERSION(), @@collation_database", [&](Row row) {
      if (const auto* text = std::get_if<std::string_view>(&row[0])) version = *text;
      if (const auto* text = std::get_if<std::string_view>(&row[1])) collation = *text;
    });
    const auto began = SteadyClock::now();
    if (asked) asked = connection_->query("SELECT 1");
    if (!asked) return fail(asked.error());
    report_.ok(subject_, connection_->place() + ": connected in " + took + ", server " + version + ", a query takes " +
                             took_since(began) + ", collation " + collation);
    if (!collation.starts_with("utf8"))
      report_.warn(subject_, connection_->place() + ": expected a collation of utf8, found " + collation +
                                 "; names that are not ASCII may not come through");
    return say_variables();
  }

  bool say_variables() {
    std::map<std::string, std::string> variables;
    const auto asked = connection_->query("SHOW GLOBAL VARIABLES WHERE Variable_name IN (" + judged_variables() + ")",
                                          [&variables](Row row) {
                                            const auto* name = std::get_if<std::string_view>(&row[0]);
                                            const auto* value = std::get_if<std::string_view>(&row[1]);
                                            if (name != nullptr && value != nullptr)
                                              variables[std::string(*name)] = *value;
                                          });
    if (!asked) return fail(asked.error());
    for (const auto& remark : remarks_on(variables)) report_.warn(subject_, connection_->place() + ": " + remark);
    return true;
  }

  std::string subject_;
  const Report& report_;
  std::optional<Connection> connection_;
  std::string database_;
};

std::string_view schema_of(const config::NovaSettings& settings) {
  return nova_release(settings.release).title;
}

Result<DatabaseUrl> url_from(const std::string& text, const std::string& option) {
  if (text.empty())
    return Error{ErrorCode::invalid_configuration, option + ": expected the URL of a database, found none", ""};
  auto url = parse_database_url(text);
  if (!url) return std::move(url).error().within(option);
  return url;
}

void say_own_row(Visit& visit, const std::string& host) {
  std::string found;
  const auto asked = visit.connection().query(
      "SELECT last_seen_up, version FROM services WHERE `binary` = 'nova-scheduler' AND deleted = 0 AND host = " +
          visit.connection().quoted(host),
      [&found](Row row) {
        const auto* seen = std::get_if<std::string_view>(&row[0]);
        found = seen == nullptr ? "never seen up" : "last seen up " + std::string(*seen) + " UTC";
      });
  if (!asked) return static_cast<void>(visit.fail(asked.error()));
  visit.report().ok("service nova-scheduler on " + host, found.empty()
                                                             ? "is not registered; the start registers it"
                                                             : "is registered, " + found + "; Gantry takes it over");
}

// The time of a refresh, which each request asks for.
template <class Reader>
SteadyClock::duration time_of_refresh(Reader& reader, Connection& connection) {
  const auto began = SteadyClock::now();
  static_cast<void>(reader.refresh(connection, Depth::changes));
  return SteadyClock::now() - began;
}

CellFound summary_of(const Cell& cell, const CellFacts& facts, std::int64_t lowest_version) {
  CellFound found{cell.id, cell.name, lowest_version, {}, {}, facts.instances.size(), {}};
  for (const auto& service : facts.services) found.service_hosts.push_back(service.service.host);
  for (const auto& [id, node] : facts.compute_nodes)
    found.nodes.push_back({node.host, node.node, std::string(json::find_string(node.stats, "uuid").value_or(""))});
  return found;
}

}  // namespace

std::optional<ApiFound> check_api_database(const config::NovaSettings& settings, const Report& report) {
  Visit visit("API database", report);
  if (!visit.open(url_from(settings.api_database_connection, "[api_database] connection"))) return std::nullopt;
  if (settings.discovers_hosts())
    visit.check_writes(writes_of_discovery_in_api(visit.database()), "the discovery of hosts");
  if (!visit.check_tables(api_tables, schema_of(settings))) return std::nullopt;
  if (settings.is_shadow()) visit.check_tables(shadow_tables, schema_of(settings));
  ApiReader reader;
  auto facts = reader.load(visit.connection());
  if (!facts) return visit.fail(facts.error()), std::nullopt;
  visit.say_complaints(facts->complaints);
  if (facts->cells.empty())
    report.fail(visit.subject(),
                "expected a cell beside cell0 in cell_mappings, found none; nova-manage cell_v2 makes one");
  return ApiFound{std::move(facts->cells), std::move(facts->host_mappings),
                  time_of_refresh(reader, visit.connection())};
}

void check_own_database(const config::NovaSettings& settings, const Report& report) {
  Visit visit("own database", report);
  if (!visit.open(url_from(settings.database_connection, "[database] connection"))) return;
  if (!settings.is_shadow())
    visit.check_writes(writes_of_own_row(visit.database()), "the scheduler's own row in services");
  constexpr std::array<Table, 1> tables{services};
  if (visit.check_tables(tables, schema_of(settings))) say_own_row(visit, host_of(settings));
}

void check_placement_database(const config::NovaSettings& settings, const Report& report) {
  if (settings.placement_database_connection.empty() || !settings.mirror) return;
  Visit visit("placement database", report);
  if (!visit.open(url_from(settings.placement_database_connection, "[placement_database] connection"))) return;
  if (!visit.check_tables(placement_tables::all, "placement")) return;
  ProviderReader reader;
  const auto began = SteadyClock::now();
  const auto read = reader.load(visit.connection());
  if (!read) return static_cast<void>(visit.fail(read.error()));
  report.ok(visit.subject(), "holds " + count_of(read->changes.providers.size(), "resource provider") +
                                 "; all are read in " + took_since(began) + "; candidates are computed from them");
}

std::optional<CellFound> check_cell(const Cell& cell, const config::NovaSettings& settings, const Report& report) {
  Visit visit("cell " + cell.name, report);
  if (!visit.open(url_of(cell, settings.database_connection))) return std::nullopt;
  if (settings.discovers_hosts())
    visit.check_writes(writes_of_discovery_in_cell(visit.database()), "the discovery of hosts");
  if (!visit.check_tables(cell_tables, schema_of(settings))) return std::nullopt;
  const auto lowest = lowest_compute_version(visit.connection());
  if (!lowest) return visit.fail(lowest.error()), std::nullopt;
  CellReader reader;
  const auto began = SteadyClock::now();
  const auto facts = reader.load(visit.connection());
  const auto read_in = took_since(began);
  if (!facts) return visit.fail(facts.error()), std::nullopt;
  visit.say_complaints(facts->complaints);
  auto found = summary_of(cell, *facts, *lowest);
  found.refresh_time = time_of_refresh(reader, visit.connection());
  report.ok(visit.subject(), "holds " + count_of(found.service_hosts.size(), "nova-compute service") + ", " +
                                 count_of(found.nodes.size(), "compute node") + " and " +
                                 count_of(found.instances, "instance") + "; all are read in " + read_in +
                                 ", changes in " + time_text(found.refresh_time));
  return found;
}

}  // namespace gantry::nova
