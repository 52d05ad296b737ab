// SPDX-License-Identifier: Apache-2.0
#include "core/nova/facts/duties/own_service.hpp"

#include <algorithm>

#include "core/encoding/uuid.hpp"

namespace gantry::nova {

namespace {

// Returns the number that the query answers with. nullopt: no row.
Result<std::optional<std::int64_t>> number_from(Connection& connection, const std::string& sql) {
  std::optional<std::int64_t> number;
  auto done = connection.query(sql, [&number](Row row) {
    if (const auto* value = std::get_if<std::int64_t>(&row[0])) number = *value;
  });
  if (!done) return std::move(done).error();
  return number;
}

}  // namespace

OwnService::OwnService(DatabaseUrl url, Timeouts timeouts, std::string host, std::shared_ptr<telemetry::Logger> logger)
    : url_(std::move(url)), timeouts_(timeouts), host_(std::move(host)), logger_(std::move(logger)) {}

Result<void> OwnService::connect() {
  if (connection_ && connection_->is_open()) return {};
  auto opened = Connection::open(url_, timeouts_, Access::writes);
  if (!opened) return std::move(opened).error();
  connection_ = *std::move(opened);
  return {};
}

Result<void> OwnService::find_row() {
  auto found = number_from(*connection_, "SELECT id FROM services WHERE host = " + connection_->quoted(host_) +
                                             " AND `binary` = 'nova-scheduler' AND deleted = 0");
  if (!found) return std::move(found).error();
  id_ = *found;
  return {};
}

Result<std::int64_t> OwnService::release_version() {
  auto found =
      number_from(*connection_, "SELECT MAX(version) FROM services WHERE `binary` = 'nova-conductor' AND deleted = 0");
  if (!found) return std::move(found).error();
  return std::max(found->value_or(0), least_service_version);
}

Error OwnService::lacking(Error error) const {
  if (error.code == ErrorCode::permission_denied)
    error.message += "; lacking: GRANT SELECT, INSERT, UPDATE ON `" + url_.database + "`.`services`";
  return error;
}

Result<void> OwnService::enter() {
  if (auto done = connect(); !done) return done;
  const auto version = release_version();
  if (!version) return lacking(version.error());
  auto done = find_row();
  if (done && id_) {
    done =
        connection_->query("UPDATE services SET updated_at = UTC_TIMESTAMP(), version = " + std::to_string(*version) +
                           " WHERE id = " + std::to_string(*id_));
  } else if (done) {
    done = connection_->query(
        "INSERT INTO services (created_at, uuid, host, `binary`, topic, report_count, disabled, forced_down, version, "
        "deleted) VALUES (UTC_TIMESTAMP(), " +
        connection_->quoted(to_text(random_uuid())) + ", " + connection_->quoted(host_) +
        ", 'nova-scheduler', 'scheduler', 0, 0, 0, " + std::to_string(*version) + ", 0)");
    if (done) done = find_row();
  }
  if (!done) return lacking(std::move(done).error());
  return {};
}

Result<void> OwnService::beat() {
  if (!id_) return enter();
  if (auto done = connect(); !done) return done;
  auto done = connection_->query(
      "UPDATE services SET report_count = report_count + 1, last_seen_up = UTC_TIMESTAMP(), updated_at = "
      "UTC_TIMESTAMP() WHERE deleted = 0 AND id = " +
      std::to_string(*id_));
  if (!done) return lacking(std::move(done).error());
  auto changed = number_from(*connection_, "SELECT ROW_COUNT()");
  if (!changed) return std::move(changed).error();
  if (changed->value_or(0) == 0 && !is_gone_)
    logger_->write(telemetry::Level::error,
                   "the row of this scheduler in the table services is gone; Nova shows it no longer",
                   {{"host", host_}, {"database", connection_->place()}});
  is_gone_ = changed->value_or(0) == 0;
  return {};
}

void OwnService::report() {
  const bool had_connection = connection_ && connection_->is_open();
  auto done = beat();
  // A server closes connections that were idle, or when it is restarted: a new one may do.
  if (!done && had_connection && !connection_->is_open() && done.error().code == ErrorCode::unavailable) done = beat();
  if (!done && !is_failing_)
    logger_->write(telemetry::Level::error, "this scheduler cannot report to Nova that it is up",
                   {{"reason", done.error().message}});
  if (done && is_failing_) logger_->write(telemetry::Level::info, "this scheduler reports to Nova again", {});
  is_failing_ = !done;
}

}  // namespace gantry::nova
