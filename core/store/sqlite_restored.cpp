// SPDX-License-Identifier: Apache-2.0
#include "core/store/sqlite_restored.hpp"

#include <chrono>
#include <string>

#include "core/telemetry/utc_text.hpp"

namespace gantry::store {

namespace {

constexpr const char* has_meta = "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'meta'";

std::string put(const std::string& key, std::int64_t value) {
  return "INSERT OR REPLACE INTO meta VALUES ('" + key + "', " + std::to_string(value) + ");";
}

std::string value_of(const std::string& key) {
  return "SELECT value FROM meta WHERE key = '" + key + "'";
}

std::string shown_time(std::int64_t nanoseconds) {
  if (nanoseconds == 0) return "not known";
  const auto since =
      std::chrono::duration_cast<std::chrono::system_clock::duration>(std::chrono::nanoseconds(nanoseconds));
  const auto text = telemetry::utc_text(std::chrono::system_clock::time_point(since));
  return {text.data(), text.size()};
}

}  // namespace

Result<void> mark_backup(Connection& copy, std::int64_t taken_at) {
  const auto found = copy.ask(has_meta);
  if (!found) return found.error();
  if (*found == 0) return {};
  return copy.run(put("backup_taken_at", taken_at));
}

Result<std::int64_t> backup_time(Connection& copy) {
  auto found = copy.ask(has_meta);
  if (!found || *found == 0) return found;
  return copy.ask(value_of("backup_taken_at"));
}

Result<void> mark_restored(Connection& store, std::int64_t taken_at, std::int64_t restored_at, std::uint64_t commits) {
  return store.run("BEGIN IMMEDIATE;" + put("restored_at", restored_at) + put("restored_from", taken_at) +
                   put("commits", static_cast<std::int64_t>(commits)) + "COMMIT");
}

Result<std::optional<Restored>> note_restored(Connection& store, telemetry::Logger& logger) {
  const auto restored_at = store.ask(value_of("restored_at"));
  if (!restored_at) return restored_at.error();
  if (*restored_at == 0) return std::optional<Restored>();
  const auto taken_at = store.ask(value_of("restored_from"));
  if (!taken_at) return taken_at.error();
  const auto logged = store.ask(value_of("restore_logged"));
  if (!logged) return logged.error();
  if (*logged == 0) {
    logger.write(telemetry::Level::warning,
                 "the store was restored from a backup: what happened since is not in it, and no host is up before it "
                 "has reported; gantry-upgrade(7) says what to look after",
                 {{"taken_at", shown_time(*taken_at)}, {"restored_at", shown_time(*restored_at)}});
    if (auto put_down = store.run(put("restore_logged", 1)); !put_down) return std::move(put_down).error();
  }
  return std::optional(Restored{*taken_at, *restored_at});
}

}  // namespace gantry::store
