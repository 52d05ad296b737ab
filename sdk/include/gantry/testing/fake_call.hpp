// SPDX-License-Identifier: Apache-2.0
//
// One call into a driver, as the fake host sees it: random numbers, memory, views and results.
#pragma once

#include <gantry/driver.h>
#include <gantry/driver/text.hpp>
#include <gantry/testing/arena.hpp>
#include <gantry/testing/fake_state.hpp>
#include <gantry/testing/fake_view.hpp>
#include <gantry/testing/outcome.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace gantry::testing {

// xoshiro256**, seeded by splitmix64. Gives the same numbers as the real host for the same seed.
class seeded_random {
 public:
  explicit seeded_random(std::uint64_t seed) {
    for (std::uint64_t& word : state_) {
      seed += 0x9e3779b97f4a7c15u;
      std::uint64_t mixed = (seed ^ (seed >> 30)) * 0xbf58476d1ce4e5b9u;
      mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
      word = mixed ^ (mixed >> 31);
    }
  }
  std::uint64_t next() {
    const std::uint64_t result = rotate(state_[1] * 5, 7) * 9;
    const std::uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = rotate(state_[3], 45);
    return result;
  }

 private:
  static std::uint64_t rotate(std::uint64_t word, int by) { return (word << by) | (word >> (64 - by)); }
  std::uint64_t state_[4] = {};
};

// The object behind a gantry_call pointer of the fake host.
struct fake_call {
  fake_state* host = nullptr;
  const fake_view* view = nullptr;        // rows of picks and claims are rows of this view; nullptr during create
  const fake_request* request = nullptr;  // the request that the driver decides; nullptr in other operations
  const gantry_candidates* candidates = nullptr;  // the candidates of the request, once the driver has asked for them
  std::vector<std::uint32_t> choice;              // the providers that the driver has chosen for its next pick
  std::uint32_t chosen_instance = 0;              // the instance and the row of that pick
  std::uint32_t chosen_row = 0;
  bool is_method = false;           // the operation is call_method
  bool takes_capabilities = false;  // the operation is update_service_capabilities
  gantry_context context = {};
  seeded_random random;
  arena memory;
  std::vector<std::unique_ptr<fake_view>> derived;              // the views that the driver derived in this call
  outcome result;                                               // everything that the driver did in this call
  std::map<std::uint32_t, std::map<std::string, double>> held;  // amounts that this call claimed, by row and resource
  std::unordered_map<std::uint32_t, bool> settled;              // instances: true if picked, false if refused

  std::uint32_t asks = 0;         // questions to policy services
  std::uint64_t claim_items = 0;  // number of items in the claims of this call
  std::uint64_t cast_bytes = 0;   // total size of the args of this call's casts

  explicit fake_call(std::uint64_t seed) : random(seed), memory(seed) {}
  gantry_call* raw() { return reinterpret_cast<gantry_call*>(this); }
  static fake_call& of(gantry_call* call) { return *reinterpret_cast<fake_call*>(call); }
};

}  // namespace gantry::testing
