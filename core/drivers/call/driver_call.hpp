// SPDX-License-Identifier: Apache-2.0
//
// One call into a driver: its input (a moment of the fleet, context, deadline, time and seed), the sink of its results,
// and the memory that is released with the call.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/drivers/call/arena.hpp"
#include "core/drivers/call/sink.hpp"
#include "core/fleet/tables/moment.hpp"
#include "core/result.hpp"
#include "gantry/driver.h"
#include "gantry/ext/candidates.h"

namespace gantry::drivers {

// The facts of an instance's record that gantry_location carries.
struct InstanceFacts {
  std::string flavor;  // name of the flavor
  std::string project_id;
  std::string vm_state;
  std::int64_t vcpus = 0;
  std::int64_t memory_mb = 0;
  double disk_gb = 0;  // root plus ephemeral plus swap
};

class Asker;
class DriverInstances;
class Turn;

// The input of a call.
struct DriverCallSettings {
  fleet::Moment moment;  // the fleet that the driver sees
  // Returns the facts of an instance, nullopt if the instance has no record. The function may be empty: no facts are
  // known.
  std::function<std::optional<InstanceFacts>(std::string_view uuid)> instance_facts;
  const gantry_context* context = nullptr;  // never NULL while a driver runs
  const gantry_view* view = nullptr;        // the view whose rows picks, claims and casts name; may be NULL
  Sink* sink = nullptr;                     // NULL: the driver may give no results
  Asker* asker = nullptr;                   // NULL: the driver may ask no policy service
  // max(): the call has no deadline.
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
  std::int64_t now = 0;    // the time that the driver sees, in nanoseconds since 1970
  std::uint64_t seed = 0;  // for the random numbers that the driver gets
  // The instances of the drivers that the call began with. NULL: it takes the one that holds when it enters the driver.
  std::shared_ptr<const DriverInstances> instances = nullptr;
  Turn* turn = nullptr;  // the call's turn in the driver; NULL: the call waits for a turn on its own thread
  std::uint64_t memory_limit = Arena::usual_limit;  // the most bytes that the call may allocate
  bool log_is_bounded = true;                       // lines beyond those of a CallLog are left out
};

class Driver;

class DriverCall {
 public:
  explicit DriverCall(DriverCallSettings settings);
  ~DriverCall();
  DriverCall(const DriverCall&) = delete;
  DriverCall& operator=(const DriverCall&) = delete;

  const DriverCallSettings& settings() const;
  // Returns memory that is released with the call, as gantry_host.scratch does. nullptr if the limit is reached or
  // `align` is not a power of two up to 64.
  void* allocate(std::uint64_t size, std::uint64_t align);
  // Gives the driver candidates to choose from (gantry.candidates/1). `candidates` lives as long as the call.
  void offer(const gantry_candidates* candidates);
  // Return the code and the sentence of the last fail in the call. GANTRY_OK and an empty text if there was none.
  gantry_code failure_code() const;
  std::string_view failure_sentence() const;
  // Returns how the driver broke the ABI's rules in this call. Empty if it did not.
  std::string_view misuse() const;
  // Returns the opaque pointer that the driver gets.
  gantry_call* handle();

  struct State;  // call_state.hpp

 private:
  std::unique_ptr<State> state_;
};

}  // namespace gantry::drivers
