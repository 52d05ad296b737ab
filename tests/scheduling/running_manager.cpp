// SPDX-License-Identifier: Apache-2.0
#include "tests/scheduling/running_manager.hpp"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <future>

#include "core/drivers/driver.hpp"
#include "core/drivers/driver_loader.hpp"
#include "core/encoding/uuid.hpp"
#include "core/scheduling/service/settings.hpp"
#include "core/store/sqlite_store.hpp"

namespace gantry::scheduling {

RunningManager::RunningManager(const std::string& driver, fleet::FleetSettings fleet_settings, Wrap wrap,
                               const std::string& folder, std::shared_ptr<telemetry::Logger> logger,
                               const config::DriverSettings& driver_settings)
    : wrap_(std::move(wrap)), logger_(std::move(logger)), fleet_settings_(std::move(fleet_settings)) {
  directory_.add((folder.empty() ? GANTRY_DRIVERS : folder) + "/" + driver + ".so", driver + ".so");
  settings_.scheduler_driver = {driver};
  settings_.driver_directories = {directory_.path().string()};
  settings_.drivers[driver] = driver_settings;
  auto set = drivers::load_drivers(settings_, logger_, counters_, {});
  EXPECT_TRUE(set) << (set ? "" : set.error().message);
  if (set) drivers_.emplace(*std::move(set));
  start();
}

store::SqliteSettings RunningManager::store_settings() const {
  store::SqliteSettings settings;
  settings.path = (directory_.path() / "gantry.db").string();
  return settings;
}

void RunningManager::start() {
  auto opened = store::open_sqlite(store_settings());
  ASSERT_TRUE(opened) << opened.error().message;
  use(service_with(*std::move(opened), make_manager));
}

RunningManager::Service RunningManager::service_with(std::unique_ptr<store::Store> store, MakeManager make) {
  Service service;
  service.store = wrap_ ? wrap_(std::move(store)) : std::move(store);
  service.fleet = std::make_unique<fleet::Fleet>(fleet_settings_);
  for (const auto* driver : drivers_->all()) {
    const auto declared = declare(*service.fleet, driver->manifest(), settings_);
    EXPECT_TRUE(declared) << declared.error().message;
  }
  auto manager = manager_settings_;
  if (decisions_) decisions_->run = now_nanoseconds();
  if (progress_) manager.progress_interval = std::chrono::milliseconds(0);
  auto made =
      make({*service.fleet, *service.store, *drivers_, logger_, counters_, manager, progress_, authority_, decisions_});
  EXPECT_TRUE(made) << made.error().message;
  if (made) service.manager = *std::move(made);
  return service;
}

void RunningManager::use(Service service) {
  manager_ = std::move(service.manager);
  store_ = std::move(service.store);
  fleet_ = std::move(service.fleet);
}

void RunningManager::prepare_successor() {
  successor_.reset();
  manager_->prepare_pause();
  successor_ = service_with(store::open_sqlite_ahead(store_settings()), make_manager_ahead);
}

void RunningManager::keep_decisions() {
  settings_.store.path = (directory_.path() / "gantry.db").string();
  decisions_ = decision_log_settings(settings_, logger_);
  restart();
}

void RunningManager::stop() {
  manager_.reset();
  store_.reset();
}

void RunningManager::restart() {
  if (!successor_) {
    stop();
    return start();
  }
  constexpr std::chrono::seconds longest{10};
  const auto until = std::chrono::steady_clock::now() + longest;
  const auto paused = manager_->pause(until);
  ASSERT_TRUE(paused) << paused.error().message;
  const auto taken = successor_->manager->take_over(until, *paused);
  ASSERT_TRUE(taken) << taken.error().message;
  successor_->manager->begin();
  stop();
  use(*std::move(successor_));
  successor_.reset();
}

Reply RunningManager::call(const std::string& method, const std::string& args, const std::string& key,
                           std::shared_ptr<const Caller> caller) {
  auto parsed = json::parse_object(args);
  EXPECT_TRUE(parsed) << args;
  MethodCall made;
  made.method = method;
  if (parsed) made.args = *std::move(parsed);
  made.request_id = "req-" + to_text(random_uuid());
  made.idempotency_key = key;
  made.caller = std::move(caller);
  made.deadline = std::chrono::steady_clock::now() + patience_;
  std::promise<Reply> reply;
  auto answered = reply.get_future();
  manager_->handle(std::move(made), [&reply](Reply given) { reply.set_value(std::move(given)); });
  return answered.get();
}

json::value RunningManager::result(const std::string& method, const std::string& args, const std::string& key) {
  auto reply = call(method, args, key);
  EXPECT_TRUE(reply) << method << ": " << (reply ? "" : reply.error().message);
  return reply ? *std::move(reply) : json::value();
}

void RunningManager::add_host(const std::string& name, int vcpus) {
  result("service_register", R"({"topic":"compute","host":")" + name + R"("})");
  result("update_resource_stats",
         R"({"name":")" + name + R"(","stats":{"vcpus":)" + std::to_string(vcpus) +
             R"(,"memory_mb":65536,"local_gb":1000,"vcpus_used":0,"memory_mb_used":0,"local_gb_used":0,)" +
             R"("cpu_allocation_ratio":1}})");
}

void RunningManager::run_sql(const std::string& sql) const {
  sqlite3* handle = nullptr;
  ASSERT_EQ(sqlite3_open((directory_.path() / "gantry.db").c_str(), &handle), SQLITE_OK);
  sqlite3_busy_timeout(handle, 5000);
  EXPECT_EQ(sqlite3_exec(handle, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(handle);
  EXPECT_GT(sqlite3_changes(handle), 0) << sql;
  sqlite3_close(handle);
}

std::size_t RunningManager::stored(store::Kind kind) {
  stop();
  std::size_t count = 0;
  {
    auto opened = store::open_sqlite(store_settings());
    EXPECT_TRUE(opened);
    if (opened) {
      const auto loaded = (*opened)->load(kind, [&count](std::string_view, std::string_view) -> Result<void> {
        ++count;
        return {};
      });
      EXPECT_TRUE(loaded);
    }
  }
  start();
  return count;
}

}  // namespace gantry::scheduling
