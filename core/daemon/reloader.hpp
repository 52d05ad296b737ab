// SPDX-License-Identifier: Apache-2.0
//
// Reads the configuration again while the service runs, on a thread of its own: a driver's create may take long, or hang.
// All changes that need no new process are applied at one moment. Everything is judged before, and one fault or one key that needs a
// restart keeps all of it from being applied.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "core/config/changes.hpp"
#include "core/config/load.hpp"
#include "core/drivers/driver_set.hpp"
#include "core/encoding/json.hpp"
#include "core/scheduling/manager.hpp"
#include "core/scheduling/profiles/profile_check.hpp"
#include "core/scheduling/reloads.hpp"
#include "core/telemetry/counters.hpp"
#include "core/telemetry/log.hpp"
#include "core/transport/http_server.hpp"

namespace gantry::daemon {

class Reloader final : public scheduling::Reloads {
 public:
  // `loaded`: the configuration that the service runs with. The drivers outlive the object.
  Reloader(config::Loaded loaded, drivers::DriverSet& drivers, std::shared_ptr<telemetry::Logger> logger,
           std::shared_ptr<telemetry::Counters> counters);
  ~Reloader() override;
  Reloader(const Reloader&) = delete;
  Reloader& operator=(const Reloader&) = delete;

  // From now on reloads are made. Before, they wait. Both arguments live until end() has returned.
  void serve(scheduling::Manager& manager, transport::HttpServer& server);
  // Returns the configuration that holds now, for people: {key, value, origin} of each key. [any thread]
  json::array shown() const;
  // Returns whether the files would make another configuration now than the one that holds. False if they are at fault.
  // [any thread]
  bool is_outdated() const;

  void begin(bool only_judge, Done done) override;
  void end() override;
  // Waits until the thread has ended, after end(). Does not return if a driver's create or destroy hangs.
  void join();

 private:
  // A reload that was asked for. It is answered once: by its outcome, or before that because it takes too long.
  struct Asked {
    bool only_judge = false;
    Done done;
    std::atomic<bool> is_answered{false};
    std::chrono::steady_clock::time_point begun;  // when its work began

    void answer(Result<scheduling::Reloaded> reloaded);
  };
  using Shared = std::shared_ptr<Asked>;

  std::shared_ptr<const config::Loaded> loaded() const;
  void run();
  Shared wait_for_work();
  Result<scheduling::Reloaded> reload(const Shared& asked);
  // A configuration that was accepted, and what it changes.
  struct Judged {
    std::shared_ptr<const config::Loaded> next;
    std::vector<config::Change> changes;
    transport::HttpServer::Access access;
    std::vector<std::string> warnings;
  };
  Result<Judged> judge() const;
  scheduling::ProfileFindings judge_profiles(const config::Settings& settings) const;
  // Reads the certificate, the roles and the need of tokens. Adds a renewed certificate to `changes`.
  Result<transport::HttpServer::Access> read_access(const config::Settings& settings,
                                                    std::vector<config::Change>& changes) const;
  bool is_ending() const;
  Result<void> apply(const Judged& judged, const Shared& asked);

  drivers::DriverSet& drivers_;
  const std::shared_ptr<telemetry::Logger> logger_;
  const std::shared_ptr<telemetry::Counters> counters_;
  scheduling::Manager* manager_ = nullptr;
  transport::HttpServer* server_ = nullptr;
  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  std::shared_ptr<const config::Loaded> loaded_;
  std::deque<Shared> waiting_;
  Shared under_way_;
  bool is_ending_ = false;
  mutable std::mutex in_use_;  // held while the manager and the server are used, and by end()
  std::thread thread_;
};

// Asks for a reload that no caller waits for: the log and `gantry status` tell what became of it, and name `who` asked for
// it. Calls `done` once, on any thread, when it is over.
void reload_uncalled(scheduling::Manager& manager, std::string who, std::function<void()> done);

}  // namespace gantry::daemon
