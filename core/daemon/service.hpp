// SPDX-License-Identifier: Apache-2.0
//
// A gantryd that serves: its parts, each made from those before it, and ended in the reverse order.
//
//   load        judges the configuration, loads the drivers, reads the state; a predecessor serves meanwhile
//   take_turn   takes the predecessor's store and sockets; makes the server
//   begin       answers requests
//   serve       until a signal, or until a successor has taken over
//   end
#pragma once

#include <chrono>
#include <memory>
#include <optional>

#include "core/config/load.hpp"
#include "core/daemon/daemon.hpp"
#include "core/daemon/policy/http_policy_services.hpp"
#include "core/daemon/predecessor.hpp"
#include "core/daemon/reloader.hpp"
#include "core/daemon/restart_desk.hpp"
#include "core/daemon/signals.hpp"
#include "core/daemon/watchdog.hpp"
#include "core/drivers/driver_set.hpp"
#include "core/drivers/load/exit_report.hpp"
#include "core/fleet/fleet.hpp"
#include "core/result.hpp"
#include "core/scheduling/authority.hpp"
#include "core/scheduling/manager.hpp"
#include "core/store/store.hpp"
#include "core/telemetry/counters.hpp"
#include "core/telemetry/log.hpp"
#include "core/transport/http_server.hpp"

namespace gantry::scheduling {
struct Parts;
}

namespace gantry::daemon {

// [control thread] The functions are called in their order, each once, and no further one after an error.
class Service {
 public:
  // Make it before any thread. `given`: the service manager's sockets. All arguments outlive the service.
  Service(const config::Loaded& loaded, Predecessor* predecessor, transport::HandedSockets given);

  Result<void> load(MakeAuthority make_authority);
  Result<void> take_turn();
  void begin();
  // Returns the signal that ends the service, or Signals::unwell or Signals::woken.
  int serve();
  // Ends the process at once if an orderly end takes too long.
  void end(int signal);

 private:
  Result<void> load_drivers();
  Result<void> make_policy_services();
  Result<void> make_authority(MakeAuthority make);
  Result<void> make_manager();
  scheduling::Parts manager_parts();
  Result<void> take_over();
  Result<void> make_server();
  // Says what this process is doing, to the one that waits for it.
  void say(const std::string& step) const;
  void say_ready() const;
  void end_by_signal(int signal);
  void end_behind_successor();

  const std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
  const config::Loaded& loaded_;
  const config::Settings& settings_;
  Predecessor* const predecessor_;  // nullptr: there is none
  transport::HandedSockets sockets_;
  // A successor is not the main process before its predecessor has ended, and the service manager does not hear it.
  bool is_main_;

  Signals signals_;
  const drivers::ExitIsACrash exit_is_a_crash_;
  std::shared_ptr<telemetry::Logger> logger_;
  const std::shared_ptr<telemetry::Counters> counters_ = std::make_shared<telemetry::Counters>();
  std::optional<fleet::Fleet> fleet_;
  std::optional<drivers::DriverSet> drivers_;
  std::optional<Reloader> reloader_;
  RestartDesk desk_;
  std::unique_ptr<store::Store> store_;
  std::unique_ptr<HttpPolicyServices> policy_services_;  // nullptr: none is configured
  std::unique_ptr<scheduling::Authority> authority_;     // nullptr: there is no Nova deployment
  std::unique_ptr<scheduling::Manager> manager_;
  std::unique_ptr<transport::HttpServer> server_;
};

}  // namespace gantry::daemon
