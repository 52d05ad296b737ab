// SPDX-License-Identifier: Apache-2.0
//
// The manager with a real store and a bundled driver, without a transport; it can be ended and begun again.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "core/drivers/driver_set.hpp"
#include "core/scheduling/service/service_manager.hpp"
#include "core/scheduling/state/state.hpp"
#include "core/store/sqlite_store.hpp"
#include "tests/drivers/trusted_directory.hpp"

namespace gantry::scheduling {

class RunningManager {
 public:
  // What stands between the manager and its store.
  using Wrap = std::function<std::unique_ptr<store::Store>(std::unique_ptr<store::Store>)>;

  // `folder`: where the driver's file is; empty: where the bundled drivers are.
  explicit RunningManager(const std::string& driver, fleet::FleetSettings fleet_settings = {}, Wrap wrap = {},
                          const std::string& folder = {},
                          std::shared_ptr<telemetry::Logger> logger = telemetry::Logger::none(),
                          const config::DriverSettings& driver_settings = {});

  // Ends what runs, as a stop of the service does, and begins anew from the store.
  void restart();
  // Makes the next manager, which reads the store now. The next restart has it take over from the one that runs.
  void prepare_successor();
  // Calls and waits for the reply. `args` is JSON.
  Reply call(const std::string& method, const std::string& args, const std::string& key = {},
             std::shared_ptr<const Caller> caller = {});
  // The same where the test fails unless it succeeds.
  json::value result(const std::string& method, const std::string& args, const std::string& key = {});
  // A host that is up, with so many processors and plenty of everything else.
  void add_host(const std::string& name, int vcpus);
  // The documents of a kind in the store; ends and begins the service.
  std::size_t stored(store::Kind kind);
  // The time that the next calls give.
  void set_patience(std::chrono::milliseconds patience) { patience_ = patience; }
  // For the next start.
  ManagerSettings& manager_settings() { return manager_settings_; }
  // Changes the store behind the service's back, as another program could.
  void run_sql(const std::string& sql) const;
  fleet::Fleet& fleet() { return *fleet_; }
  // A state on this service's fleet, store and drivers, for what no method reaches.
  std::unique_ptr<State> state() {
    return std::make_unique<State>(Parts{*fleet_, *store_, *drivers_, logger_, counters_, manager_settings_, {}});
  }
  telemetry::Counters& counters() { return *counters_; }
  // From the next start on, decisions are kept.
  void keep_decisions();
  // Where they are kept.
  std::string decisions_directory() const { return (directory_.path() / "decisions").string(); }
  // From the next start on, who else has a say.
  void set_authority(Authority* authority) { authority_ = authority; }
  // From the next start on, how far it is, said at every step.
  void listen_to_progress(std::function<void(const std::string&)> progress) { progress_ = std::move(progress); }

 private:
  // A manager with the parts that are its own.
  struct Service {
    std::unique_ptr<fleet::Fleet> fleet;
    std::unique_ptr<store::Store> store;
    std::unique_ptr<Manager> manager;
  };
  using MakeManager = Result<std::unique_ptr<Manager>> (*)(Parts parts);

  void start();
  void stop();
  store::SqliteSettings store_settings() const;
  Service service_with(std::unique_ptr<store::Store> store, MakeManager make);
  void use(Service service);

  const Wrap wrap_;
  const std::shared_ptr<telemetry::Logger> logger_;
  drivers::TrustedDirectory directory_;
  config::Settings settings_;
  fleet::FleetSettings fleet_settings_;
  ManagerSettings manager_settings_;
  std::chrono::milliseconds patience_{30'000};
  std::shared_ptr<telemetry::Counters> counters_ = std::make_shared<telemetry::Counters>();
  std::optional<drivers::DriverSet> drivers_;
  std::function<void(const std::string&)> progress_;
  Authority* authority_ = nullptr;
  std::optional<DecisionLogSettings> decisions_;
  std::unique_ptr<fleet::Fleet> fleet_;
  std::unique_ptr<store::Store> store_;
  std::unique_ptr<Manager> manager_;
  std::optional<Service> successor_;
};

}  // namespace gantry::scheduling
