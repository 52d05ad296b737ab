// SPDX-License-Identifier: Apache-2.0
#include "core/daemon/open_store.hpp"

#include <chrono>
#include <thread>
#include <utility>

#include "core/daemon/readiness.hpp"
#include "core/scheduling/service/kept_beside_authority.hpp"
#include "core/store/partial_store.hpp"
#include "core/store/sqlite_store.hpp"

namespace gantry::daemon {

namespace {

using Clock = std::chrono::steady_clock;

// A predecessor that was killed may still have the store open for a moment.
constexpr std::chrono::seconds longest_end{10};

}  // namespace

Result<std::unique_ptr<store::Store>> open_store(const config::Settings& settings,
                                                 const std::shared_ptr<telemetry::Logger>& logger,
                                                 const std::shared_ptr<telemetry::Counters>& counters,
                                                 const Predecessor* predecessor) {
  store::SqliteSettings store_settings;
  store_settings.path = settings.store.path;
  store_settings.logger = logger;
  store_settings.counters = counters;
  store_settings.was_let_go = predecessor != nullptr && !predecessor->is_gone();
  if (predecessor == nullptr) notify_service_manager("STATUS=checking the store\n");
  const auto until = Clock::now() + (predecessor != nullptr ? longest_end : std::chrono::seconds(0));
  auto store = store::open_sqlite(store_settings);
  while (!store && store.error().code == ErrorCode::unavailable && Clock::now() < until) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    store = store::open_sqlite(store_settings);
  }
  if (!store || !settings.nova.is_configured()) return store;
  // The databases of a Nova deployment keep the facts of topic compute.
  return std::unique_ptr<store::Store>(
      std::make_unique<store::PartialStore>(*std::move(store), scheduling::is_kept_beside_authority));
}

}  // namespace gantry::daemon
