// SPDX-License-Identifier: Apache-2.0
//
// This scheduler's own row in the table services, with which Nova shows it as a nova-scheduler that is up.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "core/nova/facts/database/connection.hpp"
#include "core/telemetry/log.hpp"

namespace gantry::nova {

// The service version of Zed, the least that the row gets.
inline constexpr std::int64_t least_service_version = 64;

// Used by one thread at a time.
class OwnService {
 public:
  OwnService(DatabaseUrl url, Timeouts timeouts, std::string host, std::shared_ptr<telemetry::Logger> logger);

  // Finds or makes the row. Fails with `unavailable` if the database is away, with `permission_denied` and the GRANT that
  // lacks if the row may not be written.
  Result<void> enter();
  // Says that the scheduler is up. Logs once what goes wrong, and when all is well again.
  void report();

 private:
  Result<void> connect();
  Result<void> find_row();
  // The service version of the deployment's release: that of its conductors.
  Result<std::int64_t> release_version();
  Result<void> beat();
  Error lacking(Error error) const;

  const DatabaseUrl url_;
  const Timeouts timeouts_;
  const std::string host_;
  std::shared_ptr<telemetry::Logger> logger_;
  std::optional<Connection> connection_;
  std::optional<std::int64_t> id_;  // the row's
  bool is_gone_ = false;            // somebody has deleted the row
  bool is_failing_ = false;
};

}  // namespace gantry::nova
