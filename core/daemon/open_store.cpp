// SPDX-License-Identifier: Apache-2.0
#include "core/daemon/open_store.hpp"

#include <utility>

#include "core/daemon/readiness.hpp"
#include "core/scheduling/service/kept_beside_authority.hpp"
#include "core/store/partial_store.hpp"
#include "core/store/sqlite_store.hpp"

namespace gantry::daemon {

Result<std::unique_ptr<store::Store>> open_store(const config::Settings& settings,
                                                 const std::shared_ptr<telemetry::Logger>& logger,
                                                 const std::shared_ptr<telemetry::Counters>& counters, bool is_ahead) {
  store::SqliteSettings store_settings;
  store_settings.path = settings.store.path;
  store_settings.logger = logger;
  store_settings.counters = counters;
  if (!is_ahead) notify_service_manager("STATUS=checking the store\n");
  auto store = is_ahead ? store::open_sqlite_ahead(store_settings) : store::open_sqlite(store_settings);
  if (!store || !settings.nova.is_configured()) return store;
  // The databases of a Nova deployment keep the facts of topic compute.
  return std::unique_ptr<store::Store>(
      std::make_unique<store::PartialStore>(*std::move(store), scheduling::is_kept_beside_authority));
}

}  // namespace gantry::daemon
