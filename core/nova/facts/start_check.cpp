// SPDX-License-Identifier: Apache-2.0
#include "core/nova/facts/start_check.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <set>

#include "core/encoding/time.hpp"

namespace gantry::nova {

namespace {

Result<std::string> text_from(Connection& connection, std::string_view sql) {
  std::string text;
  auto done = connection.query(sql, [&text](Row row) {
    if (const auto* value = std::get_if<std::string_view>(&row[0])) text = *value;
  });
  if (!done) return std::move(done).error();
  return text;
}

// 'nova'@'%' from nova@%.
std::string grantee(const std::string& user) {
  const auto at = std::min(user.rfind('@'), user.size());
  return "'" + user.substr(0, at) + "'@'" + user.substr(std::min(at + 1, user.size())) + "'";
}

Result<void> name_missing_grant(Connection& connection, const Table& table, DatabaseCheck& check) {
  auto user = text_from(connection, "SELECT CURRENT_USER()");
  if (!user) return std::move(user).error();
  auto database = text_from(connection, "SELECT DATABASE()");
  if (!database) return std::move(database).error();
  check.failures.push_back("database " + connection.place() + ": table " + std::string(table.name) +
                           " may not be read; lacking: GRANT SELECT ON `" + *database + "`.`" +
                           std::string(table.name) + "` TO " + grantee(*user));
  return {};
}

Result<void> name_missing_columns(Connection& connection, const Table& table, std::string_view schema,
                                  DatabaseCheck& check) {
  std::set<std::string> present;
  auto done = connection.query(
      "SELECT column_name FROM information_schema.columns WHERE table_schema = DATABASE() AND "
      "table_name = " +
          connection.quoted(table.name),
      [&present](Row row) {
        if (const auto* name = std::get_if<std::string_view>(&row[0])) present.emplace(*name);
      });
  if (!done) return done;
  const auto what = "database " + connection.place() + ": table " + std::string(table.name);
  const auto expected = "; expected the schema of " + std::string(schema);
  if (present.empty()) check.failures.push_back(what + " does not exist" + expected);
  for (const auto column : table.columns) {
    if (!present.empty() && !present.contains(std::string(column)))
      check.failures.push_back(what + " has no column " + std::string(column) + expected);
  }
  return {};
}

Result<void> check_table(Connection& connection, const Table& table, std::string_view schema, DatabaseCheck& check) {
  auto read = connection.query(select_from(table) + " LIMIT 0");
  if (read) return {};
  switch (read.error().code) {
    case ErrorCode::permission_denied: return name_missing_grant(connection, table, check);
    case ErrorCode::not_found: return name_missing_columns(connection, table, schema, check);
    default: return read;
  }
}

std::string seconds_text(std::int64_t nanoseconds) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.1f", static_cast<double>(nanoseconds) / 1e9);
  return text;
}

Result<void> check_clock(Connection& connection, DatabaseCheck& check) {
  const auto now = [] { return std::chrono::nanoseconds(std::chrono::system_clock::now().time_since_epoch()).count(); };
  const auto before = now();
  auto text = text_from(connection, "SELECT UTC_TIMESTAMP(6)");
  if (!text) return std::move(text).error();
  const auto after = now();
  const auto theirs = parse_time(*text).value_or(0);
  const auto off = theirs < before ? before - theirs : std::max<std::int64_t>(theirs - after, 0);
  if (off > 1'000'000'000)
    check.warnings.push_back("database " + connection.place() + ": its clock differs from this machine's by " +
                             seconds_text(off) + " s; expected at most 1 s");
  return {};
}

}  // namespace

Result<DatabaseCheck> check_database(Connection& connection, std::span<const Table> tables, std::string_view schema) {
  DatabaseCheck check;
  for (const auto& table : tables) {
    if (auto done = check_table(connection, table, schema, check); !done) return std::move(done).error();
  }
  if (auto done = check_clock(connection, check); !done) return std::move(done).error();
  return check;
}

Result<std::int64_t> lowest_compute_version(Connection& connection) {
  std::int64_t lowest = 0;
  auto done = connection.query(
      "SELECT MIN(version) FROM services WHERE `binary` = 'nova-compute' AND deleted = 0 AND forced_down = 0",
      [&lowest](Row row) {
        if (const auto* version = std::get_if<std::int64_t>(&row[0])) lowest = *version;
      });
  if (!done) return std::move(done).error();
  return lowest;
}

Result<void> check_compute_versions(std::span<const std::int64_t> lowest, const NovaRelease& release) {
  for (const auto version : lowest) {
    if (version == 0 || version >= release.oldest_compute_version) continue;
    return Error{ErrorCode::failed_precondition,
                 "nova-compute services: expected service version " + std::to_string(release.oldest_compute_version) +
                     " or later in every cell, that of " + std::string(release.oldest_compute) + ", for " +
                     std::string(release.title) + " works with no older one, found " + std::to_string(version) +
                     "; upgrade these computes first, or name the deployment's own release in [driver.filter] "
                     "compatibility, which is " +
                     std::string(release.level) + " now",
                 {}};
  }
  return {};
}

}  // namespace gantry::nova
