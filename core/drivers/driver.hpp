// SPDX-License-Identifier: Apache-2.0
//
// A driver that is loaded and created.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/config/settings.hpp"
#include "core/drivers/call/driver_call.hpp"
#include "core/drivers/isolated/runner_status.hpp"
#include "core/drivers/judge/driver_file.hpp"
#include "core/drivers/manifest/manifest.hpp"
#include "core/drivers/turns.hpp"
#include "core/telemetry/counters.hpp"
#include "core/telemetry/log.hpp"

namespace gantry::drivers {

class DriverInstance;

// [any thread] Calls the operations of one driver. The calls of a serial driver run one at a time. A call that has no
// turn yet waits for one until its deadline. A call that returns long after its deadline fails with deadline_exceeded
// (turns.hpp). If a call crashes, the crash report names the driver and the request.
//
// A failed call returns an Error with the names of driver and operation and the sentence that the driver passed to
// fail. GANTRY_NO_VALID_HOST and GANTRY_CLAIM_LOST become ErrorCode::no_valid_host. The driver's sentence alone, which
// may be empty, is the message then.
class Driver {
 public:
  Driver();
  virtual ~Driver();

  const Manifest& manifest() const;
  const DriverFile& file() const;
  // Returns the files that are not any more as they were loaded: its own, those of its libraries, and those that its options
  // name.
  struct OnDisk {
    std::vector<std::string> missing;  // code
    std::vector<std::string> changed;  // code
    std::vector<std::string> options;  // changed or missing
  };
  OnDisk on_disk() const;
  // Returns whether the manifest names `method` as one of the driver's own methods on the topic.
  bool offers(std::string_view topic, std::string_view method) const;
  std::uint64_t calls() const;  // all calls since the driver was loaded
  // The calls that failed. "No valid host" and a refused argument, which is the caller's fault, do not count.
  std::uint64_t failures() const;
  std::uint64_t calls_under_way() const;  // the calls that run now, without those that wait for their turn
  Turns& turns() const;
  // How the process of a driver with isolation = "process" fares. nullopt: the driver runs in this process.
  std::optional<isolated::RunnerStatus> runner_status() const;
  // Returns the instance that holds now. A call goes to this one unless it began with another
  // (DriverCallSettings::instances).
  std::shared_ptr<DriverInstance> instance() const;

  // An operation that a driver may leave out. The host does its work then, without a call.
  enum class Optional { hosts_up, group_hosts, update_service_capabilities };
  bool leaves_out(Optional operation) const;

  // Both fail with unsupported for a driver of methods alone.
  Result<void> select_destinations(DriverCall& call, const gantry_request& request);
  Result<void> schedule_run_instance(DriverCall& call, const gantry_request& request);
  // hosts_up and group_hosts set the bits of the rows found in rows_out, a zeroed bitmap of (view.rows + 63) / 64
  // words. If the driver leaves the operation out, the host's default (default_operations.hpp) sets the bits.
  Result<void> hosts_up(DriverCall& call, const gantry_view& view, std::uint64_t* rows_out);
  Result<void> group_hosts(DriverCall& call, const gantry_group& group, const gantry_view& view,
                           std::uint64_t* rows_out);
  // Does nothing if the driver leaves the operation out.
  Result<void> update_service_capabilities(DriverCall& call, std::string_view service, std::string_view host,
                                           std::string_view capabilities);
  // Fails with unsupported if the manifest does not name the method. The message lists the methods of the driver.
  Result<void> call_method(DriverCall& call, const gantry_method_call& method);
  // Writes to `counts`, an array of request.view->rows zeros, how many more instances like the requested one each row
  // takes, as the driver's extension gantry.capacity/1 counts them. Fails with unsupported if the driver does not offer
  // the extension, or if it cannot count them for this request.
  Result<void> count_capacity(DriverCall& call, const gantry_request& request, std::uint64_t* counts);
  // Returns a bitmap of the rows that have a value in each column that the manifest needs. The bitmap lies in the
  // call's memory. nullptr if memory has run out.
  const std::uint64_t* complete_rows(DriverCall& call, const gantry_view& view) const;

 private:
  friend class DriverLoader;
  friend class DriverSet;
  friend class NextInstances;
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace gantry::drivers
