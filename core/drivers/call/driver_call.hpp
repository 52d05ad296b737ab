// SPDX-License-Identifier: Apache-2.0
//
// One call into a driver: what it may read (a moment of the fleet, its context, deadline, time and seed), where its
// results go (a sink) and the memory that lives as long as the call.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/fleet/tables/moment.hpp"
#include "core/result.hpp"
#include "gantry/driver.h"

namespace gantry::drivers {

// Where a driver's results go. Implemented by scheduling; called on the driver's thread, inside the call. The host
// services have checked what can be checked without knowing the request: row below the view's rows, finite numbers,
// amounts not negative, JSON well formed, text there where it must be. Structs are of this version, items lie one after
// the other.
class Sink {
 public:
  virtual ~Sink() = default;
  virtual gantry_code pick(const gantry_pick& pick) = 0;
  virtual gantry_code alternate(const gantry_pick& alternate) = 0;
  virtual gantry_code refuse(std::uint32_t instance, std::string_view reason) = 0;
  virtual void explain(const gantry_step& step) = 0;
  virtual gantry_code explain_host(const gantry_host_explanation& explanation) = 0;
  virtual gantry_code claim(const gantry_claim& claim) = 0;
  virtual gantry_code reply(std::string_view json) = 0;
  virtual gantry_code cast(const gantry_cast& cast) = 0;
};

// What is known of an instance beside its place.
struct InstanceFacts {
  std::string flavor;  // its name
  std::string project_id;
  std::string vm_state;
};

struct DriverCallSettings {
  fleet::Moment moment;
  // Answers for an instance that has a record; empty: none has.
  std::function<std::optional<InstanceFacts>(std::string_view uuid)> instance_facts;
  const gantry_context* context = nullptr;  // never NULL while a driver runs
  const gantry_view* view = nullptr;        // the view whose rows picks, claims and casts name; NULL: none
  Sink* sink = nullptr;                     // NULL: results are refused
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
  // Memory that lives as long as the call; what a driver gets from scratch, open to the core as well.
  void* allocate(std::uint64_t size, std::uint64_t align);
  // What the driver said by fail, if it did.
  gantry_code failure_code() const;
  std::string_view failure_sentence() const;
  // The opaque form that a driver holds.
  gantry_call* handle();

  struct State;  // host_services.cpp works on it

 private:
  std::unique_ptr<State> state_;
};

}  // namespace gantry::drivers
