// SPDX-License-Identifier: Apache-2.0
//
// A driver whose code runs in a process of its own, the runner. Towards the service it is a gantry_driver with a table
// of operations, like any other.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "core/drivers/call/driver_call.hpp"
#include "core/drivers/isolated/call_input.hpp"
#include "core/drivers/isolated/lane_memory.hpp"
#include "core/drivers/isolated/runner_keeper.hpp"
#include "core/drivers/isolated/runner_status.hpp"
#include "core/drivers/judge/driver_file.hpp"
#include "core/drivers/offers/loaded_offers.hpp"
#include "core/files/descriptor.hpp"
#include "core/result.hpp"
#include "gantry/driver.h"

namespace gantry::drivers::isolated {

// Returns whether a driver runs in a process of its own: its section or else its manifest says so, and the cells of views
// are shared.
bool runs_apart(const Manifest& manifest, const config::DriverSettings& section);

// Shares the cells of views if a driver of the settings wants a process of its own. To be called before the fleet that
// the drivers see is made.
Result<void> prepare_isolation(const config::Settings& settings);

// [any thread]
class IsolatedDriver {
 public:
  // Starts a runner and creates the driver there, with its libraries. `file` must have been judged. `host` must outlive
  // the driver. The views of later calls must lie in shared cells (fleet::share_cells).
  static Result<std::unique_ptr<IsolatedDriver>> start(const DriverFile& file, const gantry_host& host,
                                                       const OfferSurroundings& surroundings);
  ~IsolatedDriver();
  IsolatedDriver(const IsolatedDriver&) = delete;
  IsolatedDriver& operator=(const IsolatedDriver&) = delete;

  // Returns the table that a Driver calls. An operation that the driver leaves out is NULL, and so are create and
  // destroy.
  gantry_driver_ops operations() const;
  gantry_driver* object() { return reinterpret_cast<gantry_driver*>(this); }
  static IsolatedDriver& of(gantry_driver* driver) { return *reinterpret_cast<IsolatedDriver*>(driver); }

  // Waits for a runner that is being started. unavailable: there is none, and none will be soon.
  Result<void> await_ready(std::chrono::steady_clock::time_point deadline) { return keeper_.await_ready(deadline); }
  RunnerStatus status() const { return keeper_.status(); }
  bool counts_capacity() const { return traits_.counts_capacity; }

  // Runs an operation in the runner. `fill` adds its arguments. `bytes_out`: where its bitmap or counts go.
  using Fill = std::function<void(InputWriter& to, CallInput& input)>;
  gantry_code run(Operation operation, gantry_call* call, const Fill& fill, std::span<std::byte> bytes_out = {});

 private:
  IsolatedDriver(const gantry_host& host, std::vector<files::Descriptor> files, RunnerKeeper::Plan plan,
                 LaneMemory lanes, const OfferSurroundings& surroundings);
  gantry_code run_in(const Lane& lane, Operation operation, gantry_call* call, const Fill& fill,
                     std::span<std::byte> bytes_out);
  gantry_code await(const Lane& lane, std::uint64_t runner, gantry_call* call, std::span<std::byte> bytes_out);

  const gantry_host& host_;
  const std::chrono::milliseconds call_timeout_;
  const std::vector<files::Descriptor> files_;  // sealed copies, from which each runner loads
  RunnerTraits traits_;
  RunnerKeeper keeper_;
};

}  // namespace gantry::drivers::isolated
