// SPDX-License-Identifier: Apache-2.0
//
// The object behind a gantry_call pointer. Internal to core/drivers.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/drivers/call/arena.hpp"
#include "core/drivers/call/call_log.hpp"
#include "core/drivers/call/driver_call.hpp"
#include "core/drivers/call/seeded_random.hpp"
#include "gantry/ext/candidates.h"

namespace gantry::drivers {

class DistantFleet;
struct DerivedView;

struct DriverCall::State {
  explicit State(DriverCallSettings given)
      : settings(std::move(given)), arena(settings.memory_limit), random(settings.seed) {}

  DriverCallSettings settings;
  // Where the fleet is if settings.moment is empty, because the driver runs in another process. NULL: there is none.
  DistantFleet* distant = nullptr;
  Arena arena;
  Random random;
  std::vector<DerivedView*> derived;  // all derived views of the call
  // Columns of zeros with their row counts. A column stands for claims.NAME if no claim names the resource NAME.
  std::vector<std::pair<std::uint32_t, const gantry_column*>> zeros;
  // The verdicts and terms that explain_host is copying. They are kept, so the next explain_host reuses their
  // memory.
  std::pair<std::vector<gantry_verdict>, std::vector<gantry_term>> explanation_items;
  const gantry_candidates* candidates = nullptr;  // the request has them; NULL: none are known
  // The candidate that the driver has chosen for the next pick or alternate.
  struct {
    std::uint32_t instance = 0;
    std::uint32_t row = 0;
    std::vector<std::uint32_t> providers;
  } choice;
  // The arguments of the last fail.
  gantry_code failure_code = GANTRY_OK;
  std::string failure_sentence;
  std::string misuse;              // the sentence of the first use of a service that broke the ABI's rules
  bool has_ended_process = false;  // the driver's own, by this call
  std::uint64_t claim_items = 0;   // number of items in the claims of the call
  std::uint32_t asks = 0;          // questions to policy services
  std::uint64_t casts = 0;
  std::uint64_t cast_bytes = 0;  // total size of the casts' args
  mutable CallLog log;

  // Records the failure and returns `code`.
  gantry_code fail(gantry_code code, std::string sentence) {
    failure_code = code;
    failure_sentence = std::move(sentence);
    return code;
  }
  // Records that the driver used a service against the ABI's rules: the operation fails by the driver's fault, even
  // if it returns GANTRY_OK. Returns `code`.
  gantry_code misused(gantry_code code, const std::string& sentence) {
    if (misuse.empty()) misuse = sentence;
    return fail(code, sentence);
  }

  static State* of(gantry_call* call) { return reinterpret_cast<State*>(call); }
  static const State* of(const gantry_call* call) { return reinterpret_cast<const State*>(call); }
};

}  // namespace gantry::drivers
