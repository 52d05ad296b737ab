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

#include "core/drivers/call/sink.hpp"
#include "core/fleet/tables/moment.hpp"
#include "core/result.hpp"
#include "gantry/driver.h"

namespace gantry::drivers {

// The facts of an instance's record that gantry_location carries.
struct InstanceFacts {
  std::string flavor;  // name of the flavor
  std::string project_id;
  std::string vm_state;
};

struct DriverCallSettings {
  fleet::Moment moment;
  // Returns the facts of an instance that has a record. An empty function: no instance has one.
  std::function<std::optional<InstanceFacts>(std::string_view uuid)> instance_facts;
  const gantry_context* context = nullptr;  // never NULL while a driver runs
  const gantry_view* view = nullptr;        // the view whose rows picks, claims and casts name; may be NULL
  Sink* sink = nullptr;                     // NULL: the call takes no results
  std::chrono::steady_clock::time_point deadline;
  std::int64_t now = 0;  // nanoseconds since 1970
  std::uint64_t seed = 0;
};

class Driver;

class DriverCall {
 public:
  explicit DriverCall(DriverCallSettings settings);
  ~DriverCall();
  DriverCall(const DriverCall&) = delete;
  DriverCall& operator=(const DriverCall&) = delete;

  const DriverCallSettings& settings() const;
  // Returns memory that is released with the call, the same as gantry_host.scratch. nullptr if the limit is reached.
  void* allocate(std::uint64_t size, std::uint64_t align);
  // The code and sentence of the driver's last fail. GANTRY_OK and empty if there was none.
  gantry_code failure_code() const;
  std::string_view failure_sentence() const;
  // The opaque pointer that the driver gets.
  gantry_call* handle();

  struct State;  // call_state.hpp

 private:
  std::unique_ptr<State> state_;
};

}  // namespace gantry::drivers
